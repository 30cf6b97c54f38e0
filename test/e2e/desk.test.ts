import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { rowsOf, testOnSqlite } from '../support/database.ts';
import { confirmLink, formPost, formTokenOf } from '../support/desk.ts';
import { fixture } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { eventually, runCommand, startProcess, startService } from '../support/process.ts';
import { paste } from '../support/shell.ts';

const PROFILE = fixture('profile.yaml');

const secretOf = (url: string) => new URL(url).searchParams.get('link') ?? assert.fail(url);

const statusAt = async (url: string, cookie: string) => (await fetch(`${url}/desk`, { headers: { cookie } })).status;

/** Returns the text of every file below a folder, the database included. */
const filesBelow = (folder: string) =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

suite('desk', { concurrency: true }, () => {
  test('prints a link that signs in at the running service, and one made before it was started', async (t) => {
    const service = await startService(t, { PROFILE });
    const env = { PROFILE, PORT: new URL(service.url).port };
    const { code, stdout, stderr } = await runCommand(t, ['desk'], env, service.folder);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^${RegExp.escape(service.url)}/desk/sign-in\\?link=[\\w-]{43}\n$`));
    assert.match(stderr, /^Open it while the service runs\. It works once, until \w+, .* at \d\d:\d\d .+\.\n$/);
    assert.equal(await statusAt(service.url, await confirmLink(stdout.trim())), 200);

    service.stop();
    await service.exited();
    const early = await runCommand(t, ['desk', '--json'], env, service.folder);
    const { url, expires_at, ...rest } = JSON.parse(early.stdout);
    assert.deepEqual(rest, {});
    assert.ok(Date.parse(expires_at) > Date.now());
    const again = await startService(t, { PROFILE, PORT: env.PORT }, service.folder);
    assert.equal(await statusAt(again.url, await confirmLink(url)), 200);
  });

  test('--sign-out-all ends every session and link of a running service', async (t) => {
    const service = await startService(t, { PROFILE });
    const env = { PROFILE, PORT: new URL(service.url).port };
    const linkOf = async () => (await runCommand(t, ['desk'], env, service.folder)).stdout.trim();
    const cookies = [await confirmLink(await linkOf()), await confirmLink(await linkOf())];
    const unused = await linkOf();
    const ended = await runCommand(t, ['desk', '--sign-out-all', '--json'], env, service.folder);
    assert.deepEqual(
      [ended.code, ended.stdout, ended.stderr],
      [0, '{"ended":2}\n', 'Ended 2 sessions at the desk, and every link that was not used.\n'],
    );
    for (const cookie of cookies) assert.equal(await statusAt(service.url, cookie), 403);
    assert.equal((await fetch(unused)).status, 404);
  });

  test('finds the service that runs, wherever it listens, and no longer one that has ended', async (t) => {
    const service = await startProcess(t, { PROFILE });
    const addressOf = async () => {
      const { code, stdout, stderr } = await runCommand(t, ['desk'], { PROFILE }, service.folder);
      assert.equal(code, 0, stderr);
      return new URL(stdout).origin;
    };
    const file = join(service.folder, 'data/service.json');
    assert.equal(await addressOf(), service.url);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const written = JSON.parse(readFileSync(file, 'utf8'));

    service.kill('SIGKILL');
    await service.exited();
    assert.equal(await addressOf(), 'http://127.0.0.1:3000');
    // Another process has the id of that one now.
    writeFileSync(file, JSON.stringify({ ...written, pid: process.pid }));
    assert.equal(await addressOf(), 'http://127.0.0.1:3000');
    writeFileSync(file, 'damaged');
    assert.equal(await addressOf(), 'http://127.0.0.1:3000');

    const again = await startProcess(t, { PROFILE, BASE_URL: 'http://localhost:3999' }, service.folder);
    assert.equal(await addressOf(), 'http://localhost:3999');
    again.kill('SIGTERM');
    await again.exited();
    assert.equal(existsSync(file), false);
  });

  test('is suggested by serve with the data folder that only serve was told', async (t) => {
    const service = await startProcess(t, { PROFILE }, undefined, ['--data', 'my data']);
    const suggested = () => service.printed.find((line) => line.startsWith('  Desk '))?.split('for a link: ')[1];
    const command = await eventually(() => suggested() ?? false);
    const { stdout } = await paste(command, service.folder);
    assert.equal(await statusAt(service.url, await confirmLink(stdout.trim())), 200);
  });

  test('refuses to print a link to port 0', async (t) => {
    const { code, stderr } = await runCommand(t, ['desk'], { PROFILE, PORT: '0' });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'PORT: is 0, so the address of the desk is not known; set it to the port that serve printed\n',
    );
  });
});

suite('A mailed link', { concurrency: true }, () => {
  test('reaches the owner by SMTP and signs in; its secret is then in no file and no line of the log [TRUST-46]', async (t) => {
    const inbox = await openInbox(t);
    const service = await startService(t, { PROFILE, SMTP_URL: inbox.url, LOG_LEVEL: 'trace', LIMITS: '1' });
    const form_token = formTokenOf(await (await fetch(`${service.url}/desk/inbox`)).text());
    await fetch(`${service.url}/desk/sign-in`, formPost({ form_token, to: '/desk/inbox' }));
    await eventually(() => inbox.received.length === 1);
    const [{ email, to }] = inbox.received as [(typeof inbox.received)[0]];
    assert.deepEqual([to, email.subject, email.replyTo], [['owner@example.org'], 'Sign in to your desk', undefined]);
    const url = /^http.*$/m.exec(email.text!)![0];
    const cookie = await confirmLink(url);
    assert.equal(await statusAt(service.url, cookie), 200);
    await eventually(() => service.lines.some((line) => JSON.parse(line).msg === 'mail sent'));
    service.stop();
    await service.exited();

    const written = `${filesBelow(service.folder)}${service.lines.join('\n')}${service.printed.join('\n')}`;
    assert.match(written, /"event":"desk_link_requested".*"event":"desk_signed_in"/s);
    for (const secret of [secretOf(url), cookie.split('=')[1]!]) assert.ok(!written.includes(secret));
  });

  test('is a file without SMTP, which is removed once the link was used or has expired', async (t) => {
    const service = await startService(t, { PROFILE });
    const form_token = formTokenOf(await (await fetch(`${service.url}/desk`)).text());
    await fetch(`${service.url}/desk/sign-in`, formPost({ form_token, to: '/desk' }));
    const database = join(service.folder, 'data/candidate-profile.db');
    const mails = () => globSync('data/mail/*.eml', { cwd: service.folder });
    await eventually(() => rowsOf(database, 'select 1 from outbox where sent_at is not null').length === 1);
    assert.equal(mails().length, 1);
    service.stop();
    await service.exited();
    rowsOf(database, "update sign_in_links set expires_at = '2026-01-01T00:00:00.000Z'");
    await startService(t, { PROFILE }, service.folder);
    await eventually(() => mails().length === 0);
    assert.deepEqual(rowsOf(database, 'select * from outbox'), []);
  });
});

testOnSqlite('a backup holds no session, no link and no mail with one', async (t) => {
  const service = await startService(t, { PROFILE, SMTP_URL: 'smtp://127.0.0.1:1' });
  const env = { PROFILE, PORT: new URL(service.url).port };
  await confirmLink((await runCommand(t, ['desk'], env, service.folder)).stdout.trim());
  const form_token = formTokenOf(await (await fetch(`${service.url}/desk`)).text());
  await fetch(`${service.url}/desk/sign-in`, formPost({ form_token, to: '/desk' }));
  const database = join(service.folder, 'data/candidate-profile.db');
  const [mail] = rowsOf(database, "select text from outbox where kind = 'sign_in'");
  const secret = secretOf(/^http.*$/m.exec(String(mail!.text))![0]);
  const copy = join(service.folder, 'copy.db');
  assert.equal((await runCommand(t, ['backup', copy], env, service.folder)).code, 0);
  for (const table of ['desk_sessions', 'sign_in_links', 'outbox'])
    assert.deepEqual(rowsOf(copy, `select * from ${table}`), [], table);
  assert.ok(!readFileSync(copy, 'latin1').includes(secret));
  assert.equal(rowsOf(database, 'select * from desk_sessions').length, 1);
});
