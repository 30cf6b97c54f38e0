import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { announce } from './given.mjs';
import { register } from './mcp-catalogue.mjs';

// https://github.com/modelcontextprotocol/typescript-sdk/blob/1.32.2/src/examples/server/simpleStatelessStreamableHttp.ts

const app = createMcpExpressApp();
app.post('/mcp', async (request, response) => {
  const server = new McpServer({ name: 'candidate-profile', version: '1.0.0' });
  register(server);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
  response.on('close', () => {
    transport.close();
    server.close();
  });
});

const server = app.listen(0, '127.0.0.1', () => announce(server.address()));
