import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('three replicas that are killed again and again send each message, and at most one a kill twice', async (t) => {
  const { url } = await openSharedDatabase(t);
  const inbox = await openInbox(t);
  await queueNotices(url);

  const start = (worker: number) =>
    startReplica(t, url, { SMTP_URL: inbox.url, MAIL_FROM: `worker-${worker}@example.org`, LIMITS: 'off' });
  const running: Promise<Replica>[] = [];
  for (let worker = 0; worker < workers; worker += 1) running.push(start(worker));
  for (let killed = 1; killed <= kills; killed += 1) {
    // The mails that are left are divided among the kills that are left.
    const perKill = (queued - inbox.received.length) / (kills - killed + 2);
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
    await endLease(url, running);
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
  assert.equal(new Set(mails).size, queued, 'one mail a message');
  const repeated = mails.length - queued;
  assert.ok(repeated <= kills, `${repeated} sent twice by ${kills} kills`);
  report(
    `${workers} replicas, ${kills} kill -9, ${queued.toLocaleString('en')} queued mails`,
    `0 unsent; ${repeated} sent twice (at most 1 a kill), each under the same Message-ID`,
  );
});

async function queueNotices(url: string): Promise<void> {
  const store = await openStore(openPostgres(url));
  for (let n = 0; n < queued; n += 1) {
    const request = { ...contact, id: `contact_${n}`, message: `message ${n}`, receivedAt: new Date() };
    await store.contacts.add(request, toContactNotice(request), null);
  }
  await store.close();
}

/** Ends the lease of a killed replica, which lasts 15 s, once those that live have finished what they send. */
async function endLease(url: string, running: readonly Promise<Replica>[]): Promise<void> {
  for (const replica of await Promise.all(running)) {
    replica.kill('SIGTERM');
    await replica.exited();
  }
  await runSql(url, 'delete from leases');
}
