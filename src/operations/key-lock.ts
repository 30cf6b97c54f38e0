/** Locks by key, in this process: `withKeyLock` runs the work once everything begun before under the same key has ended. */
export function keyLocks() {
  const latest = new Map<string, Promise<void>>();
  return function withKeyLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const result = (latest.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    latest.set(key, ended);
    void ended.then(() => latest.get(key) === ended && latest.delete(key));
    return result;
  };
}
