import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, globSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { checkOauth, toDiskFinding } from '../../src/commands/doctor/local-checks.ts';
import { toExpiryFinding } from '../../src/commands/doctor/network-checks.ts';
import { readConfig } from '../../src/service/config/config.ts';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { eventually, programName, runCommand, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const env = {
  PROFILE: fixture('profile.yaml'),
  OWNER_EMAIL: 'owner@lenavasquez.dev',
  LIMITS: 'off',
  // Whether other hosts can be reached depends on the machine.
  OAUTH_CLIENT_DOCUMENTS: 'off',
};
const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
const trusted = { NODE_EXTRA_CA_CERTS: tls.TLS_CERT };

/** Runs `doctor` and returns its lines without that of the disk, which depends on the machine, and without sizes and days. */
async function runDoctor(t: Cleanup, more: Record<string, string>, folder: string) {
  const { code, stdout, stderr } = await runCommand(t, ['doctor'], { ...env, ...more }, folder);
  const lines = stdout.trimEnd().split('\n');
  const stable = lines.map((line) => line.replace(/\d+ kB/, 'N kB').replace(/written on \S+/, 'written on a DAY'));
  return { code, stderr, lines: stable.filter((line) => !line.includes('  disk: ')) };
}

const platform = ['ok    pdf: can be printed', 'ok    picture: can be drawn'].map(
  (line) => `${line} on ${process.platform}-${process.arch}`,
);

const lineOf = (name: string, lines: readonly string[]) => lines.find((line) => line.slice(6).startsWith(`${name}: `));

/** Asserts that each of these lines is the first one with its name. */
function assertPrinted(lines: readonly string[], ...expected: readonly string[]): void {
  for (const line of expected) assert.equal(lineOf(line.slice(6).split(':', 1)[0]!, lines), line);
}

async function listen(t: Cleanup, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const openWebsite = (t: Cleanup, respond: RequestListener) => listen(t, createHttpServer(respond));

/** The folder of a stopped service that has issued one token and written one mail to a file. */
const stoppedFolder = await startService({ after }, env).then(async (service) => {
  await service.token();
  await eventually(() => globSync('data/mail/*.eml', { cwd: service.folder }).length === 1);
  service.stop();
  await service.exited();
  return service.folder;
});

function copyStopped(t: Cleanup): string {
  const folder = newFolder(t);
  cpSync(stoppedFolder, folder, { recursive: true });
  return folder;
}

suite('doctor', { concurrency: 2 }, () => {
  test('finds no fault in a service that ends TLS itself and sends mail by a server that accepts its log-in', async (t) => {
    const { port } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(null, { user: 'me' }),
    });
    const SMTP_URL = `smtp://me:secret@127.0.0.1:${port}`;
    const { url, folder } = await startService(t, { ...env, ...tls, SMTP_URL });
    const BASE_URL = url.replace('127.0.0.1', 'localhost');
    const { code, lines } = await runDoctor(t, { ...tls, ...trusted, BASE_URL, SMTP_URL }, folder);
    assert.deepEqual(lines, [
      'ok    settings: all are valid',
      `ok    profile: ${env.PROFILE} is valid`,
      `ok    data: ${folder}/data can be written, and is closed to other users`,
      `ok    database: ${folder}/data/candidate-profile.db, N kB: 0 contacts, 0 tokens, 0 mails waiting`,
      'ok    outbox: 0 mails waiting, 0 of them after a failure, and 0 given up',
      `ok    key: ${folder}/data/signing-key.json holds 1 key, mode 600, written on a DAY`,
      'ok    clock: records are not dated in the future, and the clock at BASE_URL agrees',
      `ok    smtp: 127.0.0.1:${port} responds and accepts the log-in, the sender candidate-profile@localhost and the recipient owner@lenavasquez.dev`,
      'ok    tls: TLS_CERT is valid until 2120-01-01',
      'ok    tls: the certificate of BASE_URL is valid until 2120-01-01',
      'ok    proxy: not needed: the service ends TLS itself',
      `ok    oauth: clients can connect by ${BASE_URL}/mcp`,
      'ok    oauth: clients register, because OAUTH_CLIENT_DOCUMENTS is off',
      ...platform,
      `ok    address: ${BASE_URL} responds`,
    ]);
    assert.equal(code, 0);
  });

  test('says before the first start what that will create, and creates nothing itself', async (t) => {
    const folder = newFolder(t);
    const { code, lines } = await runDoctor(t, { BASE_URL: 'http://127.0.0.1:1' }, folder);
    assert.deepEqual(lines, [
      'ok    settings: all are valid',
      `ok    profile: ${env.PROFILE} is valid`,
      `warn  data: ${folder}/data does not exist yet; the first start creates it`,
      `warn  database: ${folder}/data/candidate-profile.db does not exist yet; the first start creates it`,
      `warn  key: ${folder}/data/signing-key.json does not exist yet; the first start creates it`,
      'ok    clock: records are not dated in the future',
      `warn  smtp: SMTP_URL is not set: each mail is written to a file in ${folder}/data/mail; set it to receive mail`,
      'ok    tls: not used: BASE_URL is http',
      'ok    proxy: not needed on this machine',
      'ok    oauth: clients can connect by http://127.0.0.1:1/mcp',
      'ok    oauth: clients register, because OAUTH_CLIENT_DOCUMENTS is off',
      ...platform,
      `warn  address: the service is not running at http://127.0.0.1:1; start it with ${programName} serve`,
    ]);
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('changes no byte of the data of a stopped service', async (t) => {
    const bytes = () =>
      globSync('data/**', { cwd: stoppedFolder, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [
          name,
          statSync(join(parentPath, name)).mtimeMs,
          readFileSync(join(parentPath, name), 'latin1'),
        ]);
    const before = bytes();
    const { code } = await runDoctor(t, {}, stoppedFolder);
    assert.equal(code, 0);
    assert.deepEqual(bytes(), before);
  });

  test('reports everything that is wrong in one run, with what to do about it', async (t) => {
    const folder = copyStopped(t);
    const data = join(folder, 'data');
    chmodSync(data, 0o755);
    chmodSync(join(data, 'signing-key.json'), 0o604);
    writeFileSync(join(data, 'candidate-profile.db'), 'Dear diary, this is not a database. '.repeat(200));
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, `${readFileSync(env.PROFILE, 'utf8').replace('id: cand_test', 'id: [1]')}more: 1\n`);
    const elsewhere = await openWebsite(t, (_, response) => response.end('Welcome to nginx!'));
    const { privateKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(folder, 'other.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    const { code, lines } = await runDoctor(
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
      'ok    clock: records are not dated in the future, and the clock at BASE_URL agrees',
      'fail  smtp: 127.0.0.1:1 cannot be used (ESOCKET); check SMTP_URL and the mail server',
      'fail  tls: TLS_KEY is not the key of TLS_CERT; set both to one pair',
      'ok    proxy: not needed: the service ends TLS itself',
      `ok    oauth: clients can connect by http://127.0.0.1:${elsewhere}/mcp`,
      'ok    oauth: clients register, because OAUTH_CLIENT_DOCUMENTS is off',
      ...platform,
      `fail  address: another service responds at http://127.0.0.1:${elsewhere}/healthz; point BASE_URL at this service`,
    ]);
    assert.equal(code, 1);
  });

  test('warns of a database that other users can read, and fails for one whose schema was altered', async (t) => {
    const folder = copyStopped(t);
    const path = join(folder, 'data/candidate-profile.db');
    chmodSync(path, 0o644);
    const { code, lines } = await runDoctor(t, {}, folder);
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
      using database = openSqliteFile(path);
      database.exec('create table recipes (id integer)');
    }
    assertPrinted(
      (await runDoctor(t, {}, folder)).lines,
      `fail  database: ${path}: its schema is not the one that candidate-profile makes: table recipes was added; put a backup in its place: ${programName} restore FILE`,
    );
  });

  test('fails for an untrusted certificate, and warns of visitors who share the limits of a proxy', async (t) => {
    const service = await startService(t, { ...env, ...tls });
    const { code, lines } = await runDoctor(t, { BASE_URL: service.url }, newFolder(t));
    assert.deepEqual(lines.slice(-7), [
      'fail  tls: the certificate of BASE_URL is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); have one issued for this name by a public authority',
      'warn  proxy: behind a proxy, all visitors have its address and share one set of limits; set TRUST_PROXY to the address of the proxy',
      `ok    oauth: clients can connect by ${service.url}/mcp`,
      'ok    oauth: clients register, because OAUTH_CLIENT_DOCUMENTS is off',
      ...platform,
      `fail  address: ${service.url} cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT); check that DNS, the proxy and the firewall lead to this service`,
    ]);
    assert.equal(code, 1);
    const BASE_URL = service.url.replace('127.0.0.1', 'localhost');
    const trusting = await runDoctor(t, { ...trusted, BASE_URL, TRUST_PROXY: '127.0.0.1' }, newFolder(t));
    assertPrinted(
      trusting.lines,
      'ok    proxy: TRUST_PROXY is set, so that visitors are told apart by X-Forwarded-For',
    );
    assert.equal(trusting.code, 0);
    const alone = await runDoctor(t, { BASE_URL: 'https://localhost:1' }, newFolder(t));
    assertPrinted(alone.lines, 'warn  tls: the certificate of BASE_URL could not be read; see address below');
  });

  test('finds dead letters, a missing key and a record dated in the future', async (t) => {
    const folder = copyStopped(t);
    renameSync(join(folder, 'data/signing-key.json'), join(folder, 'kept-elsewhere.json'));
    {
      using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
      const later = new Date(Date.now() + 600_000).toISOString();
      database.exec(
        `update issued_tokens set issued_at = '${later}'; update outbox set sent_at = null, last_error = 'EAUTH 535'`,
      );
    }
    const { code, lines } = await runDoctor(t, {}, folder);
    assertPrinted(
      lines,
      `warn  outbox: 0 mails waiting, 0 of them after a failure, and 1 given up; see smtp below, then ${programName} outbox retry`,
      `fail  key: ${folder}/data/signing-key.json is missing, and 1 token was issued with it; put your copy there before the next start`,
    );
    assert.match(
      lineOf('clock', lines) ?? '',
      /^fail {2}clock: the newest record is dated (5\d\d|600) s in the future; set the clock of this machine, and synchronize it by NTP$/,
    );
    assert.equal(code, 1);
    {
      using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
      database.exec('update outbox set due_at = created_at');
    }
    assertPrinted(
      (await runDoctor(t, {}, folder)).lines,
      `warn  outbox: 1 mail waiting, 1 of them after a failure, and 0 given up; see smtp below, then ${programName} outbox retry, or wait`,
    );
  });

  test('names a database of a newer version, a DATA_DIR that is a file, and no secret of a refused log-in', async (t) => {
    const folder = copyStopped(t);
    const path = join(folder, 'data/candidate-profile.db');
    {
      using database = openSqliteFile(path);
      database.exec("insert into kysely_migration values ('9999-later', '2126-11-21T12:00:00.000Z')");
    }
    const { port } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: ({ username }, _, done) => done(new Error(`no such user ${username}`)),
    });
    const more = { DATABASE_URL: path, DATA_DIR: 'data/mail/file', SMTP_URL: `smtp://me:secret@127.0.0.1:${port}` };
    writeFileSync(join(folder, 'data/mail/file'), '');
    const { code, lines } = await runDoctor(t, more, folder);
    assertPrinted(
      lines,
      `fail  database: ${path}: was written by a newer version of candidate-profile; run that version; put a backup in its place: ${programName} restore FILE`,
      `fail  data: ${folder}/data/mail/file is not a folder; set DATA_DIR to a folder`,
      `fail  smtp: 127.0.0.1:${port} cannot be used (EAUTH 535); check SMTP_URL and the mail server`,
    );
    assert.equal(code, 1);
  });

  test('waits 10 seconds for a server that never responds, and no longer', async (t) => {
    const silent = await listen(
      t,
      createServer((socket) => t.after(() => void socket.destroy())),
    );
    const more = { BASE_URL: `http://127.0.0.1:${silent}`, SMTP_URL: `smtp://127.0.0.1:${silent}` };
    const { code, lines } = await runDoctor(t, more, newFolder(t));
    assertPrinted(
      lines,
      `fail  smtp: 127.0.0.1:${silent} cannot be used (no response within 10 s); check SMTP_URL and the mail server`,
      `fail  address: http://127.0.0.1:${silent} cannot be reached (no response within 10 s); check that DNS, the proxy and the firewall lead to this service`,
    );
    assert.equal(code, 1);
  });
});

test('warns if clients cannot connect by OAuth, because the public address is not https', () => {
  const findingAt = (url: string, OAUTH = 'on') => checkOauth(readConfig({ OAUTH }, '/'), url);
  assert.deepEqual(findingAt('http://profile.example'), {
    level: 'warn',
    found: 'most clients refuse to connect by http://profile.example/mcp, because it is not https',
    remedy: 'set BASE_URL to an https address, or OAUTH to off',
  });
  assert.equal(findingAt('https://profile.example').level, 'ok');
  assert.equal(findingAt('http://[::1]:3000').level, 'ok');
  assert.deepEqual(findingAt('http://profile.example', 'off'), {
    level: 'ok',
    found: 'not used: OAUTH is off, so clients need a token from POST /auth/token',
    remedy: null,
  });
});

test('less than 1 GB of free disk is a warning, less than 100 MB a failure', () => {
  const findings = [42.5e9, 1e9, 999_999_999, 100e6, 99_999_999].map(toDiskFinding);
  assert.deepEqual(
    findings.map(({ level, found }) => `${level} ${found}`),
    [
      'ok 42.5 GB free on the disk of the database',
      'ok 1.0 GB free on the disk of the database',
      'warn 999 MB free on the disk of the database',
      'warn 100 MB free on the disk of the database',
      'fail 99 MB free on the disk of the database',
    ],
  );
});

test('a certificate that expires within three weeks is a warning', () => {
  const certificate = new X509Certificate(readFileSync(tls.TLS_CERT)); // from 2020 to 2120
  const findings = ['2019-12-31', '2119-12-11', '2119-12-12', '2120-01-02'].map((day) =>
    toExpiryFinding('TLS_CERT', certificate, new Date(`${day}T00:00:00Z`)),
  );
  assert.deepEqual(
    findings.map(({ level, found }) => `${level} ${found}`),
    [
      'fail TLS_CERT is not valid before 2020-01-01',
      'ok TLS_CERT is valid until 2120-01-01',
      'warn TLS_CERT expires on 2120-01-01',
      'fail TLS_CERT expired on 2120-01-01',
    ],
  );
});
