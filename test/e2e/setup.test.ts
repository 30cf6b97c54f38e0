import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { confirmLink, formPost, formTokenOf, sample } from '../support/desk.ts';
import { openTab } from '../support/editor-desk.ts';
import { newFolder } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, runCommand, startService } from '../support/process.ts';
import { setupCode as SETUP_CODE } from '../support/setup.ts';

const OWNER_EMAIL = 'owner@lenavasquez.dev';
const settings = { SETUP_CODE, OWNER_EMAIL, PROFILE: 'data/profile.yaml', BASE_URL: 'https://profile.example.org' };

/** Checks that no file of a service, and nothing that it printed, has the code. */
function assertUnsaid(code: string, { folder, lines, printed }: Awaited<ReturnType<typeof startService>>): void {
  const files = globSync('**', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  assert.ok(files.includes('data/candidate-profile.db'), files.join(' '));
  for (const path of files) assert.equal(readFileSync(join(folder, path), 'latin1').includes(code), false, path);
  assert.doesNotMatch([...lines, ...printed].join('\n'), new RegExp(code));
}

test('a container with an empty volume gets its profile at the desk, and writes the code nowhere [TRUST-77]', async (t) => {
  const service = await startService(t, { ...settings, LOG_LEVEL: 'trace', METRICS_PORT: '0' });
  await eventually(() => service.printed.some((line) => line.endsWith('/desk')));
  assert.ok(service.printed.includes('  To put a profile there, sign in with SETUP_CODE:'));
  const host = { 'x-forwarded-host': 'profile.example.org' };
  const desk = `${service.url}/desk`;
  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
  assert.equal((await ask('/readyz', { headers: host })).status, 200);
  assert.equal((await ask('/auth/token', postJson({ email: 'visitor@example.org' }))).status, 503);

  const headers = { origin: 'https://profile.example.org', host: 'profile.example.org' };
  const form_token = formTokenOf(await (await fetch(desk)).text());
  const wrong = await ask('/desk/sign-in/code', formPost({ form_token, code: 'a guess of somebody' }, headers));
  assert.equal(wrong.status, 403);
  const entered = await ask('/desk/sign-in/code', formPost({ form_token, code: SETUP_CODE }, headers));
  assert.equal(entered.status, 303);
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!;
  const text = sample.replace(/^owner_email:.*$/m, `owner_email: ${OWNER_EMAIL}`);
  const tab = openTab(
    { ask: (path, init) => ask(path, { ...init, headers: { ...init?.headers, ...headers } }) },
    { cookie },
  );
  await tab.copy();
  assert.equal((await tab.write(text)).status, 303);
  assert.equal((await tab.publish()).status, 200);
  assert.equal(readFileSync(join(service.folder, 'data/profile.yaml'), 'utf8'), text);
  assert.match(await service.token(), /^ey/);
  assert.equal((await ask('/desk', { headers: { cookie } })).status, 200);
  const [metrics] = service.printed.flatMap((line) => /Metrics +(http:\S+?),/.exec(line)?.[1] ?? []);
  assert.doesNotMatch(await (await fetch(metrics!)).text(), /otters/);
  service.stop();
  assert.equal(await service.exited(), 0);
  assertUnsaid(SETUP_CODE, service);

  const again = await startService(t, settings, service.folder);
  const warnings = () => again.lines.filter((line) => line.includes('SETUP_CODE'));
  await eventually(() => warnings().length > 0);
  assert.deepEqual(
    warnings().map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['SETUP_CODE opens nothing, because there is a profile; remove it from the settings'],
  );
  assertUnsaid(SETUP_CODE, again);
  const doctor = await runCommand(t, ['doctor'], settings, service.folder);
  assert.match(
    doctor.stdout,
    /warn {2}profile: SETUP_CODE opens nothing, because there is a profile; remove it from the settings\n/,
  );
  assert.doesNotMatch(doctor.stdout + doctor.stderr, /otters/);

  rmSync(join(service.folder, 'data/profile.yaml'));
  const restored = await runCommand(t, ['history', 'restore', '1'], settings, service.folder);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(readFileSync(join(service.folder, 'data/profile.yaml'), 'utf8'), text);
});

test('a start without a profile is refused without SETUP_CODE, with a short one, or without OWNER_EMAIL', async (t) => {
  const folder = newFolder(t);
  const refusalOf = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await runCommand(t, ['serve', '--port', '0'], env, folder);
    assert.equal(code, 1);
    assert.doesNotMatch(stdout + stderr, /otters| {4}at /);
    return stderr.replace(/^\{.*\n/gm, '').trimEnd();
  };
  const { SETUP_CODE: _, ...without } = settings;
  assert.equal(await refusalOf(without), `PROFILE: ${folder}/data/profile.yaml does not exist`);
  assert.equal(
    await refusalOf({ ...settings, SETUP_CODE: 'seven otters 41' }),
    `SETUP_CODE: must have 16 characters or more, so that nobody can guess it; to make one: openssl rand -hex 16
PROFILE: ${folder}/data/profile.yaml does not exist`,
  );
  const { OWNER_EMAIL: __, ...unowned } = settings;
  assert.equal(await refusalOf(unowned), 'OWNER_EMAIL: set it, so that notices can reach you');
  assert.match(
    await refusalOf({ ...settings, OWNER_EMAIL: 'owner@example.org' }),
    /^OWNER_EMAIL: notices reach nobody: .* \(required if others can connect; ALLOW_SAMPLE=true overrides\)$/,
  );
  assert.equal(
    await refusalOf({ ...settings, PROFILE: 'missing/profile.yaml' }),
    `PROFILE: ${folder}/missing/profile.yaml does not exist, and the desk cannot make it, because its folder does not exist`,
  );
});

test('without a profile, commands that need one say so, and the others work', async (t) => {
  const folder = newFolder(t);
  const env = { ...settings, LOG_LEVEL: 'warn' };
  const run = (...args: string[]) => runCommand(t, args, env, folder);
  const missing = `${folder}/data/profile.yaml`;
  for (const args of [['call', 'get_candidate'], ['mcp']]) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout, stderr], [1, '', `PROFILE: ${missing} does not exist\n`], args.join(' '));
  }
  for (const args of [['export'], ['check'], ['openapi']]) {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 1);
    assert.equal(stdout + stderr, `${missing}: does not exist\n`);
  }
  const doctor = await run('doctor');
  assert.match(
    doctor.stdout,
    /warn {2}profile: .*\/data\/profile\.yaml does not exist yet; publish the first profile at the desk\n/,
  );
  for (const args of [
    ['tokens', 'list'],
    ['contacts', 'list'],
    ['history', 'list'],
    ['outbox', 'list'],
    ['desk'],
    ['keys', 'generate'],
    ['backup', 'copy.db'],
  ]) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  }
});

test('the link that the command prints signs in without the code, before there is a profile', async (t) => {
  const service = await startService(t, { SETUP_CODE, OWNER_EMAIL, PROFILE: 'data/profile.yaml' });
  const { stdout } = await runCommand(
    t,
    ['desk'],
    { SETUP_CODE, OWNER_EMAIL, PROFILE: 'data/profile.yaml' },
    service.folder,
  );
  const cookie = await confirmLink(stdout.trim());
  const page = await fetch(`${service.url}/desk`, { headers: { cookie } });
  assert.deepEqual([page.status, new URL(page.url).pathname], [200, '/desk/profile/import']);
});

test('a program that is led to a service without a profile is told so', async (t) => {
  const { url } = await startService(t, { SETUP_CODE, OWNER_EMAIL });
  const call = await runCommand(t, ['call', 'get_candidate', '--url', url, '--token', 'abc']);
  assert.deepEqual([call.code, call.stdout, call.stderr], [1, '', 'UNAVAILABLE: There is no profile here yet.\n']);
  const bridge = await runCommand(t, ['mcp', '--url', url, '--token', 'abc'], {}, undefined, '');
  assert.equal(bridge.stderr, `${url}/mcp is unavailable at the moment; try again in a minute\n`);
});

test('without PROFILE, SETUP_CODE begins with nothing, and not with the sample', async (t) => {
  const service = await startService(t, { SETUP_CODE, OWNER_EMAIL });
  assert.match(await (await fetch(service.url, { headers: { accept: 'text/html' } })).text(), /Nothing here yet/);
  assert.ok(service.printed.some((line) => line.endsWith(`${service.folder}/profile.yaml (not there yet)`)));
});
