import { createServer } from 'node:http';
import { announce, answer } from './given.mjs';

// node:http with a constant answer: the least that a server on Node does.

const { status, headers, body } = answer;
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => announce(server.address()));
