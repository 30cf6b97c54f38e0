/** Returns the result of a promise; null if it takes longer than `milliseconds`. */
export async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
    timer.unref();
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
