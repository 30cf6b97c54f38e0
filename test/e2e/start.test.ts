import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { fixture, newFolder } from '../support/files.ts';
import { runProgram } from '../support/installed-package.ts';
import { eventually, programName, runCommand, startProcess, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const PROFILE = fixture('profile.yaml');
const OWNER_EMAIL = 'owner@lenavasquez.dev';

/** Prints the first flag of V8 that a program sets, and ends it then. */
const flagPrinted = `data:text/javascript,
  import v8 from 'node:v8';
  v8.setFlagsFromString = (flag) => { console.log(flag); process.exit(); };`;

suite('A start', { concurrency: 2 }, () => {
  test('prints a link to the desk, of one’s own profile in a terminal alone, unless others can connect', async (t) => {
    const linkOf = async (env: Record<string, string>, isTTY = false) => {
      const { printed } = await startService(t, env, undefined, [], { isTTY });
      await eventually(() => printed.includes('  To get a first token:'));
      return printed[2]!.replace(/http:\/\/127\.0\.0\.1:\d+/, '');
    };
    const noLink = 'Your desk is at /desk';
    assert.match(await linkOf({}), /^To put your profile there: \/desk\/sign-in\?link=[\w-]{43}$/);
    assert.equal(await linkOf({ HOST: '0.0.0.0', ALLOW_SAMPLE: 'true', ALLOW_INSECURE_HTTP: 'true' }), noLink);
    assert.equal(await linkOf({ TRUST_PROXY: '127.0.0.1/32' }), noLink);
    assert.equal(await linkOf({ PROFILE, OWNER_EMAIL }), noLink);
    assert.equal(await linkOf({ PROFILE, OWNER_EMAIL, HOST: '0.0.0.0', ALLOW_INSECURE_HTTP: 'true' }, true), noLink);
    const toOwn = await startService(t, { PROFILE, OWNER_EMAIL }, undefined, [], { isTTY: true });
    await eventually(() => toOwn.printed.includes('  To get a first token:'));
    const [, link] = /^To change it, and see who read it: (\S+)$/.exec(toOwn.printed[2]!)!;
    assert.match(await (await fetch(link!)).text(), /<button[^>]*>Sign in<\/button>/);
  });

  test('by the launcher limits the garbage of a service, and of no other command', { timeout: 60_000 }, async (t) => {
    const launcher = fileURLToPath(new URL('../../bin/candidate-profile.cjs', import.meta.url));
    const printedBy = async (...args: string[]) =>
      (await runProgram(process.execPath, ['--import', flagPrinted, launcher, ...args], newFolder(t))).stdout;
    assert.equal(await printedBy('serve', '--port', '0'), '--heap-growing-percent=50\n');
    assert.match(await printedBy('--version'), /^[\d.]+\n$/);
  });

  test('without any configuration serves the sample on loopback only, and keeps its data private', async (t) => {
    assert.equal(packageJson.scripts.start, 'node bin/candidate-profile.cjs serve');
    const service = await startProcess(t);
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    await eventually(() => service.printed.length > 1);
    assert.equal(service.printed[1], `The page is at ${service.url}/`);
    const headers = { authorization: `Bearer ${await service.token()}` };
    const candidate = (await (await fetch(`${service.url}/candidate`, { headers })).json()) as { name: string };
    assert.equal(candidate.name, 'Dr. Lena Vasquez');

    const made = () => globSync('data/**', { cwd: service.folder });
    await eventually(() => made().some((path) => path.endsWith('.eml')));
    for (const path of ['data/candidate-profile.db', 'data/signing-key.json', 'data/mail'])
      assert.ok(made().includes(path), path);
    for (const path of made()) assert.equal(statSync(join(service.folder, path)).mode & 0o077, 0, path);
  });

  test('from the archives of Yarn is refused with the setting that unpacks them', (t) => {
    const hook = join(newFolder(t), 'pnp.cjs');
    writeFileSync(hook, "process.versions.pnp = '3';");
    const launcher = fileURLToPath(new URL('../../bin/candidate-profile.cjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, ['-r', hook, launcher, 'serve'], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.deepEqual([status, stderr.includes('put the line `nodeLinker: node-modules` into .yarnrc.yml')], [1, true]);
  });

  test('is followed by a warning once the profile loses what the next start needs, and goes on serving', async (t) => {
    const own = newFolder(t);
    const file = join(own, 'profile.yaml');
    const original = readFileSync(PROFILE, 'utf8');
    writeFileSync(file, original);
    const service = await startService(t, { BASE_URL: 'https://profile.example.org', OWNER_EMAIL }, own);
    writeFileSync(file, original.replace(/^ {2}name: .*$/m, '  name: ""'));
    const warned = () =>
      service.lines.map((line) => JSON.parse(line)).find(({ msg }) => String(msg).startsWith('the next start'));
    await eventually(() => warned() !== undefined);
    assert.equal(warned().msg, `the next start will be refused: ${isNameless}`);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });

  test('reads the settings in .env', async (t) => {
    const folder = newFolder(t);
    writeFileSync(
      join(folder, '.env'),
      `PROFILE=${PROFILE}\nBASE_URL=https://profile.example.org\nOWNER_EMAIL=${OWNER_EMAIL}\n`,
    );
    const service = await startService(t, {}, folder);
    const { servers } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { servers: unknown };
    assert.deepEqual(servers, [{ url: 'https://profile.example.org' }]);
  });
});

const folder = newFolder({ after });
const fileWith = (name: string, content: string) => {
  writeFileSync(join(folder, name), content, { mode: 0o600 });
  return join(folder, name);
};
const file = fileWith('file', 'text');
const wrong = fileWith(
  'wrong.yaml',
  readFileSync(PROFILE, 'utf8').replace('id: cand_test', 'id: [1, 2]').concat('more: 1\n'),
);
const ownerless = fileWith('ownerless.yaml', readFileSync(PROFILE, 'utf8').replace(/^owner_email.*$/m, ''));
const openKey = fileWith('open-key.pem', readFileSync(fixture('tls-key.pem'), 'utf8'));
chmodSync(openKey, 0o644);

const unseen = fileWith(
  'unseen.yaml',
  readFileSync(PROFILE, 'utf8').replace(/^ {2}name: .*$/m, '  name: "\\u200b \\u3164"'),
);
const nameless = fileWith('nameless.yaml', readFileSync(PROFILE, 'utf8').replace(/^ {2}name: .*$/m, '  name: ""'));

const unless = '(required if others can connect; ALLOW_SAMPLE=true overrides)';
const isSample = `PROFILE: the sample is served; write profile.yaml with ${programName} init, or set PROFILE ${unless}`;
const isMadeUp = `OWNER_EMAIL: notices reach nobody: example.org is an example domain that receives no mail; set OWNER_EMAIL, or owner_email in the profile ${unless}`;
const isNameless = `PROFILE: visitors see no name; write candidate.name in the profile ${unless}`;

/** Settings that prevent a start, each with the lines on stderr. */
const wrongStarts: Record<string, [env: Record<string, string>, ...lines: (string | RegExp)[]]> = {
  'a key for TLS that others can read': [
    { PROFILE, TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: openKey },
    'TLS_KEY: cannot be read: it is open to other users of this machine, chmod 600 it',
  ],
  'several wrong settings': [
    { PORT: '70000', OWNER_EMAIL: 'me', SMTP_URL: 'mail.example.org', TOKEN_TTL: 'long', TRUST_PROXY: '10.0.0.0/99' },
    'PORT: must be a port number, 0 to 65535',
    'OWNER_EMAIL: must be a valid email address',
    'SMTP_URL: must be an smtp:// or smtps:// URL',
    'TOKEN_TTL: must be a duration such as 15m, 24h or 30d',
    'TRUST_PROXY: must be a list of addresses or CIDRs such as 10.0.0.0/8',
  ],
  'settings that are invalid alone or in combination': [
    {
      PORT: 'x',
      BASE_URL: 'http://profile.example.org',
      SIGNING_KEY: '{}',
      PROFILE: 'nowhere.yaml',
      ALLOWED_HOSTS: 'a/b',
      ALLOWED_ORIGINS: 'app.example.org',
    },
    'PORT: must be a port number, 0 to 65535',
    'SIGNING_KEY: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys',
    'ALLOWED_HOSTS: must be a list of host names such as profile.example.org',
    'ALLOWED_ORIGINS: must be a list of origins such as https://app.example.org',
    'BASE_URL: must be https unless it is loopback (ALLOW_INSECURE_HTTP=true overrides)',
    `PROFILE: ${folder}/nowhere.yaml does not exist`,
  ],
  'a profile with several faults': [
    { PROFILE: wrong },
    `${wrong}:4:7: candidate.id: must be a string`,
    `${wrong}:52:1: more: is not a known key`,
  ],
  'the sample on all interfaces': [{ HOST: '0.0.0.0' }, isSample, isMadeUp],
  'the sample at a public address': [{ BASE_URL: 'https://profile.example.org' }, isSample, isMadeUp],
  'an address of the owner that is made up, at a public address': [
    { PROFILE, BASE_URL: 'https://profile.example.org' },
    isMadeUp,
  ],
  'OWNER_EMAIL that is made up, on all interfaces': [
    { PROFILE, HOST: '::', OWNER_EMAIL: 'me@mail.test' },
    /^OWNER_EMAIL: notices reach nobody: mail\.test is .+$/,
  ],
  'a name of characters that nobody sees': [{ PROFILE: unseen, OWNER_EMAIL, HOST: '::' }, isNameless],
  'an owner address at an example domain in letters that browsers take for those of ASCII': [
    { PROFILE, OWNER_EMAIL: 'me@ⓔxample.ORG', HOST: '0.0.0.0' },
    isMadeUp,
  ],
  'a profile without a name at a public address': [
    { PROFILE: nameless, OWNER_EMAIL, BASE_URL: 'https://profile.example.org' },
    isNameless,
  ],
  'a profile without owner_email': [
    { PROFILE: ownerless },
    'OWNER_EMAIL: set it, or owner_email in the profile, so that notices can reach you',
  ],
  'an address of another machine': [
    { PROFILE, HOST: '192.0.2.1' },
    'HOST: 192.0.2.1 is not an address of this machine',
  ],
  'a file in place of the data folder': [{ DATA_DIR: 'file' }, /^DATA_DIR: [^\n]+\/file is not a folder$/],
  'a file that is not a database': [
    { DATABASE_URL: 'wrong.yaml' },
    `DATABASE_URL: ${wrong} cannot be used: file is not a database`,
  ],
  'PostgreSQL without a signing key': [
    { DATABASE_URL: 'postgres://user:secret@db.example.org/profile' },
    `SIGNING_KEY: must be set with PostgreSQL, so that all replicas sign with the same key; to print one: ${programName} keys generate`,
  ],
  'another kind of database': [
    { DATABASE_URL: 'mysql://user:secret@db.example.org/profile' },
    'DATABASE_URL: must be a file path, or an address such as postgres://USER:PASSWORD@HOST/DATABASE',
  ],
  'a password that is not encoded': [
    { DATABASE_URL: 'postgres://user:12/se?cret@db.example.org/profile' },
    'DATABASE_URL: has an @ after a / ? or #: in a password or parameter, write @ / ? # % as %40 %2F %3F %23 %25',
  ],
  'a missing certificate and key': [
    { TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' },
    /^TLS_CERT: cannot be read: ENOENT: .+ '\/.+\/a\.pem'$/,
    /^TLS_KEY: cannot be read: ENOENT: .+ '\/.+\/b\.pem'$/,
  ],
  'an invalid certificate and key': [{ TLS_CERT: file, TLS_KEY: file }, /^TLS_CERT, TLS_KEY: \S[^\n]+$/],
};

suite('A start is refused, with a line for each fault and nothing else', { concurrency: 2 }, () => {
  const assertRefused = (
    { code, stdout, stderr }: Awaited<ReturnType<typeof runCommand>>,
    lines: readonly (string | RegExp)[],
  ) => {
    const printed = stderr.trimEnd().split('\n');
    assert.deepEqual(
      printed,
      lines.map((line, index) => (line instanceof RegExp ? (line.exec(printed[index] ?? '')?.[0] ?? line) : line)),
    );
    assert.equal(stdout, '');
    assert.equal(code, 1);
  };

  for (const [name, [env, ...lines]] of Object.entries(wrongStarts))
    test(`with ${name}`, async (t) =>
      assertRefused(await runCommand(t, ['serve'], { PORT: '0', ...env }, folder), lines));

  test('with a data folder that cannot be created', { skip: !existsSync('/proc/self') }, async (t) =>
    assertRefused(await runCommand(t, ['serve'], { PORT: '0', DATA_DIR: '/proc/data/here' }), [
      /^DATA_DIR: cannot be written: ENOENT: [^\n]+$/,
    ]),
  );

  test('with the data of a newer version, which are left unchanged', async (t) => {
    const service = await startService(t);
    service.stop();
    await service.exited();
    const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    database.exec("insert into kysely_migration values ('9999-later', '2126-11-21T12:00:00.000Z')");
    const tables = () => database.prepare('select * from sqlite_schema').all();
    const before = tables();
    assertRefused(await runCommand(t, ['serve'], { PORT: '0' }, service.folder), [
      'The database was written by a newer version of candidate-profile; run that version',
    ]);
    assert.deepEqual(tables(), before);
    database.close();
  });
});
