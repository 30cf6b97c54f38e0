import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import { rowsOf } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { textOf } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { type StoredRead, storeReads } from '../support/reads.ts';

const visitor = 'visitor@example.org';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Opens a service at whose desk the owner sits; `visitor@example.org` has a token. */
async function openDesk(t: TestContext, env: Record<string, string> = {}) {
  const service = await openTestService(env);
  t.after(service.close);
  const desk = await signIn(service);
  const database = `${service.folder}/candidate-profile.db`;
  const textAt = async (path: string) => textOf(await (await desk.get(path)).text());
  const pageOf = async (address: string) => {
    const page = await (await desk.get(`/desk/readers?q=${encodeURIComponent(address)}`)).text();
    const [, path] = /href="(\/desk\/readers\/[^"?]+)"/.exec(page) ?? assert.fail(`not listed: ${textOf(page)}`);
    return path!;
  };
  const read = (...reads: Partial<StoredRead>[]) =>
    storeReads(
      database,
      reads.map((one) => ({ subject: visitor, operation: 'get_candidate', at: minutesAgo(5), ...one })),
    );
  const tokenFor = async (email: string): Promise<string> => {
    const issued = await service.ask('/auth/token', postJson({ email }));
    return ((await issued.json()) as { access_token: string }).access_token;
  };
  return { service, desk, database, textAt, pageOf, read, tokenFor };
}

const jtiOf = (token: string): string => decodeJwt(token).jti!;

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('the readers are listed with what they used, what they read and when', async (t) => {
  const { read, textAt } = await openDesk(t);
  read(
    { operation: 'list_experience', at: minutesAgo(8), client: 'curl 8.9' },
    { operation: 'list_experience', at: minutesAgo(7), client: 'curl 8.9' },
    { operation: 'get_resume', item: 'pdf', at: minutesAgo(6), client: 'Claude Desktop' },
  );
  assert.match(
    await textAt('/desk/readers'),
    /visitor@example\.org Claude Desktop, curl 8\.9 read experience twice, asked for the PDF (just now|6 min ago) Revoke/,
  );
});

test('nobody has asked yet, nobody is found, and too many are listed in part', async (t) => {
  const { desk, database, textAt, read } = await openDesk(t);
  assert.match(await textAt('/desk/readers?q=nobody@'), /Nobody found in the last 7 days\. Search all readers/);
  assert.match(await textAt('/desk/readers?q=nobody@&period=all'), /Nobody found\. Show all readers/);
  rowsOf(database, "update issued_tokens set issued_at = '2026-01-01T00:00:00.000Z'");
  assert.match(await textAt('/desk/readers'), /Nobody came in the last 7 days\. Show all readers/);
  assert.match(await textAt('/desk/readers?period=tomorrow'), /Nobody came in the last 7 days\./);
  assert.match(
    await textAt('/desk/readers?period=all'),
    /Asked, and read nothing .* visitor@example\.org asked for access 1 Jan/,
  );
  read(...Array.from({ length: 205 }, (_, index) => ({ subject: `reader${index}@example.org`, jti: `j${index}` })));
  const page = await (await desk.get('/desk/readers')).text();
  assert.equal(page.match(/<tr>/g)?.length, 201);
  assert.match(textOf(page), /205 people came, 205 visits in the last 7 days .* These are the 200 seen last of 205\./);
  rowsOf(
    database,
    `insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
     select i, i, i, '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z' from n`,
  );
  assert.match(await textAt('/desk/readers?period=all'), /These are the 200 seen last of more than 10,000\./);
  assert.match(await textAt('/desk?period=all'), /asked, and read nothing 10,000\+/);
  for (const table of ['issued_tokens', 'reads']) rowsOf(database, `delete from ${table}`);
  assert.match(await textAt('/desk/readers'), /Nobody has asked for access yet\./);
  assert.match(await textAt('/desk/readers?period=all'), /Nobody has asked for access yet\./);
});

test('the page of a reader tells what happened, the latest first, visit by visit', async (t) => {
  const { service, read, textAt, pageOf } = await openDesk(t);
  read(
    { operation: 'get_candidate', at: minutesAgo(200), client: 'curl 8.9' },
    { operation: 'list_experience', at: minutesAgo(130), client: 'claude-ai 0.1.0' },
    { operation: 'list_experience', at: minutesAgo(125), client: 'claude-ai 0.1.0' },
    { operation: 'get_resume', item: 'pdf', at: minutesAgo(124), client: 'claude-ai 0.1.0' },
  );
  await service.post('/contact', { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' });
  const text = await textAt(await pageOf(visitor));
  const story = text.slice(text.indexOf('What happened'), text.indexOf('Erase everything'));
  assert.match(
    story,
    /Wrote\. Read the message just now .*Read experience twice and asked for the PDF with Claude\. 2 h ago Read summary with curl 8\.9\. 3 h ago/,
  );
  assert.match(story, /Asked for access and got a token\./);
});

test('a reader who is revoked at the desk is refused by REST and MCP at once', async (t) => {
  const { service, desk, pageOf, textAt, tokenFor } = await openDesk(t);
  const other = await tokenFor('other@example.org');
  const second = await tokenFor('VISITOR@example.org');
  const path = await pageOf(visitor);
  assert.match(await textAt(path), /Revoke all 2 Ends the 2 valid tokens of visitor@example\.org\./i);
  for (const token of [service.token, second])
    assert.equal((await service.ask('/candidate', bearer(token))).status, 200);
  const revoked = await desk.post(`${path}/revoke`, {}, path);
  assert.deepEqual([revoked.status, revoked.headers.get('location')], [303, `${path}?ended=2`]);
  assert.match(await textAt(`${path}?ended=2`), /Ended 2 tokens\. Requests with them are refused from now on\./);
  for (const token of [service.token, second])
    for (const url of ['/candidate', '/mcp']) assert.equal((await service.ask(url, bearer(token))).status, 401, url);
  assert.equal((await service.ask('/candidate', bearer(other))).status, 200);
  assert.match(await textAt('/desk/readers?q=visitor'), /access has ended/);
});

test('of a reader with very many tokens the latest are listed, and all are revoked at once', async (t) => {
  const { desk, database, textAt, pageOf } = await openDesk(t);
  const numbers = Array.from({ length: 1_200 }, (_, index) => `(${index})`);
  rowsOf(
    database,
    `insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
    select 'jti-' || column1, subject, canonical_subject, issued_at, expires_at
    from issued_tokens cross join (values ${numbers}) as numbers`,
  );
  const path = await pageOf(visitor);
  const page = await (await desk.get(path)).text();
  assert.equal(page.match(/<code>/g)?.length, 100);
  assert.equal(page.match(/Asked for access/g)?.length, 100);
  assert.match(
    textOf(page),
    /These are the 100 issued last\. .* Revoke all Ends all valid tokens of visitor@example\.org\./,
  );
  const response = await desk.post(`${path}/revoke`, {}, path);
  assert.equal(response.headers.get('location'), `${path}?ended=1201`);
  assert.doesNotMatch(await textAt(path), /Revoke all/);
});

test('one token of several is revoked, and only if it is of the reader', async (t) => {
  const { service, desk, pageOf, tokenFor } = await openDesk(t);
  const second = await tokenFor(visitor);
  const other = await tokenFor('other@example.org');
  const path = await pageOf(visitor);
  const foreign = await desk.post(`${path}/revoke`, { jti: jtiOf(other) }, path);
  assert.equal(foreign.status, 400);
  const jti = jtiOf(second);
  const revoked = await desk.post(`${path}/revoke`, { jti }, path);
  assert.equal(revoked.headers.get('location'), `${path}?ended=1`);
  assert.equal((await service.ask('/candidate', bearer(second))).status, 401);
  assert.equal((await service.ask('/candidate', bearer(service.token))).status, 200);
});

test('a note is kept, and one that is too long is shown again with what to do', async (t) => {
  const { desk, pageOf, textAt } = await openDesk(t);
  const path = await pageOf(visitor);
  const saved = await desk.post(
    `${path}/note`,
    { note: ' Met at the meetup,\r\n</textarea><script>alert(1)</script> ' },
    path,
  );
  assert.equal(saved.headers.get('location'), `${path}?done=noted#note`);
  const page = await (await desk.get(path)).text();
  assert.match(page, />\nMet at the meetup,\n&lt;\/textarea&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/textarea>/);
  assert.match(await textAt('/desk/readers'), /Met at the meetup/);

  const long = await desk.post(`${path}/note`, { note: '🙂'.repeat(2_001) }, path);
  assert.equal(long.status, 400);
  const refused = await long.text();
  assert.match(refused, /The note has 2001 characters, and can have 2000\. Shorten it, and save it again\./);
  assert.ok(refused.includes('🙂'.repeat(2_001)));
  const full = await desk.post(`${path}/note`, { note: '🙂'.repeat(2_000) }, path);
  assert.equal(full.status, 303);
  await desk.post(`${path}/note`, { note: ' ' }, path);
  assert.doesNotMatch(await textAt('/desk/readers'), /🙂/);
});

test('a record that its visitor erased is told with the date', async (t) => {
  const { service, read, pageOf, textAt } = await openDesk(t);
  read({ jti: jtiOf(service.token) });
  assert.equal((await service.ask('/me', { method: 'DELETE', ...bearer(service.token) })).status, 204);
  assert.match(await textAt('/desk/readers'), /visitor@example\.org asked for access, record erased by the visitor/);
  const text = await textAt(await pageOf(visitor));
  assert.match(text, /Record erased by the visitor on \w+day, \d+ \w+ \d{4} at \d\d:\d\d\./);
  assert.match(text, /Erased the record of what was read\. just now/);
  assert.match(
    await textAt('/desk'),
    /visitor@example\.org asked for access and erased the record of what they read\./,
  );
});

test('if reads are not recorded, the pages say so and show only tokens and messages', async (t) => {
  const { pageOf, textAt } = await openDesk(t, { READER_RECORD: 'off' });
  assert.match(
    await textAt('/desk/readers'),
    /What visitors read is not recorded\. .* Details The setting READER_RECORD is off\./,
  );
  assert.match(
    await textAt('/desk/readers'),
    /Asked for access Reader What they did Last Revoke visitor@example\.org asked for access just now Revoke/,
  );
  assert.match(await textAt(await pageOf(visitor)), /Visits not recorded /);
  assert.match(await textAt('/desk'), /visitor@example\.org asked for access\./);
});

test('all that is kept of a visitor is erased from the page of the reader', async (t) => {
  const { service, desk, database, read, pageOf, textAt } = await openDesk(t);
  read({});
  const path = await pageOf(visitor);
  await desk.post(`${path}/note`, { note: 'Met at the meetup' }, path);
  assert.match(
    await textAt(path),
    /Erases all that is kept of visitor@example\.org: 0 messages, 1 token, your note and what was read\./,
  );
  const erased = await desk.post(`${path}/erase`, {}, path);
  assert.equal(erased.headers.get('location'), '/desk/readers?done=erased');
  for (const table of ['issued_tokens', 'reads', 'reader_notes'])
    assert.deepEqual(rowsOf(database, `select * from ${table}`), [], table);
  assert.equal((await service.ask('/candidate', bearer(service.token))).status, 401);
  assert.equal((await desk.get(path)).status, 404);
});

test('addresses that would break a page are shown as text, and stand in no URL', async (t) => {
  const { desk, read, pageOf } = await openDesk(t);
  const long = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.org`;
  const hostile = ['"><script>alert(1)</script>@example.org', 'a\u202eb@example.org', long];
  read(...hostile.map((subject) => ({ subject, client: '<b>\u202eagent</b>' })));
  for (const path of ['/desk', '/desk/readers', await pageOf(hostile[0]!), await pageOf(long)]) {
    const page = await (await desk.get(path)).text();
    assert.doesNotMatch(page, /<script>alert|<b>|\u202e| style=|javascript:/, path);
    const urls = [...page.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, url]) => url!);
    const withAddress = urls.filter((url) => /@|%40|example\.org/.test(url) && !/^\/desk\/inbox\?|^mailto:/.test(url));
    assert.deepEqual(withAddress, [], path);
  }
});

test('readers of a period are exported with what they did, as CSV and JSON, and the audit log counts them', async (t) => {
  const { service, desk, database, read, textAt } = await openDesk(t);
  const onPage = { subject: 'Ada@example.org', jti: 'a1', operation: 'page', surface: 'web', client: 'claude-ai 0.1' };
  const asksPdf = { subject: 'ada@example.org', jti: 'a2', operation: 'get_resume', item: 'pdf', client: 'curl/8.9' };
  read(
    { ...onPage, at: minutesAgo(90) },
    { ...onPage, at: minutesAgo(20) },
    { ...asksPdf, at: minutesAgo(10) },
    { subject: 'bob@example.org', jti: 'b1', operation: 'page', at: minutesAgo(60 * 24 * 20) },
  );
  rowsOf(database, "insert into reader_notes values ('ada@example.org', '=1+1', '2026-01-01T00:00:00.000Z', null)");
  assert.match(await textAt('/desk/readers'), /Export these: CSV JSON/);
  const rows = (await (await desk.get('/desk/readers/export.json')).json()) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ first_seen_at: _, last_seen_at: __, ...rest }) => rest),
    [
      {
        ...{ address: 'visitor@example.org', is_verified: false, visits: 0, page_openings: 0, pdfs: 0, messages: 0 },
        ...{ clients: '', note: '' },
      },
      {
        ...{ address: 'Ada@example.org', is_verified: false, visits: 3, page_openings: 2, pdfs: 1, messages: 0 },
        ...{ clients: 'curl/8.9; Claude', note: '=1+1' },
      },
    ],
  );
  const csv = await (await desk.get('/desk/readers/export.csv?period=30&q=ADA')).text();
  assert.match(
    csv,
    /^\W?address,is_verified,first_seen_at,last_seen_at,visits,page_openings,pdfs,messages,clients,note\r\nAda@example\.org,false,20[^,]+Z,20[^,]+Z,3,2,1,0,curl\/8\.9; Claude,'=1\+1\r\n$/,
  );
  assert.match(await (await desk.get('/desk/readers/export.csv?period=30')).text(), /bob@example\.org/);
  assert.equal((await desk.get('/desk/readers/export.csv', { cookie: '' })).status, 403);
  const [auditFile] = globSync(`${service.folder}/audit/*.jsonl`);
  assert.deepEqual(readFileSync(auditFile!, 'utf8').match(/"readers_exported".*/g), [
    '"readers_exported","detail":"2"}',
    '"readers_exported","detail":"1"}',
    '"readers_exported","detail":"3"}',
  ]);
});
