// Offers the profile to an agent in the browser as tools (WebMCP), if the browser has it: a draft, whose names may change.

/**
 * @typedef {{ name: string, description: string, inputSchema: object }} Tool
 * @typedef {Tool & { annotations: object, execute(input: Record<string, unknown>): Promise<unknown> }} RegisteredTool
 * @typedef {{ registerTool(tool: RegisteredTool): unknown }} ModelContext
 */

const context = /** @type {{ modelContext?: ModelContext }} */ (document).modelContext;
const profile = document.querySelector('[data-tools]');
const path = profile?.getAttribute('data-tools');

if (context !== undefined && path) {
  const response = await fetch(path);
  const tools = response.ok ? /** @type {Tool[]} */ (await response.json()) : [];
  for (const tool of tools)
    context.registerTool({
      ...tool,
      annotations: { readOnlyHint: true },
      execute: (input) => call(`${path}/${tool.name}`, input),
    });

  // The browser fills in the form, and leaves it to the person to send it.
  const form = profile?.querySelector('.write form');
  form?.setAttribute('toolname', 'write_message');
  form?.setAttribute(
    'tooldescription',
    'Fills in the form for a message to the candidate, on behalf of the person whose browser this is and only when they asked for it. It sends nothing: the person reads the message and sends it.',
  );
}

/**
 * @param {string} address
 * @param {Record<string, unknown>} input
 */
async function call(address, input) {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  const response = await fetch(`${address}?${query}`);
  if (response.ok) return response.json();
  return { isError: true, content: [{ type: 'text', text: await response.text() }] };
}
