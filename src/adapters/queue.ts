/** Opens a queue: a function that runs tasks one after the other, even if earlier ones failed. */
export function openQueue() {
  let latest: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = latest.then(work);
    latest = result.catch(() => {});
    return result;
  };
}
