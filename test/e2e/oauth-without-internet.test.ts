import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkClientDocuments } from '../../src/commands/doctor/network-checks.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { clientId, documentOf, openNetwork } from '../support/client-document.ts';
import type { ClientMemory } from '../support/oauth.ts';
import { authorizationUrl, callsOf, codeOf, errorOf, exchange, refresh } from '../support/oauth-flow.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { eventually, startProcess } from '../support/process.ts';

const elsewhere = ['93.184.215.14'];

/** A network without a way out: names are resolved, and nothing can be connected to. */
async function openCutNetwork(t: Parameters<typeof openNetwork>[0]) {
  const { network, stop } = await openNetwork(t, elsewhere, () => ({ body: documentOf() }));
  stop();
  return network;
}

test('a visitor whose program describes itself at a host that is not reached is told so, and what to do', async (t) => {
  const service = await openOauthService(t, {}, await openCutNetwork(t));
  const response = await service.fetch(authorizationUrl(service, clientId), { headers: { accept: 'text/html' } });
  const text = await response.text();
  assert.equal(response.status, 400);
  assert.match(text, /<h1>Your program cannot be looked up at the moment<\/h1>/);
  assert.match(
    text,
    /describes itself at an address of its own, and this site could not reach that address, or was refused there/,
  );
  assert.match(text, /Nothing was allowed\. Connect again in a minute\./);
  assert.match(text, /<a href="\/">open the profile with your e-mail address<\/a>/);
  assert.doesNotMatch(text, /made a mistake/);
});

test('documents that cannot be fetched are logged once, by their host, without the address of the visitor', async (t) => {
  const service = await startProcess(t, { ALLOW_SAMPLE: 'true' });
  const calls = callsOf(service.url, (address, init) => fetch(address, init));
  // No resolver knows this domain (RFC 6761).
  for (const path of ['first', 'second', 'third'])
    assert.equal((await fetch(authorizationUrl(calls, `https://client.invalid/${path}.json`))).status, 400);
  const warnings = () => service.lines.map((line) => JSON.parse(line)).filter(({ host }) => host === 'client.invalid');
  await eventually(() => warnings().length === 1);
  const [{ level, msg, ...rest }] = warnings();
  assert.equal(level, 'warn');
  assert.equal(
    msg,
    'the document of a client could not be fetched: clients that have one cannot connect while this lasts; run doctor, or set OAUTH_CLIENT_DOCUMENTS=off so that they register instead',
  );
  assert.equal('from' in rest || 'address' in rest, false);
});

test('a client whose document cannot be fetched keeps its tokens: it is told to try again, not that it is unknown', async (t) => {
  const { network, stop } = await openNetwork(t, elsewhere, () => ({ body: documentOf() }));
  const service = await openOauthService(t, {}, network);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  await service.restart();
  stop();
  const token = memory.tokens!.refresh_token!;
  assert.deepEqual(errorOf(await refresh(service, clientId, token)), [503, 'temporarily_unavailable']);
});

test('a client whose document is not handed out for a while keeps its tokens, and renews them afterwards', async (t) => {
  let status = 200;
  const { network } = await openNetwork(t, elsewhere, () => ({ status, body: documentOf() }));
  const service = await openOauthService(t, {}, network);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  let token = memory.tokens!.refresh_token!;
  for (const fault of [503, 500, 429, 408, 403]) {
    await service.restart();
    status = fault;
    assert.deepEqual(errorOf(await refresh(service, clientId, token)), [503, 'temporarily_unavailable'], `${fault}`);
    const page = await service.fetch(authorizationUrl(service, clientId), { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /<h1>Your program cannot be looked up at the moment<\/h1>/);
    await service.restart();
    status = 200;
    const renewed = await refresh(service, clientId, token);
    assert.equal(renewed.status, 200);
    token = renewed.body.refresh_token!;
  }
});

test('with OAUTH_CLIENT_DOCUMENTS=off a client that has a document registers, and nothing is fetched', async (t) => {
  const { network, connections } = await openNetwork(t, elsewhere, () => ({ body: documentOf() }));
  const service = await openOauthService(t, { OAUTH_CLIENT_DOCUMENTS: 'off' }, network);
  const metadata = async () =>
    (await (await service.fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`)).json()) as object;
  assert.equal('client_id_metadata_document_supported' in (await metadata()), false);
  const memory: ClientMemory = {};
  await (await service.connect(memory, { metadataUrl: clientId })).close();
  assert.notEqual((memory.client as { client_id: string }).client_id, clientId);
  assert.equal((await service.fetch(authorizationUrl(service, clientId))).status, 400);
  assert.equal((await exchange(service, await codeOf(service))).status, 200);
  assert.deepEqual(connections, []);
});

test('doctor says which documents of clients cannot be fetched, and what to set', async (t) => {
  const config = (changes = {}) => readConfig(changes, '/');
  assert.deepEqual(await checkClientDocuments(config(), await openCutNetwork(t)), [
    {
      level: 'warn',
      found:
        'the documents by which clients describe themselves cannot be fetched from claude.ai (ECONNREFUSED) and chatgpt.com (ECONNREFUSED): programs that have one, such as Claude Code and Codex, cannot connect',
      remedy:
        'let the service resolve names by DNS and open https connections, or set OAUTH_CLIENT_DOCUMENTS to off, so that they register instead',
    },
  ]);
  const { network: refusing } = await openNetwork(t, elsewhere, () => ({ status: 403 }));
  const [refused] = await checkClientDocuments(config(), refusing, [clientId]);
  assert.match(
    refused!.found,
    /cannot be fetched from localhost \(answered with the status 403\): programs that have one/,
  );
  // A host that can be reached answers for the clients that it knows.
  for (const answer of [{ body: documentOf() }, { status: 404 }]) {
    const { network } = await openNetwork(t, elsewhere, () => answer);
    assert.deepEqual(await checkClientDocuments(config(), network, [clientId]), [
      { level: 'ok', found: 'the documents by which clients describe themselves can be fetched', remedy: null },
    ]);
  }
  assert.deepEqual(await checkClientDocuments(config({ OAUTH: 'off' })), []);
  assert.deepEqual(await checkClientDocuments(config({ OAUTH_CLIENT_DOCUMENTS: 'off' })), [
    { level: 'ok', found: 'clients register, because OAUTH_CLIENT_DOCUMENTS is off', remedy: null },
  ]);
});
