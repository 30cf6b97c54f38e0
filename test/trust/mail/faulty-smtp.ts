import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Cleanup } from '../../support/files.ts';

/** Where a session can fail: at a command, in the middle of the message, after it, or once it was accepted. */
type Stage =
  | 'greeting'
  | 'EHLO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'content'
  | 'message'
  | 'acknowledgement';

/** The server does not listen, or replies or acts otherwise at a stage. An acknowledgement is lost once per message. */
export type Fault = 'refused' | { readonly at: Stage; readonly does: Fail };
type Fail = string | ((socket: Socket) => void);

/** A received message with the commands before it: one character per octet, dot-stuffing removed. */
export interface Delivery {
  readonly commands: readonly string[];
  readonly source: string;
}

export const messageIdOf = (source: string): string => /^Message-ID: (\S+)\r$/m.exec(source)![1]!;

const replies: Record<string, string> = {
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 fine',
  RCPT: '250 2.1.5 fine',
  DATA: '354 go on',
  RSET: '250 2.0.0 fine',
  QUIT: '221 2.0.0 bye',
};

/** A mail server on a plain socket that collects messages octet by octet, and fails as `break` says. */
export async function openFaultySmtp(t: Cleanup) {
  const received: Delivery[] = [];
  const accepted = new Set<string>();
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;
  let occurrences = 0;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket.setEncoding('latin1'));
  });
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  // STARTTLS is offered only if it is to fail.
  const greeted = () =>
    typeof fault === 'object' && fault?.at === 'STARTTLS'
      ? '250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN'
      : '250-mail.example\r\n250 AUTH PLAIN';
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    closeAll();
    server.close();
  });

  function serve(socket: Socket): void {
    let pending = '';
    let commands: string[] = [];
    let isContent = false;

    /** Returns how to fail at this stage, if at all, and counts it. */
    function faultAt(stage: string): Fail | undefined {
      if (typeof fault !== 'object' || fault?.at !== stage) return undefined;
      occurrences += 1;
      return fault.does;
    }

    function reply(how: Fail): void {
      if (typeof how === 'string') socket.write(`${how}\r\n`);
      else how(socket);
    }

    function execute(line: string): void {
      commands.push(line);
      const verb = line.split(' ')[0]!.toUpperCase();
      const fault = faultAt(verb);
      reply(fault ?? (verb === 'EHLO' ? greeted() : replies[verb]) ?? '500 5.5.1 what?');
      isContent = verb === 'DATA' && fault === undefined;
      if (verb === 'QUIT') socket.end();
    }

    function accept(source: string): void {
      const refusal = faultAt('message');
      if (refusal !== undefined) return void reply(refusal);
      received.push({ commands, source });
      commands = [];
      const isAgain = accepted.has(messageIdOf(source));
      accepted.add(messageIdOf(source));
      reply((isAgain ? undefined : faultAt('acknowledgement')) ?? '250 2.0.0 taken');
    }

    reply(faultAt('greeting') ?? '220 mail.example ESMTP');
    socket.on('data', (text: string) => {
      pending += text;
      while (!socket.destroyed) {
        const fault = isContent ? faultAt('content') : undefined;
        if (fault !== undefined) return reply(fault);
        const end = isContent ? `\r\n${pending}`.indexOf('\r\n.\r\n') : pending.indexOf('\r\n');
        if (end < 0) return;
        const whole = pending.slice(0, end);
        pending = pending.slice(end + (isContent ? 3 : 2));
        if (!isContent) execute(whole);
        else {
          isContent = false;
          accept(whole.replace(/(^|\r\n)\./g, '$1'));
        }
      }
    });
  }

  return {
    port,
    received,
    /** Returns how many times the fault has occurred; refused connections are not counted. */
    occurrences: () => occurrences,
    async break(next: Fault): Promise<void> {
      fault = next;
      occurrences = 0;
      if (next !== 'refused') return;
      const closed = once(server.close(), 'close');
      closeAll();
      await closed;
    },
    /** Repairs the server as a restart does: open connections are closed. */
    async mend(): Promise<void> {
      fault = null;
      closeAll();
      if (!server.listening) await listen(port);
    },
  };
}
