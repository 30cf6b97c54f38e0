import type { DurableStore } from '../adapters/store/store.ts';
import type { Changes } from '../surfaces/mcp/changes.ts';

export type SharedChanges = Awaited<ReturnType<typeof openSharedChanges>>;

/** Counted beside the URIs of resources: the lists of tools and resources. */
const lists = 'lists';

/**
 * Tells all replicas, through the store, that one has loaded a change of the profile. A client may read from any of them, so
 * each notifies its subscribers whenever one has loaded a change: the last notice follows the last replica that does.
 */
export async function openSharedChanges(store: Pick<DurableStore, 'profileChanges'>) {
  let seen = await store.profileChanges.counts();
  let loaded = new Set<string>();
  return {
    /** Adds what this process has loaded, for the next `exchange`. */
    add({ resources, isListChanged }: Changes): void {
      for (const part of isListChanged ? [...resources, lists] : resources) loaded.add(part);
    },

    /**
     * Stores what was added, and returns what other processes have loaded since the last call; only reads if nothing was added.
     * If it throws, the next call stores it.
     */
    async exchange(): Promise<Changes> {
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
        changes > (seen.get(part) ?? 0) + Number(own.has(part)) ? [part] : [],
      );
      seen = latest;
      return { resources: byOthers.filter((part) => part !== lists), isListChanged: byOthers.includes(lists) };
    },
  };
}
