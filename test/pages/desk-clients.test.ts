import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import { rowsOf } from '../support/database.ts';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { connectClient } from '../support/oauth-flow.ts';
import { textOf } from '../support/pages.ts';
import { eventually } from '../support/process.ts';

const ada = 'ada@example.org';

/** Opens a service at whose desk the owner sits. */
async function openDesk(t: TestContext) {
  const service = await openTestService();
  t.after(service.close);
  const desk = await signIn(service);
  const { baseUrl } = service;
  const pageAt = async (path: string) => (await desk.get(path)).text();
  return {
    service,
    desk,
    database: `${service.folder}/candidate-profile.db`,
    pageAt,
    textAt: async (path: string) => textOf(await pageAt(path)),
    async pathOf(address: string) {
      const page = await pageAt(`/desk/readers?q=${encodeURIComponent(address)}`);
      return /href="(\/desk\/readers\/[^"?]+)"/.exec(page)?.[1] ?? assert.fail(`not listed: ${textOf(page)}`);
    },
    connect: (name: string, email = ada) =>
      connectClient(baseUrl, { name, email, fetch: (url, init) => service.send(new Request(url, init)) }),
    statusOf: async (token: string) =>
      (await service.ask('/candidate', { headers: { authorization: `Bearer ${token}` } })).status,
  };
}

const grantIn = (page: string, name: string): string =>
  new RegExp(`<bdi>${name}</bdi>.*?name="grant" value="([^"]+)"`, 's').exec(page)?.[1] ?? assert.fail(textOf(page));

test('the desk shows which client a reader connected, what it may do, and where it sends them back to', async (t) => {
  const { connect, textAt, pathOf } = await openDesk(t);
  await connect('Claude');
  assert.match(
    await textAt('/desk/readers'),
    /Asked, and read nothing .* ada@example\.org connected Claude just now Revoke/,
  );
  assert.match(await textAt('/desk'), /ada@example\.org connected Claude\./);
  assert.doesNotMatch(await textAt('/desk'), /ada@example\.org asked for access/);
  const text = await textAt(await pathOf(ada));
  assert.match(text, /ada@example\.org not verified First seen/);
  assert.match(
    text,
    /Clients Client May Address Since Until End Claude sends back to a program on this computer \(127\.0\.0\.1:33418\) read the profile not verified just now/,
  );
  assert.match(text, /Claude Details Token id \S+ ends with the client/);
  assert.match(text, /What happened Connected Claude\. just now/);
  assert.match(
    text,
    /0 messages, 1 token, 1 client, your note and what was read\. The tokens, and the access of clients, end\./,
  );
});

test('the owner ends what a reader allowed one client, with its tokens, and nothing else', async (t) => {
  const { connect, desk, pageAt, textAt, pathOf, statusOf } = await openDesk(t);
  const [claude, cursor] = [await connect('Claude'), await connect('Cursor')];
  const path = await pathOf(ada);
  const grant = grantIn(await pageAt(path), 'Claude');
  const ended = await desk.post(`${path}/revoke`, { grant }, path);
  assert.deepEqual([ended.status, ended.headers.get('location')], [303, `${path}?ended=1&clients=1`]);
  assert.match(
    await textAt(`${path}?ended=1&clients=1`),
    /Ended the access of 1 client and 1 token\. Requests with them are refused from now on\./,
  );
  assert.deepEqual([await statusOf(claude.access), await statusOf(cursor.access)], [401, 200]);
  assert.equal((await claude.refresh()).error, 'invalid_grant');
  assert.ok((await cursor.refresh()).access_token);
  assert.match(await textAt('/desk/readers'), /ada@example\.org connected Cursor /);
});

test('a token of a client that is revoked ends what the client was allowed', async (t) => {
  const { connect, desk, pathOf, statusOf } = await openDesk(t);
  const claude = await connect('Claude');
  const { access_token: renewed = '' } = await claude.refresh();
  const path = await pathOf(ada);
  const ended = await desk.post(`${path}/revoke`, { jti: String(decodeJwt(renewed).jti) }, path);
  assert.equal(ended.headers.get('location'), `${path}?ended=2&clients=1`);
  assert.deepEqual([await statusOf(claude.access), await statusOf(renewed)], [401, 401]);
  assert.equal((await claude.refresh()).error, 'invalid_grant');
});

test('ending all access of a reader ends that of clients, also when no token of theirs is valid', async (t) => {
  const { connect, desk, textAt, pathOf, database } = await openDesk(t);
  const claude = await connect('Claude');
  rowsOf(database, 'update issued_tokens set expires_at = issued_at where grant_id is not null');
  const path = await pathOf(ada);
  assert.match(
    await textAt('/desk/readers?q=ada'),
    /Revoke Ends the access of 1 client of ada@example\.org\. A visitor who asks again gets a new one\. Revoke all access/,
  );
  const ended = await desk.post(`${path}/revoke`, {}, path);
  assert.equal(ended.headers.get('location'), `${path}?ended=0&clients=1`);
  assert.match(
    await textAt(`${path}?ended=0&clients=1`),
    /Ended the access of 1 client\. Requests with them are refused from now on\./,
  );
  assert.equal((await claude.refresh()).error, 'invalid_grant');
  assert.match(await textAt('/desk/readers?q=ada'), /access has ended/);
});

test('a client of another reader is not ended', async (t) => {
  const { connect, desk, pageAt, pathOf, statusOf } = await openDesk(t);
  const [claude, other] = [await connect('Claude'), await connect('Other', 'bob@example.org')];
  const grant = grantIn(await pageAt(await pathOf('bob@example.org')), 'Other');
  const path = await pathOf(ada);
  assert.equal((await desk.post(`${path}/revoke`, { grant }, path)).status, 400);
  assert.deepEqual([await statusOf(claude.access), await statusOf(other.access)], [200, 200]);
});

test('an address that a visitor has proven is shown as verified', async (t) => {
  const { connect, textAt, pathOf, database } = await openDesk(t);
  await connect('Claude');
  rowsOf(database, 'update oauth_grants set is_verified = 1');
  assert.match(await textAt('/desk/readers'), /ada@example\.org verified connected Claude/);
  assert.match(await textAt(await pathOf(ada)), /verified: a client was connected with a code that was sent to it/);
});

test('the name of a client is shown as text, and cannot pass for the rest of a page', async (t) => {
  const { connect, pageAt, pathOf } = await openDesk(t);
  await connect(`<b>\u202e${'name '.repeat(30)}</b>`);
  for (const path of ['/desk', '/desk/readers', await pathOf(ada)]) {
    const page = await pageAt(path);
    assert.doesNotMatch(page, /<b>|\u202e/, path);
    assert.match(page, /&lt;b&gt;\\u\{202e\}name name/, path);
  }
});

test('reads with the tokens of a client are recorded under the name that it was allowed by', async (t) => {
  const { service, connect, textAt, pathOf, statusOf } = await openDesk(t);
  const claude = await connect('Claude');
  assert.equal(await statusOf(claude.access), 200);
  const { access_token: renewed = '' } = await claude.refresh();
  assert.equal(await statusOf(renewed), 200);
  const path = await pathOf(ada);
  await eventually(async () => /Read summary twice with Claude\./.test(await textAt(path)));
  const me = await service.ask('/me', { headers: { authorization: `Bearer ${renewed}` } });
  assert.equal(((await me.json()) as { total: number }).total, 2);
});
