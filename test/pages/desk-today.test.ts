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

test('the first visit tells all that happened so far, a reload and another browser tell it again', async (t) => {
  const { service, desk, today } = await openDesk(t);
  const other = await signIn(service);
  const told = 'This is all that happened so far. visitor@example.org asked for access and has read nothing yet. ';
  await desk.get('/desk', { 'sec-purpose': 'prefetch' });
  const first = await today();
  assert.ok(first.startsWith(`Your first visit ${told}`), first);
  const again = await today();
  assert.ok(again.startsWith(`So far ${told}`), again);
  assert.equal(textOf(await (await other.get('/desk')).text()), again);
});

testOnSqlite('a service that was never backed up says so from the first visit on', async (t) => {
  const { today } = await openDesk(t);
  assert.match(await today(), /has read nothing yet\. There is no backup yet\./);
});

for (const [baseUrl, says] of [
  ['https://profile.example', 'Send people the address of your page: https://profile.example '],
  [
    'http://127.0.0.1:3000',
    'Only this computer can open http://127.0.0.1:3000. How to put your page on the internet The file README',
  ],
] as const)
  test(`the first visit before anybody has come to ${baseUrl} tells who can`, async (t) => {
    const { database, today } = await openDesk(t, { BASE_URL: baseUrl });
    rowsOf(database, 'delete from issued_tokens');
    assert.ok((await today()).includes(`Nobody has asked for access yet. ${says}`), await today());
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

test('each link of Today and Readers keeps the period, and those to the periods keep the search', async (t) => {
  const { desk, database } = await openDesk(t);
  storeReads(database, [{ subject: 'ada@example.org', operation: 'page', at: hoursAgo(24 * 20) }]);
  const [, reader] = /href="(\/desk\/readers\/[\w-]{22})\?/.exec(
    await (await desk.get('/desk/readers?q=ada&period=30')).text(),
  )!;
  const linksAfter = async (path: string, mark: string) => {
    const page = await (await desk.get(path)).text();
    const links = page.slice(page.indexOf(mark)).matchAll(/href="(\/desk[^"]*)"( aria-current="true")?/g);
    return [...links].map(([, link, isCurrent]) => link!.replaceAll('&amp;', '&') + (isCurrent ?? ''));
  };
  assert.deepEqual(await linksAfter('/desk?period=30', '<h2>Readers'), [
    ...['/desk', '/desk?period=30 aria-current="true"', '/desk?period=90', '/desk?period=all'],
    ...[`${reader}?period=30`, '/desk/readers?period=30'],
  ]);
  assert.deepEqual(await linksAfter('/desk/readers?period=30&q=ada', '<main'), [
    ...['/desk/readers?q=ada', '/desk/readers?period=30&q=ada aria-current="true"'],
    ...['/desk/readers?period=90&q=ada', '/desk/readers?period=all&q=ada'],
    `${reader}?period=30`,
    ...['/desk/readers/export.csv?period=30&q=ada', '/desk/readers/export.json?period=30&q=ada'],
  ]);
  assert.match(
    await (await desk.get('/desk/readers?period=30')).text(),
    /<input type="hidden" name="period" value="30">/,
  );
  assert.deepEqual((await linksAfter('/desk/readers?q=ada', '<main')).slice(4), ['/desk/readers?period=all&q=ada']);
  assert.deepEqual((await linksAfter(`${reader}?period=30`, '<main')).slice(0, 1), ['/desk/readers?period=30']);
});

test('the difference to the period before is shown only if all of that period is kept', async (t) => {
  const { today, desk, database } = await openDesk(t, { KEEP_READS: '20d', KEEP_CONTACTS: '30d' });
  storeReads(database, [{ subject: 'ada@example.org', operation: 'page', at: hoursAgo(1) }]);
  assert.match(await today(), /1 \+1, 1 more than in the period before/);
  const month = textOf(await (await desk.get('/desk?period=30')).text());
  assert.doesNotMatch(month, /period before/);
  assert.match(textOf(await (await desk.get('/desk/readers?period=30')).text()), /Not all of this period is kept/);
});

test('after signing in again, the owner sees what happened since the desk was last looked at', async (t) => {
  const { service, today } = await openDesk(t);
  assert.match(await today(), /^Your first visit /);
  const again = await signIn(service);
  assert.match(
    textOf(await (await again.get('/desk')).text()),
    /^Since \d\d:\d\d You were last here .* Nothing has happened since then\./,
  );
});

test('what needs doing is listed: mail that was given up, an address that receives none', async (t) => {
  const { database, today } = await openDesk(t, { OWNER_EMAIL: 'lena@example.com' });
  assert.match(
    await today(),
    /Notices reach nobody: example\.com is an example domain that receives no mail\. What to do Set OWNER_EMAIL, or owner_email in the profile\./,
  );
  rowsOf(database, "update outbox set sent_at = null, due_at = null, last_error = 'EENVELOPE 550 5.1.1'");
  assert.match(await today(), /One e-mail to you could not be sent\. See why Try again/);
});
