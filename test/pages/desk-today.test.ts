import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, testOnSqlite } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { textOf } from '../support/pages.ts';
import { storeReads } from '../support/reads.ts';

async function openDesk(t: { after(close: () => Promise<void>): void }, env: Record<string, string> = {}) {
  const service = await openTestService({ OWNER_EMAIL: 'lena@vasquez.dev', ...env });
  t.after(service.close);
  const desk = await signIn(service);
  const database = `${service.folder}/candidate-profile.db`;
  const today = async () => textOf(await (await desk.get('/desk')).text());
  return { service, desk, database, today };
}

const lastVisit = (database: string, at: Date) =>
  rowsOf(
    database,
    `insert into owner_events values ('desk_visit', '${at.toISOString()}')
     on conflict (kind) do update set at = excluded.at`,
  );
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('the first visit tells all that happened so far, and a reload tells it again', async (t) => {
  const { today } = await openDesk(t);
  const first = await today();
  assert.match(
    first,
    /^Your first visit This is all that happened so far\. visitor@example\.org asked for access and has read nothing yet\. /,
  );
  assert.equal(await today(), first);
});

testOnSqlite('a service that was never backed up says so from the first visit on', async (t) => {
  const { today } = await openDesk(t);
  assert.match(await today(), /has read nothing yet\. There is no backup yet\./);
});

test('the first visit before anybody has come tells where the page is', async (t) => {
  const { service, database, today } = await openDesk(t);
  rowsOf(database, 'delete from issued_tokens');
  assert.match(
    await today(),
    new RegExp(`Nobody has asked for access yet\\. Send people the address of your page: ${service.baseUrl} `),
  );
  assert.doesNotMatch(await today(), /Readers/);
});

test('a later visit tells what happened since the one before, and that nothing did', async (t) => {
  const { service, database, today } = await openDesk(t);
  lastVisit(database, hoursAgo(50));
  await service.post('/contact', {
    name: 'Grace Hopper',
    email: 'grace@example.org',
    company: 'Eckert-Mauchly',
    message: 'We are hiring.',
  });
  storeReads(database, [{ subject: 'visitor@example.org', operation: 'list_experience', at: hoursAgo(1) }]);
  const text = await today();
  assert.match(
    text,
    /^Since \w+day You were last here on \d+ \w+ at \d\d:\d\d Grace Hopper, Eckert-Mauchly, wrote: “We are hiring\.” ReadReply visitor@example\.org asked for access and read experience\. /,
  );
  assert.equal(await today(), text);
  rowsOf(database, `update owner_events set at = '${new Date(Date.now() + 1_000).toISOString()}'`);
  assert.match(await today(), /^Since \d\d:\d\d You were last here .* Nothing has happened since then\./);
});

test('the chart, its table and the figures tell the reads that are stored', async (t) => {
  const { desk, database } = await openDesk(t);
  const noonAgo = (days: number) => {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, 0, 1);
  };
  const read = (subject: string, days: number, item?: string) => ({
    subject,
    operation: item === undefined ? 'get_candidate' : 'get_resume',
    at: noonAgo(days),
    ...(item !== undefined && { item }),
  });
  storeReads(database, [
    read('ada@example.org', 14),
    read('ada@example.org', 13),
    read('ada@example.org', 7),
    read('ada@example.org', 6),
    read('ada@example.org', 6),
    read('bob@example.org', 6),
    read('bob@example.org', 0, 'pdf'),
  ]);
  const page = await (await desk.get('/desk')).text();
  const rows = [...page.matchAll(/<td class="number">(\d+)<\/td><td class="number">(\d+)<\/td>/g)];
  assert.deepEqual(
    rows.map(([, reads, readers]) => `${reads} ${readers}`),
    ['1 1', '0 0', '0 0', '0 0', '0 0', '0 0', '1 1', '3 2', '0 0', '0 0', '0 0', '0 0', '0 0', '1 1'],
  );
  assert.match(textOf(page), /readers in 7 days 2 parts of the profile read 4 asked for the PDF 1/);
  assert.match(page, /aria-label="6 reads in 14 days, at most 3 a day"/);
});

test('what needs doing is told: mail that was given up, an address that receives none', async (t) => {
  const { database, today } = await openDesk(t, { OWNER_EMAIL: 'lena@example.com' });
  assert.match(
    await today(),
    /Notices reach nobody: example\.com is an example domain that receives no mail\. What to do Set OWNER_EMAIL, or owner_email in the profile\./,
  );
  rowsOf(database, "update outbox set sent_at = null, due_at = null, last_error = 'EENVELOPE 550 5.1.1'");
  assert.match(await today(), /One e-mail to you could not be sent\. See why Try again/);
});
