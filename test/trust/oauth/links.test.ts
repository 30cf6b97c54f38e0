import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { decodeJwt } from 'jose';
import { endLink, listLinks, makeLink } from '../../../src/operations/owner/links.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import type { DeskServices } from '../../../src/operations/owner/services.ts';
import { countVisits } from '../../../src/operations/owner/visits.ts';
import { browserOf, type ClientMemory, redirectUri } from '../../support/oauth.ts';
import { authorizationUrl, exchange, refresh } from '../../support/oauth-flow.ts';
import { openOauthService } from '../../support/oauth-service.ts';
import { eventually } from '../../support/process.ts';

async function open(t: TestContext, env: Record<string, string> = {}) {
  const service = await openOauthService(t, env);
  const run = invokerFor(service.opened().owner);
  async function make(changes: { until?: Date; may_write?: boolean } = {}) {
    const link = { name: 'Acme, staff engineer', view: 'all', may_write: true, ...changes };
    const { link: made, address } = await run(makeLink, link);
    return { id: made.id, address };
  }
  /** Opens a link in a browser of its own. */
  async function openLink(address: string, { fetch } = service as Pick<typeof service, 'fetch'>) {
    const browser = browserOf(fetch, service.baseUrl);
    const opened = await browser.send(await browser.open(address), { open: 'on' });
    assert.equal(opened.url.pathname, '/');
    return browser;
  }
  /** Lets the visitor of a link allow a client what it asks for. */
  async function allowBy(browser: ReturnType<typeof browserOf>, url: URL): Promise<URL> {
    const consent = await browser.open(url);
    assert.doesNotMatch(consent.text, /name="email"|Acme/);
    return (await browser.send(consent, { step: 'allow' })).url;
  }
  const registerClient = async () => String((await service.register()).body.client_id);
  /** Returns the tokens that a client gets for the visitor of a browser. */
  async function connectFrom(browser: ReturnType<typeof browserOf>, clientId: string) {
    const back = await allowBy(browser, authorizationUrl(service, clientId, { scope: 'profile:read contact:write' }));
    assert.ok(back.href.startsWith(redirectUri), back.href);
    const { status, body: tokens } = await exchange(service, { clientId, code: back.searchParams.get('code')! });
    assert.equal(status, 200);
    return { clientId, access: tokens.access_token!, refresh: tokens.refresh_token! };
  }
  /** Returns the tokens that a new client gets for a new visitor of a link. */
  const connectBy = async (address: string) => connectFrom(await openLink(address), await registerClient());
  return { ...service, run, make, openLink, allowBy, registerClient, connectFrom, connectBy };
}

for (const env of [{}, { VERIFY_EMAIL: 'on', SMTP_URL: 'smtp://127.0.0.1:1' }] as Record<string, string>[])
  test(`a client connects from a link without an address${env.VERIFY_EMAIL ? ', although addresses are verified' : ''}`, async (t) => {
    const { make, openLink, allowBy, connect, rows } = await open(t, env);
    const { id, address } = await make();
    const browser = await openLink(address);
    const memory: ClientMemory = {};
    const client = await connect(memory, { answer: (url) => allowBy(browser, url) });
    const { structuredContent } = await client.callTool({ name: 'get_candidate' });
    assert.match(JSON.stringify(structuredContent), /Tess Example/);
    await client.close();
    assert.deepEqual(rows('select subject, canonical_subject, is_verified from oauth_grants'), [
      { subject: `link:${id}`, canonical_subject: `link:${id}`, is_verified: 0 },
    ]);
    const [mail] = rows('select subject, text from outbox where about = (select id from oauth_grants)');
    assert.match(String(mail?.subject), /^Somebody through Acme, staff engineer connected .+ to your profile$/);
    assert.match(String(mail?.text), /The visitor gave no address\. Ending the link ends the connection\./);
  });

test('ending a link ends what clients were allowed through it, on every replica', async (t) => {
  const service = await open(t);
  const { make, run, connectBy, get, beside } = service;
  const replica = await beside();
  const [acme, globex] = [await make(), await make()];
  const [ended, other] = [await connectBy(acme.address), await connectBy(globex.address)];
  await eventually(async () => (await replica.get('/candidate', ended.access)) === 200);
  await run(endLink, { id: acme.id });
  assert.equal(await get('/candidate', ended.access), 401);
  await eventually(async () => (await replica.get('/candidate', ended.access)) === 401);
  for (const one of [service, replica]) {
    const { status, body } = await refresh(one, ended.clientId, ended.refresh);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
    assert.equal(await one.get('/candidate', other.access), 200);
  }
  assert.equal((await refresh(service, other.clientId, other.refresh)).status, 200);
});

test('the token of a client lasts no longer than its link, whose end refuses the next one', async (t) => {
  const { make, connectBy, get, rows, ...service } = await open(t);
  const until = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 600_500);
  const { id, address } = await make({ until });
  const { access, clientId, refresh: token } = await connectBy(address);
  const { exp } = decodeJwt(access);
  assert.equal(exp, Math.floor(until.getTime() / 1_000));
  const next = await refresh({ ...service, get } as never, clientId, token);
  assert.equal(next.status, 200);
  assert.ok(Number(next.body.expires_in) <= 600);
  assert.equal(decodeJwt(next.body.access_token!).exp, exp);
  rows(`update links set until = '2026-01-01T00:00:00.000Z' where id = '${id}'`);
  const last = await refresh({ ...service, get } as never, clientId, next.body.refresh_token!);
  assert.deepEqual([last.status, last.body.error], [400, 'invalid_grant']);
});

test('a client of several people of one link replaces what the same person allowed, and nobody else', async (t) => {
  const { make, openLink, registerClient, connectFrom, get } = await open(t);
  const { address } = await make();
  const [clientId, ada, grace] = [await registerClient(), await openLink(address), await openLink(address)];
  const [first, others] = [await connectFrom(ada, clientId), await connectFrom(grace, clientId)];
  assert.deepEqual([await get('/candidate', first.access), await get('/candidate', others.access)], [200, 200]);
  const again = await connectFrom(ada, clientId);
  await eventually(async () => (await get('/candidate', first.access)) === 401);
  assert.deepEqual([await get('/candidate', again.access), await get('/candidate', others.access)], [200, 200]);
});

test('somebody who opens a link and connects clients from there counts as one person, also by the clients', async (t) => {
  const { make, openLink, registerClient, connectFrom, callTool, rows, opened, from } = await open(t);
  const { services, owner } = opened();
  const run = invokerFor({ ...owner, reads: services.reads, keepContactsSeconds: 1e9 } as unknown as DeskServices);
  const counted = async () => {
    const { people, withPdf, bars } = await run(countVisits, { days: 7, zone: 'UTC' });
    const [link] = await run(listLinks, {});
    return [people, withPdf, bars.at(-1)?.people, link?.people];
  };
  const { address } = await make();
  const browser = await openLink(address);
  for (const clientId of [await registerClient(), await registerClient()]) {
    const { access } = await connectFrom(browser, clientId);
    assert.equal((await callTool(access, 'get_resume', { format: 'pdf' })).status, 200);
  }
  await eventually(() => rows('select * from reads').length === 3);
  assert.deepEqual(await counted(), [1, 1, 1, 1]);
  rows("delete from reads where operation = 'page'");
  assert.deepEqual(await counted(), [1, 1, 1, 1]);
  await openLink(address, from('192.0.2.2'));
  await eventually(() => rows('select * from reads').length === 3);
  assert.deepEqual(await counted(), [2, 1, 2, 2]);
});

test('a request that was under way when its link ended allows nothing', async (t) => {
  const { make, run, openLink, registerClient, rows, ...service } = await open(t);
  const { id, address } = await make();
  const browser = await openLink(address);
  const consent = await browser.open(authorizationUrl(service as never, await registerClient()));
  await run(endLink, { id });
  assert.match((await browser.send(consent, { step: 'allow' })).text, /name="email"/);
  assert.deepEqual(rows('select id from oauth_grants'), []);
});

test('from a link that may not write, a client asks for an address, as for a stranger', async (t) => {
  const { make, openLink, registerClient, ...service } = await open(t);
  const { address } = await make({ may_write: false });
  const browser = await openLink(address);
  const asked = await browser.open(authorizationUrl(service as never, await registerClient()));
  assert.match(asked.text, /name="email"/);
});
