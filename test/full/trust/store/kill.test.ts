import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { report, scaled } from '../../../support/figures.ts';
import { fixture, newFolder } from '../../../support/files.ts';
import { openInbox } from '../../../support/inbox.ts';
import { postJson } from '../../../support/post-json.ts';
import { eventually, startProcess } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const kills = scaled(200, 4);
const writers = 8;
const mostBetweenKills = 40; // acknowledgements and mails
const mostWaiting = 100;

test('a process killed again and again under 8 retrying writers loses nothing and stores nothing twice [EVENT-1] [TRUST-31]', async (t) => {
  const mails: { messageId: string; contactId: string; sender: string }[] = [];
  const inbox = await openInbox(t, {
    async onData(stream, { envelope: { mailFrom } }, callback) {
      const bytes = await buffer(stream).catch(() => null); // cut off by a kill
      const { messageId, text } = await PostalMime.parse(bytes ?? '');
      const contactId = /^Request: (\S+)$/m.exec(text ?? '')?.[1];
      const sender = mailFrom === false ? '' : mailFrom.address;
      if (bytes !== null && contactId !== undefined) mails.push({ messageId: messageId!, contactId, sender });
      callback();
    },
  });
  const folder = newFolder(t);
  // Tokens are valid for one BASE_URL, but each start listens on another port.
  const env = { SMTP_URL: inbox.url, BASE_URL: 'http://127.0.0.1:3000', LIMITS: 'off', LOG_LEVEL: 'error' };
  // The sender's address tells which process sent a mail.
  const start = (process: number) =>
    startProcess(t, { ...env, PROFILE: fixture('profile.yaml'), MAIL_FROM: `process-${process}@example.org` }, folder);
  // A promise, so that no request goes to the port of a killed process, which another program may have taken.
  let running = start(0);
  const authorization = `Bearer ${await (await running).token()}`;
  const restart = async (service: Awaited<ReturnType<typeof start>>, killed: number) => {
    service.kill('SIGKILL');
    await service.exited();
    // Ends the lease of the killed process.
    rowsOf('delete from leases');
    return start(killed);
  };
  const rowsOf = (query: string) => {
    using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
    return database.prepare(query).all() as Record<string, string>[];
  };

  const acknowledged = new Map<string, string>();
  const unexpected: string[] = [];
  let retried = 0;
  let waiting = mostWaiting; // the writers pause while more mails wait, so that kills hit writing and sending
  let isOver = false; // each writer finishes its current message
  let isGivenUp = false;
  t.after(() => {
    isGivenUp = true;
  });

  /** Returns the id in the response; null if the process was killed before it could be read. */
  async function send(message: string, key: string): Promise<string | null> {
    const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message };
    const headers = { authorization, 'idempotency-key': key };
    const { url } = await running;
    try {
      const response = await fetch(`${url}/contact`, postJson(contact, headers));
      const body = await response.text();
      if (response.status !== 201) unexpected.push(`${response.status} ${body}`);
      return (JSON.parse(body) as { id: string }).id;
    } catch {
      return null;
    }
  }

  async function write(writer: number): Promise<void> {
    for (let count = 1; !isOver && !isGivenUp; count++) {
      const message = `message ${count} of writer ${writer}`;
      const key = randomUUID();
      let id = await send(message, key);
      if (id === null) retried++;
      for (; id === null; id = await send(message, key)) {
        if (isGivenUp) return;
        await pause(10);
      }
      acknowledged.set(message, id);
      while (acknowledged.size - mails.length > waiting && !isOver && !isGivenUp) await pause(10);
    }
  }

  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  let killed = 0;
  // A kill may hit no message, if the writers wait for mail.
  while (killed < kills || retried === 0) {
    killed++;
    waiting = Math.random() * mostWaiting;
    const done = () => acknowledged.size + mails.length;
    const enough = done() + Math.random() * mostBetweenKills;
    await eventually(() => done() >= enough);
    await pause(Math.random() * 20);
    running = restart(await running, killed);
    await running;
  }
  isOver = true;
  await writing;
  await eventually(() => rowsOf('select id from outbox where sent_at is null').length === 0);

  assert.deepEqual(unexpected, []);
  assert.ok(acknowledged.size > killed, `${acknowledged.size} acknowledged`);

  const rows = rowsOf('select id, message from contacts');
  const kept = new Map(rows.map(({ id, message }) => [id!, message!]));
  const lost = [...acknowledged].filter(([message, id]) => kept.get(id) !== message);
  assert.deepEqual(lost, [], 'acknowledged, and not there');

  const deliveries = [...Map.groupBy(mails, ({ contactId }) => contactId).values()];
  const repeated = deliveries.flatMap((same) => same.slice(0, -1));
  assert.deepEqual(new Set(mails.map(({ contactId }) => contactId)), new Set(kept.keys()), 'mailed and stored');
  assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, kept.size, 'one Message-ID a contact request');
  assert.ok(
    deliveries.every((same) => new Set(same.map(({ messageId }) => messageId)).size === 1),
    'mailed again under another Message-ID',
  );
  assert.equal(
    new Set(repeated.map(({ sender }) => sender)).size,
    repeated.length,
    'one process left two mails to repeat',
  );

  const twice = rows.length - new Set(kept.values()).size;
  report(
    'kill -9 of the whole process, 8 writers, keyed retries',
    `${killed} kills, ${acknowledged.size} acknowledged, ${retried} of them retried: ${lost.length} lost, ${twice} duplicate rows, ${repeated.length} duplicate mails, at most 1 a kill and under the same Message-ID`,
  );
  assert.equal(twice, 0, 'stored twice');
});
