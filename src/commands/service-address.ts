/** Returns the base URL of a service from its base URL or MCP endpoint; null if a text is not an http address. */
export function readServiceAddress(text: string): string | null {
  const address = text.trim();
  // Node.js 20, with which a host may run the bridge, lacks `URL.parse`.
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return null;
  return address.replace(/(?<!\/)\/+$/, '').replace(/\/mcp$/, '');
}
