import { setTimeout as pause } from 'node:timers/promises';
import type { DurableStore } from '../adapters/store/store.ts';
import { Failure } from '../model/failure.ts';
import type { ChangesByView } from '../surfaces/mcp/catalogue.ts';
import type { Log } from './log.ts';
import type { State } from './state.ts';

const periodMilliseconds = 1_000;

/** The time after a commit until each serving process has read it: a period, and as long again for its queries. */
const readMilliseconds = 2 * periodMilliseconds;

/** Resolves when each serving process that reaches the store has read the current commits. */
export const untilAllRefreshed = (): Promise<void> => pause(readMilliseconds);

interface RefreshingOptions extends Pick<State, 'keys' | 'tokens' | 'store'> {
  /** Null if nobody is notified of changes of the profile. */
  readonly sharedChanges: SharedChanges | null;
  readonly onKeysRefreshed: () => void;
  /** Called after a commit of any process, such as of a mail. */
  readonly onStoreChanged: () => void;
  readonly log: Log;
}

/** Rereads, within a second, changed keys, revocations, views, and changes of the profile; probes a store that failed. */
export function startRefreshing(options: RefreshingOptions) {
  const { keys, tokens, store, sharedChanges, onKeysRefreshed, onStoreChanged, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The store's version when it was last reread; null if the next check must reread it. */
  let version: string | null = null;
  let onTokensRefreshed = () => {};
  let onSharedChanges = (_changes: ChangesByView) => {};

  async function look(): Promise<void> {
    const areKeysStale = keys.isStale();
    if (areKeysStale) await refreshKeys();
    // If it fails, rereading the store reports why.
    const latest = areKeysStale ? null : await store.readVersion().catch(() => null);
    if (latest !== null && latest === version) return;
    version = latest;
    await refreshStore();
  }

  async function refreshKeys(): Promise<void> {
    await keys.refresh().catch((error: unknown) => log.error({ err: error }, 'signing keys not reloaded'));
    onKeysRefreshed();
  }

  async function refreshStore(): Promise<void> {
    try {
      // First the read, because the store is probed only after a failure.
      const refreshed = await Promise.allSettled([tokens.refresh().finally(() => onTokensRefreshed())]);
      await store.probeWrite();
      if (refreshed[0].status === 'rejected') throw refreshed[0].reason;
      if (sharedChanges !== null) onSharedChanges(await sharedChanges.exchange());
      onStoreChanged();
    } catch (error) {
      version = null;
      // The store has logged its outage.
      if (!(error instanceof Failure)) log.error({ err: error }, 'the store does not answer');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const period = pause(periodMilliseconds, undefined, { signal }).catch(() => {}); // ended by `stop`
      await Promise.all([period, look()]);
    }
  }

  const running = run();
  return {
    /** Sets the listener that is called after each refresh of the tokens, because one may have been revoked. */
    onTokensRefreshed(listener: () => void): void {
      onTokensRefreshed = listener;
    },
    /** Sets the listener that is called with the changes that other replicas have loaded since the last refresh. */
    onSharedChanges(listener: (changes: ChangesByView) => void): void {
      onSharedChanges = listener;
    },
    refreshNext(): void {
      version = null;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

type SharedChanges = Awaited<ReturnType<typeof openSharedChanges>>;

/** The name under which the lists of tools and resources are counted, beside the URIs of resources. */
const lists = 'lists';

/** Tells all replicas of a loaded change: a client may read from any, so the last notice follows the last to load it. */
export async function openSharedChanges(store: Pick<DurableStore, 'profileChanges'>) {
  let knownCounts = await store.profileChanges.counts();
  let loaded = new Set<string>();
  return {
    add(changes: ChangesByView): void {
      for (const [view, { resources, isListChanged }] of changes)
        for (const part of isListChanged ? [...resources, lists] : resources)
          loaded.add(view === null ? part : `${part} ${view}`);
    },

    /** Stores the added parts, again if it throws; returns those that others have loaded since the last call. */
    async exchange(): Promise<ChangesByView> {
      const own = loaded;
      loaded = new Set();
      let latest: ReadonlyMap<string, number>;
      try {
        latest = await (own.size === 0 ? store.profileChanges.counts() : store.profileChanges.add([...own]));
      } catch (error) {
        loaded = loaded.union(own);
        throw error;
      }
      const byOthers = [...latest].flatMap(([part, changes]) =>
        changes > (knownCounts.get(part) ?? 0) + Number(own.has(part)) ? [part.split(' ')] : [],
      );
      knownCounts = latest;
      return new Map(
        [...Map.groupBy(byOthers, ([, view = null]) => view)].map(([view, parts]) => {
          const changed = parts.map(([part]) => part!);
          return [
            view,
            { resources: changed.filter((part) => part !== lists), isListChanged: changed.includes(lists) },
          ];
        }),
      );
    },
  };
}
