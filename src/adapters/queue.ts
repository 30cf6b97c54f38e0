/** Opens a queue: a function that runs pieces of work one after the other, whether those before failed or not. */
export function openQueue() {
  let latest: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = latest.then(work);
    latest = result.catch(() => {});
    return result;
  };
}
