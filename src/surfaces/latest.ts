/** Returns a function that makes a value once, and again only if it is asked for with another key or could not be made. */
export function keepLatest<Value>() {
  let latest: { readonly key: string; readonly value: Promise<Value> } | undefined;
  return async (key: string, make: () => Value | Promise<Value>): Promise<Value> => {
    if (latest?.key !== key) latest = { key, value: Promise.try(make) };
    const asked = latest;
    try {
      return await asked.value;
    } catch (error) {
      if (latest === asked) latest = undefined;
      throw error;
    }
  };
}
