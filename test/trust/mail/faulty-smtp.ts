import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Cleanup } from '../../support/process.ts';

/** Where a session can go wrong: at a command, in the middle of the message, after it, or once it has been taken. */
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

/** Nobody listens, or a reply or a deed takes the place of the right answer; an acknowledgement is lost once a message. */
export type Fault = 'refused' | { readonly at: Stage; readonly does: Deed };
type Deed = string | ((socket: Socket) => void);

/** A message as it came in, with the commands before it: one character an octet, dots no longer doubled. */
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

/** A mail server on a bare socket that keeps what it takes, octet by octet, and fails in the way it is told to. */
export async function openFaultySmtp(t: Cleanup) {
  const received: Delivery[] = [];
  const taken = new Set<string>();
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;
  let struck = 0;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket.setEncoding('latin1'));
  });
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  // STARTTLS is offered only to fail.
  const greeted = () =>
    typeof fault === 'object' && fault?.at === 'STARTTLS'
      ? '250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN'
      : '250-mail.example\r\n250 AUTH PLAIN';
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    hangUp();
    server.close();
  });

  function serve(socket: Socket): void {
    let pending = '';
    let commands: string[] = [];
    let isContent = false;

    /** What is to go wrong at this stage, if anything; it counts as met. */
    function faultAt(stage: string): Deed | undefined {
      if (typeof fault !== 'object' || fault?.at !== stage) return undefined;
      struck += 1;
      return fault.does;
    }

    function answer(deed: Deed): void {
      if (typeof deed === 'string') socket.write(`${deed}\r\n`);
      else deed(socket);
    }

    function obey(line: string): void {
      commands.push(line);
      const verb = line.split(' ')[0]!.toUpperCase();
      const deed = faultAt(verb);
      answer(deed ?? (verb === 'EHLO' ? greeted() : replies[verb]) ?? '500 5.5.1 what?');
      isContent = verb === 'DATA' && deed === undefined;
      if (verb === 'QUIT') socket.end();
    }

    function take(source: string): void {
      const refusal = faultAt('message');
      if (refusal !== undefined) return void answer(refusal);
      received.push({ commands, source });
      commands = [];
      const isAgain = taken.has(messageIdOf(source));
      taken.add(messageIdOf(source));
      answer((isAgain ? undefined : faultAt('acknowledgement')) ?? '250 2.0.0 taken');
    }

    answer(faultAt('greeting') ?? '220 mail.example ESMTP');
    socket.on('data', (text: string) => {
      pending += text;
      while (!socket.destroyed) {
        const deed = isContent ? faultAt('content') : undefined;
        if (deed !== undefined) return answer(deed);
        const end = isContent ? `\r\n${pending}`.indexOf('\r\n.\r\n') : pending.indexOf('\r\n');
        if (end < 0) return;
        const whole = pending.slice(0, end);
        pending = pending.slice(end + (isContent ? 3 : 2));
        if (!isContent) obey(whole);
        else {
          isContent = false;
          take(whole.replace(/(^|\r\n)\./g, '$1'));
        }
      }
    });
  }

  return {
    port,
    received,
    /** How many times the fault has been met; a refused connection is not seen. */
    struck: () => struck,
    async break(next: Fault): Promise<void> {
      fault = next;
      struck = 0;
      if (next !== 'refused') return;
      const closed = once(server.close(), 'close');
      hangUp();
      await closed;
    },
    /** Works again, as a server that was started anew: whoever hangs is cut off. */
    async mend(): Promise<void> {
      fault = null;
      hangUp();
      if (!server.listening) await listen(port);
    },
  };
}
