import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hash } from '../../../src/adapters/node-crypto.ts';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { toContactNotice } from '../../../src/operations/notices.ts';
import { isFull, report, scaled } from '../../support/figures.ts';
import { openInbox } from '../../support/inbox.ts';
import { runSql } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { contact } from '../../support/store.ts';
import { openSharedDatabase, type Replica, startReplica } from './replica-set.ts';

const queued = scaled(2_000, 60);
const kills = scaled(12, 2);
const workers = 3;
const atOnce = 10;

test('if three replicas send the queued mail and are killed again and again, each message arrives, and at most one mail a kill arrives twice, under the same Message-ID', async (t) => {
  const { mails, repeated, messages } = await sendUnderKills(t, { limits: 'off', equal: 1 });
  assert.equal(new Set(mails).size, messages, 'one mail a message');
  report(
    `${workers} workers, ${kills} kill -9, ${queued.toLocaleString('en')} queued mails`,
    `0 unsent; ${repeated} sent twice (at most 1 a kill), each under the same Message-ID`,
  );
});

test('if the same message waits many times, three replicas that are killed again and again combine its notices and lose none', async (t) => {
  const equal = scaled(20, 6);
  const { mails, repeated } = await sendUnderKills(t, { limits: '100', equal });
  report(
    `${workers} workers, ${kills} kill -9, ${queued.toLocaleString('en')} notices of ${queued / equal} messages in digests`,
    `0 unsent in ${new Set(mails).size} mails; ${repeated} sent twice (at most 1 a kill), each under the same Message-ID`,
  );
});

/** Queues notices, `equal` of each message, and lets workers send them that are killed at random moments; asserts that each arrived. */
async function sendUnderKills(t: TestContext, { limits, equal }: { limits: string; equal: number }) {
  const { url } = await openSharedDatabase(t);
  const inbox = await openInbox(t);
  const messages = queued / equal;
  await queueNotices(url, equal);

  const start = (worker: number) =>
    startReplica(t, url, { SMTP_URL: inbox.url, MAIL_FROM: `worker-${worker}@example.org`, LIMITS: limits });
  const running: Promise<Replica>[] = [];
  for (let worker = 0; worker < workers; worker += 1) running.push(start(worker));
  for (let killed = 1; killed <= kills; killed += 1) {
    // The mails that are left are divided among the kills that are left.
    const perKill = (messages - inbox.received.length) / (kills - killed + 2);
    const enough = inbox.received.length + Math.random() * perKill;
    await eventually(() => inbox.received.length > enough);
    const victim = Math.floor(Math.random() * workers);
    const replica = await running[victim]!;
    replica.kill('SIGKILL');
    await replica.exited();
    if (isFull || killed < kills) running[victim] = start(workers + killed);
    else running.splice(victim, 1);
  }
  if (!isFull) {
    await endLeases(url, running);
    await start(0);
  }
  const unsent = async () => Number((await runSql(url, 'select count(*) from outbox where sent_at is null'))[0]!.count);
  await eventually(async () => (await unsent()) === 0);

  const ids = new Map<string, string>(); // of each contact request, its Message-ID
  for (const { email } of inbox.received)
    for (const [, id] of email.text!.matchAll(/request:? (contact_\d+)/gi)) {
      assert.equal(ids.get(id!) ?? email.messageId, email.messageId, 'sent again under another Message-ID');
      ids.set(id!, email.messageId!);
    }
  assert.equal(ids.size, queued, 'each arrived');
  const mails = inbox.received.map(({ email }) => email.messageId!);
  const repeated = mails.length - new Set(mails).size;
  assert.ok(repeated <= kills, `${repeated} sent twice by ${kills} kills`);
  return { mails, repeated, messages };
}

async function queueNotices(url: string, equal: number): Promise<void> {
  const store = await openStore(openPostgres(url));
  for (let n = 0; n < queued; n += atOnce) {
    const writes = Array.from({ length: Math.min(atOnce, queued - n) }, (_, index) => {
      const message = `message ${Math.floor((n + index) / equal)}`;
      const request = { ...contact, id: `contact_${n + index}`, message, receivedAt: new Date() };
      return store.contacts.add(request, toContactNotice(request, hash), null);
    });
    await Promise.all(writes);
  }
  await store.close();
}

/** Ends the leases of killed workers, which last 15 s, once those that live have finished what they send. */
async function endLeases(url: string, running: readonly Promise<Replica>[]): Promise<void> {
  for (const replica of await Promise.all(running)) {
    replica.kill('SIGTERM');
    await replica.exited();
  }
  await runSql(url, 'update outbox set due_at = created_at where due_at is not null');
}
