/** Returns the base URL of a service, by that or by its MCP endpoint; null if a text is not an http address. */
export function readServiceAddress(text: string): string | null {
  const address = text.trim();
  // `URL.parse` is not in Node.js 20, with which a host may run the bridge.
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return null;
  return address.replace(/(?<!\/)\/+$/, '').replace(/\/mcp$/, '');
}
