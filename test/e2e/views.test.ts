import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { readDocx } from '../support/docx.ts';
import { newFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { connectClient } from '../support/oauth-flow.ts';
import { eventually, runCommand, startService } from '../support/process.ts';
import { byHand, viewedProfile } from '../support/viewed-profile.ts';

const folder = newFolder({ after });
const documentOf = (name: string, text: string): string => {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, text);
  return path;
};

const titleAt = async (url: string, token: string): Promise<string> => {
  const response = await fetch(`${url}/candidate`, { headers: { authorization: `Bearer ${token}` } });
  return ((await response.json()) as { title: string }).title;
};

const ofView = 'Staff Engineer, Storage';
test('the view of a token or client counts on every replica at once, and is the public part once gone', async (t) => {
  const PROFILE = documentOf('changing', viewedProfile);
  const port = String(await freePort());
  const env = { PROFILE, BASE_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn' };
  const data = newFolder(t);
  const first = await startService(t, { ...env, PORT: port }, data);
  const second = await startService(t, env, data);
  const urls = [first.url, second.url];
  const run = (...args: string[]) => runCommand(t, args, env, data);
  const titlesOf = (token: string) => Promise.all(urls.map((url) => titleAt(url, token)));
  const reads = (token: string, title: string) =>
    eventually(async () => (await titlesOf(token)).every((one) => one === title));

  const token = await first.token();
  const { jti } = decodeJwt(token) as { jti: string };
  assert.deepEqual(await titlesOf(token), ['Engineer', 'Engineer']);
  const set = await run('tokens', 'view', jti.slice(0, 10), 'systems');
  assert.deepEqual(set, {
    code: 0,
    stdout: '',
    stderr: 'The token reads the view systems from its next request on.\n',
  });
  assert.deepEqual(await titlesOf(token), [ofView, ofView]);
  const listed = await run('tokens', 'list', '--json');
  assert.deepEqual(
    (JSON.parse(listed.stdout) as { jti: string; view?: string }[]).map((one) => [one.jti, one.view]),
    [[jti, 'systems']],
  );

  const unknown = await run('tokens', 'view', jti, 'system');
  assert.deepEqual(unknown, {
    code: 2,
    stdout: '',
    stderr: 'BAD_REQUEST: The profile has no view system; give systems, management, brief, all, public\n',
  });

  const client = await connectClient(first.url, { name: 'Claude', email: 'ada@example.org' });
  assert.deepEqual(await titlesOf(client.access), ['Engineer', 'Engineer']);
  const ofClient = await run('tokens', 'view', (decodeJwt(client.access) as { jti: string }).jti, 'systems', '--json');
  assert.equal(ofClient.stderr, 'The tokens of this client read the view systems from their next request on.\n');
  assert.deepEqual(await titlesOf(client.access), [ofView, ofView]);
  // A renewed token has the view with its first request, on the replica that did not issue it, too.
  const { access_token: renewed = '' } = await client.refresh();
  assert.deepEqual(await titlesOf(renewed), [ofView, ofView]);

  const without = viewedProfile.replace('  systems:\n', '  storage:\n');
  writeFileSync(`${PROFILE}.new`, without.replace('availability:', 'public: [name]\navailability:'));
  renameSync(`${PROFILE}.new`, PROFILE);
  await reads(token, '');
  await reads(renewed, '');
  for (const { lines, printed } of [first, second])
    await eventually(() => [...lines, ...printed].some((line) => /views?.*systems/.test(line)));
  const gone = 'views: does not have systems, which tokens read: they get the public part until another view is set';
  for (const file of [[], [PROFILE]])
    assert.match((await run('check', ...file)).stdout, new RegExp(`warning: ${gone}\n`));
  assert.doesNotMatch((await run('check', documentOf('other', without))).stdout, /which tokens read/);
  assert.equal((await run('tokens', 'view', jti, 'all')).code, 0);
  assert.deepEqual(await titlesOf(token), ['Engineer', 'Engineer']);
});

test('export writes a view, and check says what its readers see', async (t) => {
  const path = documentOf('exported', viewedProfile);
  for (const format of ['text', 'markdown', 'jsonresume', 'html']) {
    const written = documentOf('exported-by-hand', byHand.systems);
    const [view, whole] = [
      await runCommand(t, ['export', path, '--view', 'systems', '--format', format], {}),
      await runCommand(t, ['export', written, '--format', format], {}),
    ];
    assert.deepEqual(view, whole);
  }
  const shown = await runCommand(t, ['check', path, '--view', 'brief'], {});
  assert.equal(shown.code, 0);
  assert.match(shown.stderr, /is valid \(\d+ warnings?\)\nThe readers of brief see:\n {2}Ada Berg\n/);
  assert.match(shown.stderr, /Rackspace/);
  assert.doesNotMatch(shown.stderr, /Confluent|Talks/);
  const unknown = await runCommand(t, ['export', path, '--view', 'system'], {});
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.stderr,
    /--view: the profile has no view system; give systems, management, brief, all, public\n$/,
  );
});

test('a letter is printed in the look of a view, under its title', async (t) => {
  const profile = documentOf('writing', viewedProfile);
  writeFileSync(join(folder, 'acme.md'), '---\nto: Acme\nsubject: Hello\ndate: 2026-11-23\n---\n\nDear Acme,\n');
  const letter = join(folder, 'acme.docx');
  const words = ['letter', join(folder, 'acme.md'), '--profile', profile, '--view', 'systems', '--out', letter];
  assert.deepEqual(await runCommand(t, words, {}), { code: 0, stdout: '', stderr: '' });
  assert.match(JSON.stringify(readDocx(readFileSync(letter))), /Staff Engineer, Storage/);
});
