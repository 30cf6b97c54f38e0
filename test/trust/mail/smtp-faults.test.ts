import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { isFull, report, scaled } from '../../support/figures.ts';
import { fixture } from '../../support/files.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { type Fault, messageIdOf, openFaultySmtp } from './faulty-smtp.ts';

const silence = () => {};
const cut = (socket: Socket) => void socket.destroy();
const drip = (socket: Socket) => {
  const timer = setInterval(() => socket.write('2'), 500);
  socket.on('close', () => clearInterval(timer));
};
const brokenHandshake = (socket: Socket) => {
  socket.removeAllListeners('data').once('data', () => socket.end('not a handshake\r\n'));
  socket.write('220 2.0.0 go ahead\r\n');
};

const temporary: Record<string, Fault> = {
  'a connection that is refused': 'refused',
  'a server that sends no greeting': { at: 'greeting', does: silence },
  'a greeting of one character every half second': { at: 'greeting', does: drip },
  'a greeting in another protocol': { at: 'greeting', does: 'HTTP/1.1 400 Bad Request' },
  '421 instead of a greeting': { at: 'greeting', does: '421 4.3.2 too busy' },
  '554 instead of a greeting': { at: 'greeting', does: '554 5.3.2 no service here' },
  'a broken TLS handshake after STARTTLS': { at: 'STARTTLS', does: brokenHandshake },
  'a login that is refused (535)': { at: 'AUTH', does: '535 5.7.8 bad credentials' },
  '451 at MAIL': { at: 'MAIL', does: '451 4.3.0 later' },
  '450 at RCPT (greylisting)': { at: 'RCPT', does: '450 4.7.1 greylisted' },
  'no reply at RCPT': { at: 'RCPT', does: silence },
  '451 at DATA': { at: 'DATA', does: '451 4.3.0 later' },
  'a connection cut in the middle of the message': { at: 'content', does: cut },
  '451 after the message': { at: 'message', does: '451 4.3.0 later' },
  'an acknowledgement that is lost': { at: 'acknowledgement', does: cut },
};
const permanent: Record<string, Fault> = {
  '550 at RCPT': { at: 'RCPT', does: '550 5.1.1 no such user' },
  '554 after the message': { at: 'message', does: '554 5.7.1 not wanted' },
};

/** The modes of the fast subset, one of each kind: no listener, no reply, a temporary refusal, a lost reply, a permanent refusal. */
const inBrief = [
  'a connection that is refused',
  'a server that sends no greeting',
  '451 at MAIL',
  'an acknowledgement that is lost',
  '550 at RCPT',
];
const chosen = (modes: Record<string, Fault>) =>
  Object.entries(modes).filter(([title]) => isFull || inBrief.includes(title));

const requests = scaled(400, 4);
const stopMilliseconds = scaled(7_000, 30_000); // full run: 5 s for the mail in flight, and the drain of the HTTP server

/** Starts a service with a mail server of its own. */
async function startBeside(t: Parameters<typeof openFaultySmtp>[0]) {
  const smtp = await openFaultySmtp(t);
  const SMTP_URL = `smtp://me:secret@127.0.0.1:${smtp.port}`;
  const service = await startProcess(t, { PROFILE: fixture('profile.yaml'), LIMITS: 'off', SMTP_URL });
  const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
  t.after(() => database.close());
  const mails = () => database.prepare('select * from outbox order by created_at, rowid').all();
  return {
    smtp,
    service,
    mails,
    /** Waits until the fault has occurred; in the full run, until the service has ended the attempt. */
    hasOccurred: () =>
      eventually(() => (!isFull && smtp.occurrences() > 0) || mails().some(({ last_error }) => last_error !== null)),
    /** Makes every deferred mail due, and queues one more to wake the outbox. */
    async passTime(): Promise<void> {
      database.exec('update outbox set due_at = created_at where due_at is not null');
      await service.token('awake@example.org');
    },
  };
}
type Started = Awaited<ReturnType<typeof startBeside>>;

const healthy = await startBeside({ after });

const millisecondsOf = async (work: () => Promise<unknown>) => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

const p99 = (samples: readonly number[]) => samples.toSorted((a, b) => a - b)[Math.ceil(samples.length * 0.99) - 1]!;

const slowest = { ratio: 0, stop: 0 };
let passed = 0;

/** Requests tokens from the service and from a healthy one in turn; fails if the p99 is more than twice as high, in a second round too. */
async function compareWithHealthy({ service }: Started): Promise<void> {
  const [faulty, sound]: [number[], number[]] = [[], []];
  await Promise.all([service.token('first@example.org'), healthy.service.token('first@example.org')]);
  let ratio = Number.POSITIVE_INFINITY;
  for (let round = 0; round < scaled(2, 1) && ratio > 2; round += 1) {
    for (let n = 0; n < requests; n += 1) {
      faulty.push(await millisecondsOf(() => service.token(`visitor${n}@example.org`)));
      sound.push(await millisecondsOf(() => healthy.service.token(`visitor${n}@example.org`)));
    }
    ratio = p99(faulty) / p99(sound);
  }
  slowest.ratio = Math.max(slowest.ratio, ratio);
  if (isFull) assert.ok(ratio <= 2, `p99 is ${p99(faulty)} ms, that of a healthy service ${p99(sound)} ms`);
}

/** Stops the service while one more mail fails; returns the row of that mail. */
async function stopAmid({ smtp, service, mails }: Started, fault: Fault) {
  await smtp.break(fault);
  await service.token('last@example.org');
  const last = () => mails().at(-1)!;
  await eventually(() => smtp.occurrences() > 0 || last().last_error !== null);
  service.kill('SIGTERM');
  const milliseconds = await millisecondsOf(async () => assert.equal(await service.exited(), 0));
  slowest.stop = Math.max(slowest.stop, milliseconds);
  assert.ok(milliseconds <= stopMilliseconds, `${milliseconds} ms`);
  return last();
}

suite('Faults of the mail server do not slow requests down or keep the service from stopping', {
  concurrency: !isFull,
}, () => {
  for (const [title, fault] of chosen(temporary))
    test(`${title}: every mail is delivered once the server has recovered [TRUST-30]`, async (t) => {
      const started = await startBeside(t);
      const { smtp, mails, hasOccurred, passTime } = started;
      await smtp.break(fault);
      await compareWithHealthy(started);
      await hasOccurred();

      await smtp.mend();
      await eventually(() => mails().every(({ sent_at, last_error }) => sent_at !== null || last_error !== null));
      await passTime();
      await eventually(() => mails().every(({ sent_at }) => sent_at !== null));
      const expected = mails().map(({ id }) => `<${id}@localhost>`);
      assert.ok(expected.length > requests);
      const copies = Map.groupBy(
        smtp.received.map(({ source }) => messageIdOf(source)),
        (id) => id,
      );
      assert.deepEqual([...copies.keys()].sort(), expected.sort());
      const mostCopies = Math.max(...copies.values().map(({ length }) => length));
      assert.equal(mostCopies, title === 'an acknowledgement that is lost' ? 2 : 1);

      const left = await stopAmid(started, fault);
      assert.deepEqual([left.sent_at, typeof left.due_at], [null, 'string']);
      passed += 1;
    });

  for (const [title, fault] of chosen(permanent))
    test(`${title}: every mail is a dead letter after one attempt [TRUST-30]`, async (t) => {
      const started = await startBeside(t);
      const { smtp, mails, passTime } = started;
      await smtp.break(fault);
      await compareWithHealthy(started);
      await eventually(() => mails().every(({ due_at }) => due_at === null));

      await smtp.mend();
      await passTime();
      await eventually(() => smtp.received.length > 0);
      const [latest, ...dead] = mails().reverse();
      assert.deepEqual(
        smtp.received.map(({ source }) => messageIdOf(source)),
        [`<${latest!.id}@localhost>`],
      );
      assert.ok(dead.length > requests);
      for (const { sent_at, due_at, attempts } of dead) assert.deepEqual([sent_at, due_at, attempts], [null, null, 1]);

      await stopAmid(started, fault);
      passed += 1;
    });
});

after(() => {
  const modes = chosen({ ...temporary, ...permanent }).length;
  if (passed < modes) return;
  report(
    'SMTP faults, 12 modes',
    `${modes} modes: p99 of POST /auth/token at most ${slowest.ratio.toFixed(2)} times that of a healthy service (at least ${requests} requests each); all temporary ones delivered, all permanent ones dead after one try; SIGTERM ends with 0 in at most ${(slowest.stop / 1_000).toFixed(1)} s`,
  );
});
