import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { redirectUri } from '../../support/oauth.ts';
import { callsOf, connectClient } from '../../support/oauth-flow.ts';
import { eventually, programName, runCommand, startProcess } from '../../support/process.ts';

// Two processes that serve one address with one database; clients connect at the first.
const port = String(await freePort());
const env = { BASE_URL: `http://127.0.0.1:${port}` };
const folder = newFolder({ after });
const first = await startProcess({ after }, { ...env, PORT: port }, folder);
const urls = [first.url, (await startProcess({ after }, env, folder)).url];

const connect = (name: string, email: string) => connectClient(first.url, { name, email });
const run = (...args: string[]) => runCommand({ after }, args, { LIMITS: 'off', ...env }, folder);

/** Returns how the processes answer a token. */
const statusesOf = (token: string) =>
  Promise.all(urls.map((url) => callsOf(url, (address, init) => fetch(address, init)).get('/candidate', token)));

/** Waits until every process refuses a token. */
const endedAtAll = (token: string) =>
  eventually(async () => (await statusesOf(token)).every((status) => status === 401));

/** Returns the rows of a list that are of a visitor. */
async function listOf(what: 'list' | 'clients', email: string) {
  const { code, stdout, stderr } = await run('tokens', what, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return (JSON.parse(stdout) as Record<string, unknown>[]).filter(({ subject }) => subject === email);
}

const ended = 'a running service refuses what was ended within 2 seconds.\n';

test('clients are listed with what they were allowed, and their tokens with the name of the client', async () => {
  const { access } = await connect('Claude\u202e', 'ada@example.org');
  const [token] = await listOf('list', 'ada@example.org');
  const [grant] = await listOf('clients', 'ada@example.org');
  assert.deepEqual([token!.jti, token!.client, token!.grant], [decodeJwt(access).jti, 'Claude\u202e', grant!.id]);
  const { id, client_id, created_at, expires_at, ...rest } = grant!;
  assert.deepEqual(rest, {
    subject: 'ada@example.org',
    is_verified: false,
    client: 'Claude\u202e',
    redirect_uri: redirectUri,
    scope: 'profile:read',
  });
  assert.ok(Date.parse(String(expires_at)) > Date.parse(String(created_at)));
  const { stdout } = await run('tokens', 'clients');
  assert.match(stdout, /^id +since +until +scope +verified +subject +client +sends back to\n/);
  const row = `^${id} .* profile:read  no +ada@example\\.org  Claude\\\\u\\{202e\\}  ${RegExp.escape(redirectUri)}$`;
  assert.match(stdout, new RegExp(row, 'm'));
  assert.match((await run('tokens', 'list')).stdout, /ada@example\.org {2}Claude\\u\{202e\}$/m);
});

test('a client ends by the id of its grant or of a token, with its visitor, and with all, at every process', async () => {
  const email = 'bob@example.org';
  const clients = [await connect('A', email), await connect('B', email), await connect('C', email)] as const;
  const [byGrant, byToken, byVisitor] = clients;
  const other = await connect('D', 'carol@example.org');
  const { id } = (await listOf('clients', email)).find(({ client }) => client === 'A')!;
  const revoked = await run('tokens', 'revoke', '--grant', String(id).slice(0, 8), '--json');
  assert.deepEqual(
    [revoked.code, revoked.stdout, revoked.stderr],
    [0, '{"ended":1,"grants":1}\n', `Ended 1 valid token and 1 grant; ${ended}`],
  );
  await endedAtAll(byGrant.access);
  assert.deepEqual(await statusesOf(byToken.access), [200, 200]);
  const again = await run('tokens', 'revoke', '--grant', String(id));
  const unknown = `No grant with this id is valid. To list the ids: ${programName} tokens clients\n`;
  assert.deepEqual([again.code, again.stderr], [0, unknown]);

  const { access_token: renewed = '' } = await byToken.refresh();
  const one = await run('tokens', 'revoke', '--jti', decodeJwt(byToken.access).jti!);
  assert.equal(one.stderr, `Ended 2 valid tokens and 1 grant; ${ended}`);
  for (const token of [byToken.access, renewed]) await endedAtAll(token);
  const visitor = await run('tokens', 'revoke', '--email', 'BOB@example.org');
  assert.equal(visitor.stderr, `Ended 1 valid token and 1 grant of BOB@example.org; ${ended}`);
  await endedAtAll(byVisitor.access);
  assert.deepEqual(await statusesOf(other.access), [200, 200]);
  assert.match((await run('tokens', 'revoke', '--all', '--yes')).stderr, /^Ended \d valid tokens? and \d grants?; /);
  await endedAtAll(other.access);
  for (const client of [...clients, other]) assert.equal((await client.refresh()).error, 'invalid_grant');
  assert.deepEqual(await listOf('clients', email), []);
});
