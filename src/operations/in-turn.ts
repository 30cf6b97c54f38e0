const latest = new Map<string, Promise<unknown>>();

/** Does work after whatever was begun before it under the same name, so that it finds what that has left. */
export function inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const result = (latest.get(name) ?? Promise.resolve()).then(work);
  const over = result.then(
    () => {},
    () => {},
  );
  latest.set(name, over);
  void over.then(() => latest.get(name) === over && latest.delete(name));
  return result;
}
