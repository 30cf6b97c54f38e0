import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type Cleanup, newFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { browserOf, connectClient, redirectUri } from '../support/oauth.ts';
import { eventually, programName, runCommand, startProcess } from '../support/process.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const ada = 'ada@example.org';

/** Starts processes that serve one address with one database, and connects clients at the first. */
async function openReplicas(t: Cleanup, { count = 2 } = {}) {
  const port = String(await freePort());
  const env = { BASE_URL: `http://127.0.0.1:${port}` };
  const folder = newFolder(t);
  const first = await startProcess(t, { ...env, PORT: port }, folder);
  const others = count === 1 ? [] : [await startProcess(t, env, folder)];
  return {
    urls: [first, ...others].map(({ url }) => url),
    folder,
    connect: (name: string, email = ada) => connectClient(first.url, { name, email }),
    run: async (...args: string[]) => runCommand(t, args, { LIMITS: 'off', ...env }, folder),
  };
}

type Replicas = Awaited<ReturnType<typeof openReplicas>>;

const statusesOf = ({ urls }: Replicas, token: string) =>
  Promise.all(
    urls.map(
      async (url) => (await fetch(`${url}/candidate`, { headers: { authorization: `Bearer ${token}` } })).status,
    ),
  );

/** Waits until every process refuses a token. */
const endedAtAll = (replicas: Replicas, token: string) =>
  eventually(async () => (await statusesOf(replicas, token)).every((status) => status === 401));

const listOf = async <Row>({ run }: Replicas, what: 'list' | 'clients'): Promise<Row[]> => {
  const { code, stdout, stderr } = await run('tokens', what, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
};

const ended = 'a running service refuses what was ended within 2 seconds.\n';

suite('Clients at the command line', { concurrency: 2 }, () => {
  test('are listed with what they were allowed, and their tokens with the name of the client', async (t) => {
    const replicas = await openReplicas(t, { count: 1 });
    const { access } = await replicas.connect('Claude\u202e');
    const [token] = await listOf<Record<string, unknown>>(replicas, 'list');
    const [grant, ...others] = await listOf<Record<string, unknown>>(replicas, 'clients');
    assert.deepEqual(others, []);
    assert.deepEqual([token!.jti, token!.client, token!.grant], [decodeJwt(access).jti, 'Claude\u202e', grant!.id]);
    const { id, client_id, created_at, expires_at, ...rest } = grant!;
    assert.deepEqual(rest, {
      subject: ada,
      is_verified: false,
      client: 'Claude\u202e',
      redirect_uri: redirectUri,
      scope: 'profile:read',
    });
    assert.ok(Date.parse(String(expires_at)) > Date.parse(String(created_at)));
    const { stdout } = await replicas.run('tokens', 'clients');
    assert.match(stdout, /^id +since +until +scope +verified +subject +client +sends back to\n/);
    assert.match(
      stdout,
      new RegExp(
        `^${id} .* profile:read  no +ada@example\\.org  Claude\\\\u\\{202e\\}  ${RegExp.escape(redirectUri)}$`,
        'm',
      ),
    );
    if (!noTerminal) {
      const { shown } = await runOnTerminal(t, ['tokens', 'clients', '--no-color'], replicas);
      assert.match(
        shown,
        /^id {4}until +may {3}verified {2}subject {10}client {9}sends back…\n\S{4} {2}\d+ \w+ [\d:]+ +read {2}no {8}ada@example\.org {2}Claude\\u\{202… {2}127\.0\.0\.1:3…\n$/,
      );
    }
    assert.match((await replicas.run('tokens', 'list')).stdout, /ada@example\.org {2}Claude\\u\{202e\}$/m);
  });

  test('end by the id of the grant, alone, at every process', async (t) => {
    const replicas = await openReplicas(t);
    const [claude, cursor] = [await replicas.connect('Claude'), await replicas.connect('Cursor')];
    assert.deepEqual(await statusesOf(replicas, claude.access), [200, 200]);
    const grants = await listOf<{ id: string; client: string }>(replicas, 'clients');
    const { id } = grants.find(({ client }) => client === 'Claude')!;
    const revoked = await replicas.run('tokens', 'revoke', '--grant', id.slice(0, 8), '--json');
    assert.deepEqual(
      [revoked.code, revoked.stdout, revoked.stderr],
      [0, '{"ended":1,"grants":1}\n', `Ended 1 valid token and 1 grant; ${ended}`],
    );
    await endedAtAll(replicas, claude.access);
    assert.equal((await claude.refresh()).error, 'invalid_grant');
    assert.deepEqual(await statusesOf(replicas, cursor.access), [200, 200]);
    const again = await replicas.run('tokens', 'revoke', '--grant', id);
    assert.deepEqual(
      [again.code, again.stderr],
      [0, `No grant with this id is valid. To list the ids: ${programName} tokens clients\n`],
    );
  });

  test('end with one of their tokens, with their visitor, and with all', async (t) => {
    const replicas = await openReplicas(t);
    const { connect, run } = replicas;
    const [first, second, third] = [await connect('A'), await connect('B'), await connect('C', 'bob@example.org')];
    const { access_token: renewed = '' } = await first.refresh();
    const byToken = await run('tokens', 'revoke', '--jti', decodeJwt(first.access).jti!);
    assert.equal(byToken.stderr, `Ended 2 valid tokens and 1 grant; ${ended}`);
    for (const token of [first.access, renewed]) await endedAtAll(replicas, token);
    const byAddress = await run('tokens', 'revoke', '--email', 'ADA@example.org');
    assert.equal(byAddress.stderr, `Ended 1 valid token and 1 grant of ADA@example.org; ${ended}`);
    await endedAtAll(replicas, second.access);
    assert.deepEqual(await statusesOf(replicas, third.access), [200, 200]);
    const all = await run('tokens', 'revoke', '--all', '--yes');
    assert.equal(all.stderr, `Ended 1 valid token and 1 grant; ${ended}`);
    await endedAtAll(replicas, third.access);
    for (const client of [first, second, third]) assert.equal((await client.refresh()).error, 'invalid_grant');
    assert.deepEqual(await listOf(replicas, 'clients'), []);
  });

  test('are exported with all that is kept of their visitor, and erased with it', async (t) => {
    const replicas = await openReplicas(t, { count: 1 });
    const claude = await replicas.connect('Claude');
    const exported = await replicas.run('contacts', 'export', '--everything', '--email', ada);
    const all = JSON.parse(exported.stdout) as Record<string, Record<string, unknown>[]>;
    const { grants, tokens, oauth_records: records } = all;
    assert.deepEqual(
      grants!.map(({ client_name, is_verified, scope }) => ({ client_name, is_verified, scope })),
      [{ client_name: 'Claude', is_verified: false, scope: 'profile:read' }],
    );
    assert.equal(tokens![0]!.grant_id, grants![0]!.id);
    const { id: grant_id, client_id } = grants![0]!;
    const ofGrant = { client_id, scope: 'profile:read', grant_id };
    const [code, refreshToken] = records!.toSorted((one, other) => (String(one.kind) < String(other.kind) ? -1 : 1));
    const isInstant = (value: unknown) => new Date(String(value)).toISOString() === value;
    assert.ok([code!.expires_at, code!.consumed_at, refreshToken!.expires_at].every(isInstant));
    assert.deepEqual(
      [code, refreshToken].map((record) => ({ ...record, expires_at: 'INSTANT' })),
      [
        {
          kind: 'AuthorizationCode',
          ...ofGrant,
          redirect_uri: redirectUri,
          expires_at: 'INSTANT',
          consumed_at: code!.consumed_at,
        },
        { kind: 'RefreshToken', ...ofGrant, redirect_uri: null, expires_at: 'INSTANT', consumed_at: null },
      ],
    );
    assert.deepEqual(all.verification_codes, []);
    const erased = await replicas.run('contacts', 'erase', '--email', ada, '--yes');
    assert.match(erased.stderr, /^Erased: contact requests 0, tokens 1, grants 1, reads 0, mail files 1\. /);
    await endedAtAll(replicas, claude.access);
    assert.equal((await claude.refresh()).error, 'invalid_grant');
  });
});

test('after a rotation of the keys a client goes on at every process: its token is valid, it renews it with the new key, and a request under way is answered', async (t) => {
  const replicas = await openReplicas(t);
  const { urls, run } = replicas;
  const claude = await replicas.connect('Claude');
  const metadata = JSON.stringify({ client_name: 'Slow', redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const registered = await fetch(`${urls[0]}/oauth/register`, { method: 'POST', headers, body: metadata });
  const { client_id } = (await registered.json()) as { client_id: string };
  const asked = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'I6VJnq_ZE6Iew5Be1Pyh2Sfjknj0ULteaeVXZI-T6B8',
    code_challenge_method: 'S256',
  };
  const browser = browserOf(fetch, urls[0]!);
  const page = await browser.open(`/oauth/authorize?${new URLSearchParams(asked)}`);

  const { code, stdout, stderr } = await run('keys', 'rotate', '--json');
  assert.equal(code, 0, stderr);
  const { kid } = JSON.parse(stdout) as { kid: string };
  for (const url of urls)
    await eventually(async () => {
      const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
      return keys[0]!.kid === kid;
    });
  assert.notEqual(decodeProtectedHeader(claude.access).kid, kid);
  assert.deepEqual(await statusesOf(replicas, claude.access), [200, 200]);
  const { access_token: renewed = '' } = await claude.refresh();
  assert.equal(decodeProtectedHeader(renewed).kid, kid);
  assert.deepEqual(await statusesOf(replicas, renewed), [200, 200]);
  const consent = await browser.send(page, { email: ada, step: 'address' });
  const { url: back } = await browser.send(consent, { step: 'allow' });
  assert.ok(back.searchParams.get('code'), back.href);
});
