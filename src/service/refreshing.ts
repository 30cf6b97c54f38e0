import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../model/failure.ts';
import type { Changes } from '../surfaces/mcp/changes.ts';
import type { Log } from './log/log.ts';
import type { SharedChanges } from './shared-changes.ts';
import type { State } from './state.ts';

const periodMilliseconds = 1_000;

interface Refreshed extends Pick<State, 'keys' | 'tokens' | 'store' | 'clock'> {
  /** Null if nobody is notified of changes of the profile. */
  readonly sharedChanges: SharedChanges | null;
}

/** Rereads what other processes change each second: keys, revocations, changes of the profile; compares the clock with theirs; and probes a database that failed. */
export function startRefreshing({ keys, tokens, store, clock, sharedChanges }: Refreshed, log: Log) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let onTokensRefreshed = () => {};
  let onChanges = (_changes: Changes) => {};

  async function refreshKeys(): Promise<void> {
    await keys.refresh().catch((error: unknown) => log.error({ err: error }, 'signing keys not reloaded'));
  }

  async function refreshStore(): Promise<void> {
    try {
      // Tokens expire without the store, too.
      await tokens.refresh().finally(() => onTokensRefreshed());
      await store.probeWrite();
      await clock.refresh();
      if (sharedChanges !== null) onChanges(await sharedChanges.exchange());
    } catch (error) {
      // The store has logged its outage itself.
      if (!(error instanceof Failure)) log.error({ err: error }, 'the store does not answer');
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const period = pause(periodMilliseconds, undefined, { signal }).catch(() => {}); // ended by `stop`
      await Promise.all([period, refreshKeys().then(refreshStore)]);
    }
  }

  const running = run();
  return {
    /** Sets the listener that is called after each refresh: a token may have been revoked or have expired. */
    onTokensRefreshed(listener: () => void): void {
      onTokensRefreshed = listener;
    },
    /** Sets the listener that is called with what other replicas have loaded since the last refresh. */
    onChanges(listener: (changes: Changes) => void): void {
      onChanges = listener;
    },
    /** Resolves when the refresh in progress has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
