import { INTERNAL_ERROR, isJSONRPCRequest } from '@modelcontextprotocol/client';
import { readServiceAddress } from './commands/service-address.ts';
import { openMcpBridge } from './surfaces/mcp/bridge.ts';
import { stdioTransport } from './surfaces/mcp/stdio-transport.ts';
import { version } from './version.ts';

// The entry of the bundle (.mcpb) from `npm run bundle`: a program such as Claude Desktop runs it with the values that a person
// has entered in its settings.

/** Returns a setting; empty if it is unset: Claude Desktop then passes the placeholder (modelcontextprotocol/mcpb#250). */
const entered = (value = ''): string => (value.startsWith('$') ? '' : value.trim());

async function bridge(): Promise<void> {
  const { CANDIDATE_PROFILE_URL, CANDIDATE_PROFILE_TOKEN } = process.env;
  const baseUrl = readServiceAddress(entered(CANDIDATE_PROFILE_URL));
  const token = entered(CANDIDATE_PROFILE_TOKEN);
  if (baseUrl === null)
    return refuse('The address is missing or wrong: enter one such as https://profile.example.org in the settings.');
  if (token === '')
    return refuse(`The token is missing: open ${baseUrl} in a browser to get one, and enter it in the settings.`);
  const opened = await openMcpBridge({ baseUrl, token, version }).catch((error: Error) => error.message);
  if (typeof opened === 'string')
    return refuse(`${opened}. Check the settings, and open ${baseUrl} in a browser if you need a token.`);
  await opened.closed;
}

/** Responds to each request with an error, because few hosts show standard error. */
async function refuse(message: string): Promise<void> {
  console.error(message);
  process.exitCode = 1;
  const client = stdioTransport();
  client.onmessage = (request) => {
    if (!isJSONRPCRequest(request)) return;
    const error = { code: INTERNAL_ERROR, message };
    // Rejects only if the client has disconnected.
    client.send({ jsonrpc: '2.0', id: request.id, error }).catch(() => {});
  };
  await client.start();
}

void bridge();
