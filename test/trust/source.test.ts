import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { type MailFailure, openMailer } from '../../src/adapters/mail/mailer.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const PROFILE = fixture('profile.yaml');

test('only one source file starts programs; none evaluates text or uses a weak hash', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const found = (expression: RegExp) =>
    files.flatMap((file) => [...textOf(file).matchAll(expression)].map(([text]) => `${file}: ${text}`));
  assert.deepEqual(found(/child_process|node:(vm|cluster)|\beval\(|\bFunction\(/g), [
    'src/adapters/child-process.ts: child_process',
  ]);
  // In these, what is set are names of our own tables and times, in statements that take no parameters.
  assert.deepEqual([...new Set(found(/\bsql\.(?:raw|lit)\b/g).map((use) => use.split(':')[0]))].sort(), [
    'src/adapters/store/postgres/inspection.ts',
    'src/adapters/store/postgres/postgres.ts',
    'src/adapters/store/store-copy.ts',
  ]);
  const hashes = found(/create(?:Hash|Hmac)\([^)]|hkdfSync\(..../g);
  assert.ok(hashes.length > 0);
  assert.deepEqual(found(/(?:createHash|createHmac|hkdfSync)\((?!'sha256')/g), []);
  assert.deepEqual(found(/Math\.random/g), [
    'src/adapters/store/database.ts: Math.random',
    'src/adapters/mail/sender.ts: Math.random',
  ]);
});

test('what a visitor writes is bound as a value, never a part of an SQL statement', async (t) => {
  const service = await openTestService();
  t.after(() => service.close());
  const inject = `'); drop table contacts; --" or 1=1 \\' ?1 :x $y`;
  const contact = { name: inject, email: `o'1=1--@example.org`, company: inject, message: inject };
  const key = `');delete/**/from/**/contacts;--`;
  const token = await service.ask('/auth/token', postJson({ email: contact.email }));
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'idempotency-key': key };
  for (const _ of [1, 2]) assert.equal((await service.ask('/contact', postJson(contact, headers))).status, 201);

  using database = openSqliteFile(join(service.folder, 'candidate-profile.db'), { readOnly: true });
  const select = 'select name, email, company, message, subject from contacts';
  assert.deepEqual(database.prepare(select).all().map(Object.entries), [
    Object.entries({ ...contact, subject: contact.email }),
  ]);
  assert.deepEqual(database.prepare('select key from idempotency_keys').all().map(Object.values), [[key]]);
});

test('after an unexpected error the client gets one constant text, and the log gets the cause', async (t) => {
  const service = await startService(t, { PROFILE, LOG_LEVEL: 'debug' });
  const headers = { authorization: `Bearer ${await service.token()}` };
  const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
  database.exec('alter table contacts rename to elsewhere');
  database.close();
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const response = await fetch(`${service.url}/contact`, postJson(contact, headers));
  assert.equal(response.status, 500);
  assert.equal(
    await response.text(),
    '{"error":{"code":"INTERNAL_ERROR","message":"Something went wrong on our side."}}',
  );
  const line = await eventually(() => service.lines.find((line) => line.includes('INTERNAL_ERROR')) ?? false);
  assert.match(JSON.parse(line).err.message, /no such table/);
  assert.doesNotMatch(line, /ada@example|Engines|Hello/);
  assert.equal((await fetch(`${service.url}/candidate`, { headers })).status, 200);
});

test('TLS is 1.3 if the client supports it, otherwise 1.2, always with authenticated encryption', async (t) => {
  const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
  const { url } = await startService(t, { PROFILE, ...tls });
  const spoken = (options: ConnectionOptions) =>
    new Promise<string | null>((resolve) => {
      const ca = readFileSync(tls.TLS_CERT);
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca, ...options }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      }).on('error', ({ message }) => resolve(/alert protocol version/.exec(message)?.[0] ?? message));
    });
  assert.equal(await spoken({}), 'TLSv1.3');
  assert.equal(await spoken({ maxVersion: 'TLSv1.2' }), 'TLSv1.2');
  assert.match(
    String(await spoken({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA' })),
    /handshake failure/,
  );
  // Older versions have no cipher at the default security level of OpenSSL.
  const ciphers = 'DEFAULT@SECLEVEL=0';
  assert.equal(await spoken({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers }), 'alert protocol version');
});

test('a mail server elsewhere gets nothing if its certificate is not trusted', async (t) => {
  const pair = { key: readFileSync(fixture('tls-key.pem')), cert: readFileSync(fixture('tls-cert.pem')) };
  const { port, received } = await openInbox(t, { disabledCommands: [], ...pair });
  const mailer = openMailer({
    smtpUrl: `smtp://0.0.0.0:${port}`, // this machine, but by no loopback address
    from: undefined,
    baseUrl: 'https://profile.example.org',
    directory: newFolder(t),
    log: { info: () => {} },
  });
  const message = {
    id: '7f6d',
    to: 'owner@example.org',
    subject: 'x',
    text: 'x',
    replyTo: null,
    createdAt: new Date(),
  };
  await assert.rejects(mailer.send(message, new AbortController().signal), (error: MailFailure) => {
    assert.match((error.cause as Error).message, /self-signed certificate/);
    return true;
  });
  assert.equal(received.length, 0);
});
