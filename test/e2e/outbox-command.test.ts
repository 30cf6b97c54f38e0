import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { openInbox, refusal } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, programName, runCommand, startProcess } from '../support/process.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const PROFILE = fixture('profile.yaml');

suite("The owner's outbox commands", { concurrency: 2 }, () => {
  test('list shows what waits and dead letters; retry has the service send them again [TRUST-30] [TRUST-35]', async (t) => {
    let isWanted = false;
    const { url: SMTP_URL, received } = await openInbox(t, {
      answer: async ({ subject = '' }) => {
        if (!isWanted) throw subject.includes('asked for access') ? refusal(451, 'later') : refusal(550, 'no');
      },
    });
    const env = { PROFILE, SMTP_URL };
    const service = await startProcess(t, env);
    const run = (...args: string[]) =>
      runCommand(t, ['outbox', ...args], { ...env, DATA_DIR: join(service.folder, 'data') });
    const list = async (): Promise<Record<string, string>[]> => JSON.parse((await run('list', '--json')).stdout);
    const mail = async () => ((await (await fetch(`${service.url}/readyz`)).json()) as { mail: string }).mail;

    const authorization = `Bearer ${await service.token('ada@example.org')}`;
    const body = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
    assert.equal((await fetch(`${service.url}/contact`, postJson(body, { authorization }))).status, 201);
    await eventually(async () => (await list()).every(({ last_error }) => last_error !== null));
    const [access, message] = (await list()) as [Record<string, string>, Record<string, string>];
    const { id, created_at, due_at } = access;
    assert.deepEqual(access, {
      ...{ id, created_at, kind: 'auth_request', attempts: 1, state: 'waiting', due_at, last_error: 'EMESSAGE 451' },
      ...{ waits_for: 'retry', waits_until: due_at },
    });
    assert.deepEqual(message, {
      ...{ id: message.id, created_at: message.created_at, kind: 'contact_request', attempts: 1, state: 'dead' },
      ...{ due_at: null, last_error: 'EMESSAGE 550', waits_for: null, waits_until: null },
    });
    assert.deepEqual(
      (await run('list')).stdout.split('\n').map((line) => line.split(/ {2,}/)),
      [
        ['id', 'kind', 'created', 'attempts', 'state', 'until', 'last error', 'why it waits'],
        [id, 'auth_request', created_at, '1', 'waiting', due_at, 'EMESSAGE 451', 'it is tried again after a failure'],
        [message.id, 'contact_request', message.created_at, '1', 'dead', 'EMESSAGE 550'],
        [''],
      ],
    );
    assert.equal(await mail(), 'degraded');

    const { code, stdout, stderr } = await run('retry', '--id', id!);
    const line = `No dead letter has the id ${id}. To list them: ${programName} outbox list\n`;
    assert.deepEqual([code, stdout, stderr], [1, '', line]);
    isWanted = true;
    const retried = await run('retry', '--id', message.id!.slice(0, 8));
    assert.deepEqual([retried.code, retried.stderr], [0, 'Dead letters to be sent again: 1.\n']);
    await eventually(() => received.some(({ email }) => email.messageId === `<${message.id}@localhost>`));
    await eventually(async () => (await mail()) === 'ok');
    assert.equal((await run('retry', '--json')).stdout, '{"retried":0}\n');
  });

  test('on a terminal list fits 80 columns: what waits, since when, until when and why', {
    skip: noTerminal,
  }, async (t) => {
    const folder = newFolder(t);
    await runCommand(t, ['call', 'create_auth_token', '--email', 'ada@example.org'], { PROFILE }, folder);
    const env = { PROFILE, TZ: 'UTC' };
    const { shown } = await runOnTerminal(t, ['outbox', 'list', '--no-color'], { folder, env });
    assert.match(
      shown,
      /^id {4}kind {10}created +tries {2}until {2}why\n[0-9a-f]{4} {2}auth_request {2}\d+ \w+ \d\d:\d\d +0 {13}is sent next\n$/,
    );
  });
});
