import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { announce } from './given.mjs';
import { register } from './mcp-catalogue.mjs';

// https://github.com/modelcontextprotocol/typescript-sdk/blob/main/docs/serving/http.md

const handler = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: 'candidate-profile', version: '1.0.0' });
    register(server);
    return server;
  }),
);
const validateHost = localhostHostValidation();
const validateOrigin = localhostOriginValidation();

const server = createServer((request, response) => {
  if (validateHost(request, response) && validateOrigin(request, response)) void handler(request, response);
});
server.listen(0, '127.0.0.1', () => announce(server.address()));
