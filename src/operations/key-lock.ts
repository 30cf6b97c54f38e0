/** Opens mutexes by key, in this process: `withKeyLock` runs the work after all earlier work with the same key has settled. */
export function keyLocks() {
  const latest = new Map<string, Promise<void>>();
  return function withKeyLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (latest.get(key) ?? Promise.resolve()).then(work);
    const settled = result.then(
      () => {},
      () => {},
    );
    latest.set(key, settled);
    void settled.then(() => latest.get(key) === settled && latest.delete(key));
    return result;
  };
}
