import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, globSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, suite, test } from 'node:test';
import { toDiskFinding } from '../../src/commands/doctor/checkups.ts';
import { toExpiryFinding } from '../../src/commands/doctor/network-checkups.ts';
import { openInbox } from '../support/inbox.ts';
import { type Cleanup, eventually, newFolder, programName, runCommand, startProcess } from '../support/process.ts';
import { fixture } from '../support/service.ts';

const env = { PROFILE: fixture('profile.yaml'), OWNER_EMAIL: 'owner@lenavasquez.dev', LIMITS: 'off' };
const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
const trusted = { NODE_EXTRA_CA_CERTS: tls.TLS_CERT };

/** The lines of a check-up, but for the one on the disk, which depends on the machine; sizes and days are left out. */
async function examine(t: Cleanup, more: Record<string, string>, folder: string) {
  const { code, stdout, stderr } = await runCommand(t, ['doctor'], { ...env, ...more }, folder);
  const lines = stdout.trimEnd().split('\n');
  const stable = lines.map((line) => line.replace(/\d+ kB/, 'N kB').replace(/written on \S+/, 'written on a DAY'));
  return { code, stderr, lines: stable.filter((line) => !line.includes('  disk: ')) };
}

const lineOf = (name: string, lines: readonly string[]) => lines.find((line) => line.slice(6).startsWith(`${name}: `));

async function listen(t: Cleanup, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const openWebsite = (t: Cleanup, answer: RequestListener) => listen(t, createHttpServer(answer));

/** The folder of a stopped service that has issued one token and mailed it into a file. */
const place = await startProcess({ after }, env).then(async (service) => {
  await service.token();
  await eventually(() => globSync('data/mail/*.eml', { cwd: service.folder }).length === 1);
  service.kill('SIGTERM');
  await service.exited();
  return service.folder;
});

function copyOfPlace(t: Cleanup): string {
  const folder = newFolder(t);
  cpSync(place, folder, { recursive: true });
  return folder;
}

suite('doctor', { concurrency: 2 }, () => {
  test('finds nothing wrong with a service that speaks TLS and is mailed for by a server that takes its log-in', async (t) => {
    const { port } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(null, { user: 'me' }),
    });
    const SMTP_URL = `smtp://me:secret@127.0.0.1:${port}`;
    const { url, folder } = await startProcess(t, { ...env, ...tls, SMTP_URL });
    const BASE_URL = url.replace('127.0.0.1', 'localhost');
    const { code, lines } = await examine(t, { ...tls, ...trusted, BASE_URL, SMTP_URL }, folder);
    assert.deepEqual(lines, [
      'ok    settings: all are valid',
      `ok    profile: ${env.PROFILE} is valid`,
      `ok    data: ${folder}/data can be written, by its user alone`,
      `ok    database: ${folder}/data/candidate-profile.db, N kB: 0 contacts, 0 tokens, 0 mails waiting`,
      'ok    outbox: 0 mails waiting, 0 of them after a failure, and 0 given up',
      `ok    key: ${folder}/data/signing-key.json holds 1 key, mode 600, written on a DAY`,
      'ok    clock: no record is dated ahead, and BASE_URL answers with the same time',
      `ok    smtp: 127.0.0.1:${port} answers and takes the log-in`,
      'ok    tls: TLS_CERT is valid until 2120-01-01',
      'ok    tls: the certificate of BASE_URL is valid until 2120-01-01',
      'ok    proxy: none needed: the service speaks TLS itself',
      `ok    address: ${BASE_URL} answers`,
    ]);
    assert.equal(code, 0);
  });

  test('before the first start says what that will make, and makes nothing itself', async (t) => {
    const folder = newFolder(t);
    const { code, lines } = await examine(t, { BASE_URL: 'http://127.0.0.1:1' }, folder);
    assert.deepEqual(lines, [
      'ok    settings: all are valid',
      `ok    profile: ${env.PROFILE} is valid`,
      `warn  data: ${folder}/data does not exist yet; the first start makes it`,
      `warn  database: ${folder}/data/candidate-profile.db does not exist yet; the first start makes it`,
      `warn  key: ${folder}/data/signing-key.json does not exist yet; the first start makes it`,
      'ok    clock: no record is dated ahead',
      `warn  smtp: without SMTP_URL each mail becomes a file in ${folder}/data/mail; set SMTP_URL to be mailed`,
      'ok    tls: not used: BASE_URL is http',
      'ok    proxy: none needed on this machine',
      `warn  address: nothing answers at http://127.0.0.1:1: the service is not running; start it with ${programName} serve`,
    ]);
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('leaves a stopped service as it is, to the byte', async (t) => {
    const bytes = () =>
      globSync('data/**', { cwd: place, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [
          name,
          statSync(join(parentPath, name)).mtimeMs,
          readFileSync(join(parentPath, name), 'latin1'),
        ]);
    const before = bytes();
    const { code } = await examine(t, {}, place);
    assert.equal(code, 0);
    assert.deepEqual(bytes(), before);
  });

  test('names each wrong setting, and waits with the rest', async (t) => {
    const wrong = { PORT: 'x', SMTP_URL: 'mail.example.org', TLS_CERT: tls.TLS_CERT };
    const { code, lines, stderr } = await examine(t, wrong, newFolder(t));
    assert.deepEqual(lines, [
      'fail  settings: PORT: must be a port number, 0 to 65535',
      'fail  settings: SMTP_URL: must be an smtp:// or smtps:// URL',
      'fail  settings: TLS_CERT, TLS_KEY: set both or neither',
    ]);
    assert.deepEqual([code, stderr], [1, 'The rest is looked at once the settings are right.\n']);
  });

  test('finds all that is wrong at once, with what to do about it', async (t) => {
    const folder = copyOfPlace(t);
    const data = join(folder, 'data');
    chmodSync(data, 0o755);
    chmodSync(join(data, 'signing-key.json'), 0o604);
    writeFileSync(join(data, 'candidate-profile.db'), 'Dear diary, this is no database. '.repeat(200));
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, `${readFileSync(env.PROFILE, 'utf8').replace('id: cand_test', 'id: 1')}more: 1\n`);
    const elsewhere = await openWebsite(t, (_, response) => response.end('Welcome to nginx!'));
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(folder, 'other.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { code, lines } = await examine(
      t,
      {
        PROFILE: profile,
        BASE_URL: `http://127.0.0.1:${elsewhere}`,
        SMTP_URL: 'smtp://me:secret@127.0.0.1:1',
        TLS_CERT: tls.TLS_CERT,
        TLS_KEY: 'other.pem',
      },
      folder,
    );
    assert.deepEqual(lines, [
      'ok    settings: all are valid',
      `fail  profile: ${profile}:4:7: candidate.id: must be a string`,
      `fail  profile: ${profile}:52:1: more: is not a known key`,
      `warn  data: ${data} is open to other users (mode 755); chmod 700 ${data}`,
      `fail  database: ${data}/candidate-profile.db: is not an SQLite database; put a backup in its place: ${programName} restore FILE`,
      `fail  key: ${data}/signing-key.json: is open to other users of this machine, chmod 600 it`,
      'ok    clock: no record is dated ahead, and BASE_URL answers with the same time',
      'fail  smtp: 127.0.0.1:1 does not take mail (ESOCKET); check SMTP_URL and the mail server',
      'fail  tls: TLS_KEY is not the key of TLS_CERT; set both to one pair',
      'ok    proxy: none needed: the service speaks TLS itself',
      `fail  address: http://127.0.0.1:${elsewhere}/healthz is answered by something else; lead BASE_URL to this service`,
    ]);
    assert.equal(code, 1);
  });

  test('finds a database that others can read, or that was altered', async (t) => {
    const folder = copyOfPlace(t);
    const path = join(folder, 'data/candidate-profile.db');
    chmodSync(path, 0o644);
    const { code, lines } = await examine(t, {}, folder);
    assert.deepEqual(
      lines.filter((line) => line.includes('  database: ')),
      [
        `ok    database: ${path}, N kB: 0 contacts, 1 token, 0 mails waiting`,
        `warn  database: ${path} is open to other users (mode 644); chmod 600 ${path}`,
      ],
    );
    assert.equal(code, 0);
    assert.equal(statSync(path).mode & 0o777, 0o644);
    {
      using database = new DatabaseSync(path);
      database.exec('create table recipes (id integer)');
    }
    assert.equal(
      lineOf('database', (await examine(t, {}, folder)).lines),
      `fail  database: ${path}: its schema is not the one that candidate-profile makes: table recipes was added; put a backup in its place: ${programName} restore FILE`,
    );
  });

  test('behind a proxy finds a certificate that nobody trusts, and visitors who would share its limits', async (t) => {
    const service = await startProcess(t, { ...env, ...tls });
    const { code, lines } = await examine(t, { BASE_URL: service.url }, newFolder(t));
    assert.deepEqual(lines.slice(-3), [
      'fail  tls: the certificate of BASE_URL is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); have one issued for this name by a public authority',
      "warn  proxy: behind a proxy, all visitors have its address and share that address's limits; set TRUST_PROXY to the address of the proxy",
      `fail  address: ${service.url} cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT); see that DNS, the proxy and the firewall lead to the service`,
    ]);
    assert.equal(code, 1);
    const BASE_URL = service.url.replace('127.0.0.1', 'localhost');
    const told = await examine(t, { ...trusted, BASE_URL, TRUST_PROXY: '127.0.0.1' }, newFolder(t));
    assert.equal(lineOf('proxy', told.lines), 'ok    proxy: TRUST_PROXY says whom to believe about visitors');
    assert.equal(told.code, 0);
    const alone = await examine(t, { BASE_URL: 'https://localhost:1' }, newFolder(t));
    assert.equal(
      lineOf('tls', alone.lines),
      'warn  tls: the certificate of BASE_URL could not be read; see address below',
    );
  });

  test('finds mail that was given up, a key that did not come along, and a record dated ahead', async (t) => {
    const folder = copyOfPlace(t);
    renameSync(join(folder, 'data/signing-key.json'), join(folder, 'kept-elsewhere.json'));
    {
      using database = new DatabaseSync(join(folder, 'data/candidate-profile.db'));
      const later = new Date(Date.now() + 600_000).toISOString();
      database.exec(
        `update issued_tokens set issued_at = '${later}'; update outbox set sent_at = null, last_error = 'EAUTH 535'`,
      );
    }
    const { code, lines } = await examine(t, {}, folder);
    assert.equal(
      lineOf('outbox', lines),
      `warn  outbox: 0 mails waiting, 0 of them after a failure, and 1 given up; see smtp below, then ${programName} outbox retry`,
    );
    assert.equal(
      lineOf('key', lines),
      `fail  key: ${folder}/data/signing-key.json is not there, and 1 token was issued with it; put your copy there before the next start`,
    );
    assert.match(
      lineOf('clock', lines) ?? '',
      /^fail {2}clock: the newest record is dated (5\d\d|600) s ahead; set the clock of this machine, and keep it by NTP$/,
    );
    assert.equal(code, 1);
    {
      using database = new DatabaseSync(join(folder, 'data/candidate-profile.db'));
      database.exec('update outbox set due_at = created_at');
    }
    assert.equal(
      lineOf('outbox', (await examine(t, {}, folder)).lines),
      `warn  outbox: 1 mail waiting, 1 of them after a failure, and 0 given up; see smtp below, then ${programName} outbox retry, or wait`,
    );
  });

  test('compares its clock with that of whoever answers at the public address', async (t) => {
    const port = await openWebsite(t, (_, response) => {
      response.setHeader('date', new Date(Date.now() - 300_000).toUTCString());
      response.end('{"status":"ok"}');
    });
    const { code, lines } = await examine(t, { BASE_URL: `http://127.0.0.1:${port}` }, newFolder(t));
    assert.match(
      lineOf('clock', lines) ?? '',
      /^fail {2}clock: BASE_URL answers with a clock 30\d s away; set the clock of this machine, and keep it by NTP$/,
    );
    assert.equal(lineOf('address', lines), `ok    address: http://127.0.0.1:${port} answers`);
    assert.equal(code, 1);
  });

  test('names the data of a newer version, a file where a folder should be, and no secret of a refused log-in', async (t) => {
    const folder = copyOfPlace(t);
    const path = join(folder, 'data/candidate-profile.db');
    {
      using database = new DatabaseSync(path);
      database.exec("insert into kysely_migration values ('9999-later', '2126-11-21T12:00:00.000Z')");
    }
    const { port } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: ({ username }, _, done) => done(new Error(`no such user ${username}`)),
    });
    const more = { DATABASE_URL: path, DATA_DIR: 'data/mail/file', SMTP_URL: `smtp://me:secret@127.0.0.1:${port}` };
    writeFileSync(join(folder, 'data/mail/file'), '');
    const { code, lines } = await examine(t, more, folder);
    assert.equal(
      lineOf('database', lines),
      `fail  database: ${path}: was written by a newer version of candidate-profile; run that version; put a backup in its place: ${programName} restore FILE`,
    );
    assert.equal(lineOf('data', lines), `fail  data: ${folder}/data/mail/file is no folder; set DATA_DIR to one`);
    assert.equal(
      lineOf('smtp', lines),
      `fail  smtp: 127.0.0.1:${port} does not take mail (EAUTH 535); check SMTP_URL and the mail server`,
    );
    assert.equal(code, 1);
  });

  test('waits ten seconds for those who never answer, and no longer', async (t) => {
    const mute = await listen(
      t,
      createServer((socket) => t.after(() => void socket.destroy())),
    );
    const more = { BASE_URL: `http://127.0.0.1:${mute}`, SMTP_URL: `smtp://127.0.0.1:${mute}` };
    const { code, lines } = await examine(t, more, newFolder(t));
    assert.equal(
      lineOf('smtp', lines),
      `fail  smtp: 127.0.0.1:${mute} does not take mail (no answer within 10 s); check SMTP_URL and the mail server`,
    );
    assert.equal(
      lineOf('address', lines),
      `fail  address: http://127.0.0.1:${mute} cannot be reached (no answer within 10 s); see that DNS, the proxy and the firewall lead to the service`,
    );
    assert.equal(code, 1);
  });

  test('prints the same as JSON, and explains itself', async (t) => {
    const { code, stdout } = await runCommand(t, ['doctor', '--json'], { PORT: 'x' });
    assert.deepEqual(JSON.parse(stdout), [
      { name: 'settings', level: 'fail', found: 'PORT: must be a port number, 0 to 65535', remedy: null },
    ]);
    assert.equal(code, 1);
    const help = await runCommand(t, ['doctor', '--help']);
    assert.ok(help.stdout.startsWith(`Usage: ${programName} doctor [options]\n`), help.stdout);
    assert.deepEqual([help.code, help.stderr], [0, '']);
  });
});

test('the disk is too small for comfort under 1 GB, and for keeping anything under 100 MB', () => {
  const looks = [42.5e9, 1e9, 999_999_999, 100e6, 99_999_999].map(toDiskFinding);
  assert.deepEqual(
    looks.map(({ level, found }) => `${level} ${found}`),
    [
      'ok 42.5 GB free where the database is',
      'ok 1.0 GB free where the database is',
      'warn 999 MB free where the database is',
      'warn 100 MB free where the database is',
      'fail 99 MB free where the database is',
    ],
  );
});

test('a certificate is to be renewed three weeks before it ends', () => {
  const certificate = new X509Certificate(readFileSync(tls.TLS_CERT)); // from 2020 to 2120
  const looks = ['2019-12-31', '2119-12-11', '2119-12-12', '2120-01-02'].map((day) =>
    toExpiryFinding('TLS_CERT', certificate, new Date(`${day}T00:00:00Z`)),
  );
  assert.deepEqual(
    looks.map(({ level, found }) => `${level} ${found}`),
    [
      'fail TLS_CERT is not valid before 2020-01-01',
      'ok TLS_CERT is valid until 2120-01-01',
      'warn TLS_CERT expires on 2120-01-01',
      'fail TLS_CERT has expired on 2120-01-01',
    ],
  );
});
