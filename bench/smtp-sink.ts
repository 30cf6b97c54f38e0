import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

// A mail server that accepts every mail and keeps none.

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    stream.resume().on('end', () => callback());
  },
});
await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`Listening on smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
