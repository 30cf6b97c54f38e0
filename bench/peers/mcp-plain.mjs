import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { announce, answer } from './given.mjs';
import { isEvent, result } from './mcp-result.mjs';

// A JSON handler on node:http: parses the JSON-RPC request and writes an equal result.

const server = createServer(async (request, response) => {
  const { id } = JSON.parse(await text(request));
  const json = JSON.stringify({ result, jsonrpc: '2.0', id });
  const body = isEvent ? `event: message\ndata: ${json}\n\n` : json;
  response.writeHead(200, { ...answer.headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => announce(server.address()));
