/** The names by which programs on this machine call one and the same service. */
export const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Returns a URL with the host of another one if both hosts are names of this machine (`127.0.0.1`, `localhost`, `[::1]`), and scheme and
 * port are the same; otherwise the URL as it is.
 */
export function withLoopbackHostOf(url: string, other: string): string {
  if (!URL.canParse(url)) return url;
  const [own, to] = [new URL(url), new URL(other)];
  const isSame = own.protocol === to.protocol && own.port === to.port;
  if (!isSame || !loopbackNames.has(own.hostname) || !loopbackNames.has(to.hostname) || !url.startsWith(own.origin))
    return url;
  return to.origin + url.slice(own.origin.length);
}
