import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { signIn } from '../../support/desk.ts';
import {
  documentOf,
  openDocumentServer,
  type Respond,
  trustingEnv,
  trustServer,
} from '../../support/document-server.ts';
import { openTab } from '../../support/editor-desk.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { openTestService } from '../../support/in-process.ts';
import { eventually, runCommand, runProcess, startService } from '../../support/process.ts';

// In a process of its own, which trusts the server of the documents.
trustServer({ after });

const original = readFileSync(fixture('profile.yaml'), 'utf8');

/** Opens a server of a document; `address` has secrets in its query, user name and password, `name` is what may be shown of it. */
async function openAddress(t: TestContext, respond: Respond = documentOf(original)) {
  const server = await openDocumentServer(t, respond);
  const name = `${server.origin}/tess/profile.yaml`;
  const address = `${name.replace('//', '//zquser:zqpass@')}?signature=zqsign#zqpart`;
  return { ...server, name, env: { PROFILE: address } };
}

const secrets = /zquser|zqpass|zqsign|zqpart|enF1c2Vy/;
const encoded = Buffer.from('zquser:zqpass').toString('base64');

/** Waits until the log of a service, which comes by another way than what it prints, says that it serves its copy; returns the line. */
const copyServed = ({ lines }: Pick<Awaited<ReturnType<typeof startService>>, 'lines'>) =>
  eventually(() => lines.find((line) => line.includes('the last copy of the profile is served')) ?? false);

test('a start without a copy whose address does not answer is refused by one line that names PROFILE', async (t) => {
  const { env, name, close } = await openAddress(t);
  await close();
  const folder = newFolder(t);
  const DATA_DIR = join(folder, 'data');
  const fault = `${name}: does not answer (ECONNREFUSED); no copy can be served instead: ${DATA_DIR}/profile-copy.json does not exist\n`;
  const { code, stdout, stderr } = await runCommand(t, ['serve'], { ...env, DATA_DIR, PORT: '0' }, folder);
  assert.deepEqual([code, stdout, stderr], [1, '', `PROFILE: ${fault}`]);
  const option = await runCommand(t, ['serve', '--profile', env.PROFILE], { DATA_DIR, PORT: '0' }, folder);
  assert.deepEqual([option.code, option.stdout, option.stderr], [1, '', `--profile: ${fault}`]);
});

for (const [kind, PROFILE] of Object.entries({
  http: 'http://localhost/p.yaml?zqsign',
  'another scheme': 'ftp://zquser:zqpass@localhost/p.yaml',
  'a file address': 'file:///etc/zqpart',
  'a missing slash': ' "https:/zquser:zqpass@localhost:port/?zqsign"',
  'a password that cannot be decoded': 'https://zquser:zqpass%@localhost/',
}))
  test(`what is not an https address is refused, and not printed: ${kind}`, async (t) => {
    const { code, stdout, stderr } = await runCommand(t, ['serve'], { PROFILE, LOG_LEVEL: 'debug' });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^PROFILE: must be a file, or an address that begins with https:\/\/\n/);
    assert.doesNotMatch(stderr, secrets);
    const checked = await runCommand(t, ['check', PROFILE]);
    assert.deepEqual([checked.code, checked.stdout], [2, '']);
    assert.match(checked.stderr, /^candidate-profile: the document must be a file, or an https:\/\/ address\n/);
  });

test('a certificate that this machine does not trust is refused, and the fault says how to trust it', async (t) => {
  const { env, name } = await openAddress(t);
  const { code, stdout } = await runProcess(t, ['check'], env);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `${name}: has a certificate that is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); if its authority is your own, set NODE_EXTRA_CA_CERTS to the file of that\n`,
  );
  assert.equal((await runProcess(t, ['check'], { ...env, ...trustingEnv })).code, 0);
});

test('check, export, openapi and doctor read the document at the address', async (t) => {
  const { env, name, answer } = await openAddress(t);
  const run = (...args: string[]) => runCommand(t, args, env);
  const checked = await run('check');
  assert.equal(checked.code, 0);
  assert.ok(checked.stderr.startsWith(`${name} is valid (3 warnings)\n`));
  assert.match(checked.stderr, /^Without an address, a stranger sees:$/m);
  assert.match(checked.stdout, new RegExp(`^${name}:9:21: warning: candidate.years_experience: `, 'm'));
  assert.deepEqual(await runCommand(t, ['check', env.PROFILE]), checked);
  assert.match((await run('export', '--format', 'text')).stdout, /^Tess Example\n/);
  assert.equal(JSON.parse((await run('openapi')).stdout).openapi, '3.1.1');
  assert.match((await run('doctor')).stdout, new RegExp(`^ok    profile: ${name} is valid$`, 'm'));

  answer((_, response) => response.writeHead(404).end());
  const fault = `${name}: answers 404 instead of 200`;
  assert.deepEqual(await run('check'), { code: 1, stdout: `${fault}\n`, stderr: '' });
  assert.deepEqual(await run('export'), { code: 1, stdout: '', stderr: `${fault}\n` });
  assert.match((await run('doctor')).stdout, new RegExp(`^fail  profile: ${fault}$`, 'm'));
});

test('the desk says where the profile is, shows its faults and edits nothing', async (t) => {
  const { env, name, answer } = await openAddress(t);
  const service = await openTestService({ PROFILE: env.PROFILE });
  t.after(service.close);
  const owner = await signIn(service);
  const page = async (path: string) => (await owner.get(path)).text();
  const profile = await page('/desk/profile');
  assert.match(profile, new RegExp(`The profile is at <code>${name}</code>`));
  assert.match(profile, /Your profile is at an address, and edited there/);
  assert.match(profile, /Years of experience: says 12/);
  assert.doesNotMatch(profile, /id="editor"/);

  const yaml = await page('/desk/profile/yaml');
  assert.match(yaml, /Your profile is at an address, and edited there: a new version is served within half a minute\./);
  assert.match(yaml, /<textarea [^>]*readonly/);
  assert.equal((await openTab(service, owner).publish()).body.message, 'the profile is at an address');

  answer(documentOf(`${original}shoe: 44\n`, '"2"'));
  service.opened.profile.reload();
  await eventually(() => service.opened.profile.isStale());
  const faulty = await page('/desk/profile');
  assert.match(faulty, /The document has faults, so visitors get the profile as it was loaded before\./);
  assert.match(faulty, /Line \d+: shoe: is not a known key/);
  assert.match(await page('/desk'), /The profile, as it is now, cannot be served\./);
  for (const text of [profile, yaml, faulty]) assert.doesNotMatch(text, secrets);
});

test('query, user name and password are sent, and appear in no output, page, metric or file [TRUST-52]', async (t) => {
  assert.equal(encoded.slice(0, 8), 'enF1c2Vy');
  const { env, requests, close, answer } = await openAddress(t);
  const folder = newFolder(t);
  const settings = { ...env, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'trace', METRICS_PORT: '0' };
  const service = await startService(t, settings, folder);
  assert.equal(requests[0]?.url, '/tess/profile.yaml?signature=zqsign');
  assert.equal(requests[0].headers.authorization, `Basic ${encoded}`);
  const metrics = await eventually(
    () => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(service.printed.join('\n'))?.[0] ?? false,
  );
  const seen: string[] = [];
  const see = async (url: string) => seen.push(await (await fetch(url)).text());
  for (const path of ['/', '/readyz', '/openapi.json', '/docs', '/llms.txt']) await see(service.url + path);
  await see(metrics);
  const commands = [
    ['check'],
    ['doctor'],
    ['doctor', '--json'],
    ['export'],
    ['openapi'],
    ['backup', 'b.db'],
    ['init'],
    ['--help'],
  ];
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await runCommand(t, args, settings, folder);
    seen.push(stdout, stderr);
  };
  for (const args of commands) await run(...args);
  service.stop();
  assert.equal(await service.exited(), 0);
  const faults: Respond[] = [
    (_, response) => response.writeHead(302, { location: '/?zqsign' }).end(),
    documentOf('{'),
    (_, response) => void response.destroy(),
  ];
  for (const fault of faults) {
    answer(fault);
    const again = await startService(t, settings, folder);
    await copyServed(again);
    seen.push(...again.lines, ...again.printed);
    again.stop();
    await again.exited();
    await run('check');
  }
  await close();
  for (const args of [['check'], ['doctor'], ['export'], ['backup', 'c.db']]) await run(...args);
  seen.push(...service.lines, ...service.printed);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) seen.push(readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  assert.ok(seen.some((text) => text.includes('/tess/profile.yaml')));
  for (const text of seen) assert.doesNotMatch(text, secrets);
});
