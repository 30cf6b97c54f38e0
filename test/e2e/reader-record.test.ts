import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { rowsOf } from '../support/database.ts';
import { fixture } from '../support/files.ts';
import { eventually, runCommand, startProcess, startService } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');

async function open(t: TestContext, env: Record<string, string> = {}) {
  return opened(await startService(t, { PROFILE, ...env }));
}

async function opened<Started extends Awaited<ReturnType<typeof startService | typeof startProcess>>>(
  service: Started,
) {
  const data = join(service.folder, 'data');
  const token = await service.token('reader@example.org');
  return {
    ...service,
    data,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(service.url + path, {
        headers: { authorization: `Bearer ${token}`, 'user-agent': 'curl/8.5', ...headers },
      }),
    recorded: () =>
      rowsOf(join(data, 'candidate-profile.db'), 'select operation, item, surface, client from reads order by id'),
    /** How many files of the service have the text. */
    hitsOf: (text: string) =>
      globSync(join(data, '**/*')).filter(
        (file) => statSync(file).isFile() && readFileSync(file, 'latin1').includes(text),
      ).length,
  };
}

suite('The reader’s record', { concurrency: 2 }, () => {
  test('a service that is stopped records what was read before: routed, answered at once, or unchanged', async (t) => {
    const { get, stop, exited, recorded } = await open(t);
    const first = await get('/experience/exp_now');
    await get('/experience/exp_now');
    assert.equal((await get('/experience/exp_now', { 'if-none-match': first.headers.get('etag')! })).status, 304);
    stop();
    assert.equal(await exited(), 0);
    const read = { operation: 'get_experience', item: 'exp_now', surface: 'rest', client: 'curl/8.5' };
    assert.deepEqual(recorded(), [read, read, read]);
  });

  test('a service that is killed loses at most what was read in the last second', async (t) => {
    const { get, kill, exited, recorded } = await opened(await startProcess(t, { PROFILE }));
    await get('/candidate');
    await eventually(() => recorded().length === 1);
    await get('/projects');
    kill('SIGKILL');
    await exited();
    assert.ok(recorded().length >= 1);
    assert.equal(recorded()[0]?.operation, 'get_candidate');
  });

  test('a visitor erased by another process while reads wait is in no file, whatever they read meanwhile [TRUST-34] [TRUST-51]', async (t) => {
    const { get, folder, data, stop, exited, hitsOf, recorded } = await open(t);
    await get('/candidate');
    await eventually(() => recorded().length === 1);
    let isRefused = false;
    const reading = (async () => {
      while (!isRefused) isRefused = (await get('/projects')).status === 401;
    })();
    const erased = await runCommand(
      t,
      ['contacts', 'erase', '--email', 'Reader@EXAMPLE.org', '--yes', '--json'],
      { PROFILE, DATA_DIR: data },
      folder,
    );
    assert.equal(erased.code, 0, erased.stderr);
    await reading;
    stop();
    assert.equal(await exited(), 0);
    assert.deepEqual(recorded(), []);
    assert.equal(hitsOf('reader@example.org'), 0);
  });

  test('the owner exports all that is kept of a visitor: messages, tokens, reads, an erasing, their own note', async (t) => {
    const { get, data, folder, recorded, url, token } = await open(t);
    const another = await token('READER@example.org');
    await fetch(`${url}/me`, { method: 'DELETE', headers: { authorization: `Bearer ${another}` } });
    await token('other@example.org');
    await get('/resume?format=pdf');
    await eventually(() => recorded().length === 1);
    rowsOf(
      join(data, 'candidate-profile.db'),
      "insert into reader_notes values ('reader@example.org', 'Met in May', '2026-11-22', '2026-11-21')",
    );
    const run = (...args: string[]) =>
      runCommand(t, ['contacts', 'export', ...args], { PROFILE, DATA_DIR: data }, folder);
    const { code, stdout } = await run('--everything', '--email', 'reader@EXAMPLE.org');
    assert.equal(code, 0);
    const { contacts, tokens, reads, erased_reads: erased, notes } = JSON.parse(stdout);
    assert.deepEqual(contacts, []);
    assert.deepEqual(
      tokens.map(({ subject }: { subject: string }) => subject),
      ['reader@example.org', 'READER@example.org'],
    );
    const [{ jti, read_at: at, ...read }] = reads;
    assert.deepEqual(read, {
      subject: 'reader@example.org',
      operation: 'get_resume',
      item: 'pdf',
      surface: 'rest',
      client: 'curl/8.5',
    });
    assert.deepEqual([reads.length, jti, typeof at], [1, tokens[0].jti, 'string']);
    assert.deepEqual([erased.length, erased[0].jti], [1, tokens[1].jti]);
    assert.deepEqual(notes, [{ note: 'Met in May', noted_at: '2026-11-22', seen_at: '2026-11-21' }]);
    const { code: wrong, stderr } = await run('--everything');
    assert.deepEqual([wrong, stderr], [2, 'candidate-profile: --everything needs --email or --link\n']);
  });

  test('the owner’s own calls are not recorded', async (t) => {
    const { data, folder, recorded } = await open(t);
    const { code } = await runCommand(t, ['call', 'get_candidate'], { PROFILE, DATA_DIR: data }, folder);
    assert.equal(code, 0);
    assert.deepEqual(recorded(), []);
  });
});
