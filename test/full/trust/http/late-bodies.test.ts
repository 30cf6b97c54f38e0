import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { fixture } from '../../../support/files.ts';
import { runCommand, startService } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };

/** Sends the headers of a contact request; resolves once the service asks for the body, with a function that sends it. */
async function begin(url: string, token: string, key: string) {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' };
  const sent = request(`${url}/contact`, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  sent.flushHeaders();
  await once(sent, 'continue');
  return async () => {
    sent.end(JSON.stringify(contact));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  };
}

test('a body that arrives after its token was revoked, or its visitor erased, gets 401; nothing is stored [TRUST-37]', async (t) => {
  const env = { PROFILE: fixture('profile.yaml') };
  const service = await startService(t, env);
  const rows = (query: string) => {
    using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'), { readOnly: true });
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  };
  const unauthorized = {
    status: 401,
    body: '{"error":{"code":"UNAUTHORIZED","message":"A valid bearer token is required"}}',
  };
  const run = (command: string) => runCommand(t, command.split(' '), env, service.folder);

  const kept = await service.token('kept@example.org');
  assert.equal((await (await begin(service.url, kept, 'key-1'))()).status, 201);
  const stored = rows('select * from contacts');
  for (const commandFor of [
    ({ jti }: { jti?: string }) => `tokens revoke --jti ${jti}`,
    () => 'tokens revoke --email Eve@example.org',
    () => 'contacts erase --email eve@example.org',
    () => 'tokens revoke --all',
  ]) {
    const token = await service.token('eve@example.org');
    const finish = await begin(service.url, token, 'key-1');
    const finishAgain = await begin(service.url, kept, 'key-1');
    const command = commandFor(decodeJwt(token));
    const { code, stderr } = await run(command);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await finish(), unauthorized, command);
    assert.deepEqual(rows('select * from contacts'), stored);
    assert.deepEqual(rows("select subject from idempotency_keys where subject = 'eve@example.org'"), []);
    const repeated = await finishAgain();
    if (command.endsWith('--all')) assert.deepEqual(repeated, unauthorized);
    else assert.deepEqual(repeated, { status: 201, body: `{"id":"${stored[0]!.id}","status":"received"}` });
  }
});
