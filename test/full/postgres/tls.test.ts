import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { Kysely, sql } from 'kysely';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { fixture, makeFolder } from '../../support/files.ts';
import { startPostgres } from '../../support/postgres.ts';

const folder = makeFolder();
chmodSync(folder, 0o755);
const [certificate, key, otherAuthority] = ['cert.pem', 'key.pem', 'ca.pem'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
copyFileSync(fixture('tls-cert.pem'), certificate); // for localhost and 127.0.0.1, signed by itself
copyFileSync(fixture('tls-key.pem'), key);
chmodSync(key, 0o600);
if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534); // whom the server runs as
writeFileSync(otherAuthority, rootCertificates[0]!);

const plain = await startPostgres(['fsync=off']);
const encrypting = await startPostgres([
  'fsync=off',
  'ssl=on',
  `ssl_cert_file=${certificate}`,
  `ssl_key_file=${key}`,
  'listen_addresses=127.0.0.1,127.0.0.2',
]);
after(() => Promise.all([plain.close(), encrypting.close()]).then(() => {}));

/** Returns whether a connection is encrypted, or why there is none. */
async function connectTo(url: string): Promise<boolean | string> {
  const db = new Kysely({ dialect: openPostgres(url).dialect });
  try {
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    return rows[0]!.ssl;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await db.destroy();
  }
}

const at = (host: string, server = encrypting) => `postgres://owner:secret@${host}:${server.port}/postgres`;
const cannot = (host: string, server = encrypting) =>
  `postgres://${host}:${server.port}/postgres cannot be connected to`;

test('sslmode decides whether a connection is encrypted; without it none is', async () => {
  const modes = ['', '?sslmode=disable', '?sslmode=prefer', '?sslmode=require'];
  const isEncrypted = await Promise.all(modes.map((mode) => connectTo(at('127.0.0.1') + mode)));
  assert.deepEqual(isEncrypted, [false, false, true, true]);
  assert.equal(
    await connectTo(`${at('127.0.0.1', plain)}?sslmode=require`),
    `${cannot('127.0.0.1', plain)}: The server does not support SSL connections`,
  );
});

test('a certificate is verified by sslrootcert, and its name by sslmode=verify-full', async () => {
  const ca = `sslrootcert=${certificate}`;
  assert.equal(await connectTo(`${at('127.0.0.1')}?sslmode=verify-full&${ca}`), true);
  assert.equal(await connectTo(`${at('127.0.0.2')}?sslmode=verify-ca&${ca}`), true);
  assert.match(
    String(await connectTo(`${at('127.0.0.2')}?sslmode=verify-full&${ca}`)),
    /cannot be connected to: Hostname\/IP does not match certificate's altnames/,
  );
});

test('a certificate of another authority is refused by verify-ca, verify-full, and require with a root', async () => {
  for (const query of [
    ...['verify-ca', 'verify-full', 'require'].map((mode) => `sslmode=${mode}&sslrootcert=${otherAuthority}`),
    'sslmode=verify-full',
    'sslmode=typo',
  ])
    assert.match(
      String(await connectTo(`${at('127.0.0.1')}?${query}`)),
      /cannot be connected to: self-signed certificate/,
    );
});

test('sslmode=verify-ca without an authority, and an authority that cannot be read, are refused at once', () => {
  const refusals = {
    'sslmode=verify-ca': 'sslmode=verify-ca needs sslrootcert: name that file',
    'sslmode=verify-full&sslrootcert=/nowhere/ca.pem': '/nowhere/ca.pem cannot be read (ENOENT)',
  };
  for (const [query, reason] of Object.entries(refusals))
    assert.throws(() => openPostgres(`${at('127.0.0.1')}?${query}`), { message: `DATABASE_URL: ${reason}` });
});
