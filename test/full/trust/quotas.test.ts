import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { report, scaled } from '../../support/figures.ts';
import { fixture } from '../../support/files.ts';
import { openInbox } from '../../support/inbox.ts';
import { eventually, startService } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

/** A client at an address in 127.0.0.0/8, with no more sockets than the cap. */
function clientAt(localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20, localAddress });
  const ask = async (url: string, method: string, headers: Record<string, string>, body?: object) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(url, { method, agent, headers: { ...headers, ...json } });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, headers: response.headers, body: await text(response) };
  };
  return { ask, close: () => agent.destroy() };
}

const times = <Result>(count: number, make: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const admitted = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status < 300).length;

test('of ten times the quota, each address gets its quota exactly, and the owner 30 mails an hour [TRUST-10] [TRUST-11]', async (t) => {
  const { url: smtp, received } = await openInbox(t);
  const env = { PROFILE: fixture('profile.yaml'), LIMITS: '1', SMTP_URL: smtp };
  const service = await startService(t, env);
  const { url } = service;
  const addresses = Array.from({ length: scaled(20, 4) }, (_, n) => `127.0.1.${n + 1}`);
  const bearerOf = ({ body }: { body: string }) => ({ authorization: `Bearer ${JSON.parse(body).access_token}` });

  const rounds = await times(addresses.length, async (n) => {
    const from = addresses[n]!;
    const { ask, close } = clientAt(from);
    const issued = await times(100, (k) =>
      ask(`${url}/auth/token`, 'POST', {}, { email: `visitor-${k % 20}@${n}.example.org` }),
    );
    const bearers = issued.filter(({ status }) => status === 200).map(bearerOf);
    const reads = await times(1_200, (k) => ask(`${url}/candidate`, k % 2 ? 'GET' : 'HEAD', bearers[0]!));
    const contacts = await times(100, (k) =>
      ask(`${url}/contact`, 'POST', bearers[k % bearers.length]!, {
        name: `Visitor ${k}`,
        email: 'ada@example.org',
        company: 'Engines',
        message: `Message ${k} from ${from}`,
      }),
    );
    for (const { status, headers } of [...issued, ...reads, ...contacts].filter(({ status }) => status >= 300)) {
      assert.equal(status, 429);
      assert.ok(Number(headers['retry-after']) >= 1);
    }
    close();
    return [admitted(issued), admitted(reads), admitted(contacts)];
  });
  assert.deepEqual(rounds, Array(addresses.length).fill([10, 120, 10]));

  await eventually(() => received.length === 30);
  // One more notice: a process that stops finishes its look for due mail, and one that starts looks at once.
  const late = clientAt('127.0.1.200');
  assert.equal((await late.ask(`${url}/auth/token`, 'POST', {}, { email: 'late@example.org' })).status, 200);
  late.close();
  service.stop();
  assert.equal(await service.exited(), 0);
  const next = await startService(t, env, service.folder);
  next.stop();
  assert.equal(await next.exited(), 0);
  assert.equal(received.length, 30);

  using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'), { readOnly: true });
  const rows = database.prepare('select * from outbox').all();
  const [sent, waiting] = [rows.filter(({ sent_at }) => sent_at), rows.filter(({ sent_at }) => !sent_at)];
  assert.equal(rows.length, addresses.length * 20 + 1);
  assert.equal(new Set(sent.map(({ mail_id }) => mail_id)).size, 30);
  assert.ok(waiting.length >= 1);
  for (const { due_at, mail_id, attempts } of waiting)
    assert.deepEqual([typeof due_at, mail_id, attempts], ['string', null, 0]);
  const notices = received.flatMap(({ email }) => email.text!.match(/asked for access|> Message \d+ from/g) ?? []);
  assert.equal(notices.length, sent.length);
  assert.equal(new Set(received.map(({ email }) => email.messageId)).size, 30);
  const wrong = received.filter(({ to }) => to.length !== 1 || to[0] !== 'owner@example.org');
  assert.deepEqual(wrong, []);
  report(
    'limits at 10 × quota',
    `${addresses.length} addresses at once, each 100 token requests, 1,200 reads, 100 contact requests: ${rounds[0]!.join(', ')} admitted at every one of them; ${rows.length} notices, ${received.length} mails, the other notices (${waiting.length}) still in the outbox`,
  );
});
