import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { fixture, makeFolder, newFolder } from '../support/files.ts';
import { eventually, programName, runCommand, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const withName = (name: string) => original.replace('Tess Example', name);

interface Version {
  readonly id: number;
  readonly revision: string;
  readonly kind: string;
  readonly bytes: number;
  readonly at: string;
}

/** A folder with a profile, in which commands run. */
function openFolder(t: TestContext, folder = newFolder(t)) {
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, original);
  const run = (...args: string[]) => runCommand(t, ['history', ...args], { OWNER_EMAIL: 'o@vasquez.dev' }, folder);
  return {
    ...{ folder, profile, run },
    async list(): Promise<Version[]> {
      const { code, stdout, stderr } = await run('list', '--json');
      assert.deepEqual([code, stderr], [0, '']);
      return JSON.parse(stdout);
    },
    now: () => readFileSync(profile, 'utf8'),
  };
}

const kindsOf = (versions: readonly Version[]) => versions.map(({ id, kind }) => `${id} ${kind}`);

suite('history', { concurrency: 2 }, () => {
  test('lists changes of the file, shows one to the byte, and restores one, which a service then serves', async (t) => {
    const { folder, profile, run, list, now } = openFolder(t, makeFolder());
    const service = await startService(t, { OWNER_EMAIL: 'o@vasquez.dev' }, folder);
    const authorization = `Bearer ${await service.token()}`;
    const served = async () =>
      ((await (await fetch(`${service.url}/candidate`, { headers: { authorization } })).json()) as { name: string })
        .name;
    writeFileSync(profile, withName('Somebody Else'));
    await eventually(async () => (await served()) === 'Somebody Else');
    const versions = await eventually(async () => {
      const listed = await list();
      return listed.length === 2 && listed;
    });
    assert.deepEqual(kindsOf(versions), ['2 outside', '1 outside']);
    assert.deepEqual(versions[1]!.bytes, Buffer.byteLength(original));
    assert.match((await run('list')).stdout, /^id +at +kind +bytes\n2 +\S+Z +outside +1348\n1 +\S+Z +outside +1347\n$/);
    assert.deepEqual(await run('show', '1'), { code: 0, stdout: original, stderr: '' });
    assert.equal(JSON.parse((await run('show', '2', '--json')).stdout).text, withName('Somebody Else'));

    const restored = await run('restore', '1', '--json');
    assert.deepEqual(restored, {
      code: 0,
      stdout: `${JSON.stringify({ id: 1, name: profile })}\n`,
      stderr: `${profile} has version 1 again. A running service serves it within a second.\n`,
    });
    assert.equal(now(), original);
    await eventually(async () => (await served()) === 'Tess Example');
    assert.deepEqual(kindsOf(await list()), ['3 restored', '2 outside', '1 outside']);
  });

  test('works while no service runs, keeps what it replaces, and says why a version cannot be restored', async (t) => {
    const { profile, run, list, now, folder } = openFolder(t);
    assert.deepEqual(await list(), []);
    assert.deepEqual(await run('restore', '1'), {
      code: 1,
      stdout: '',
      stderr: `No version has the id 1. To list them: ${programName} history list\n`,
    });
    assert.equal((await run('restore', 'one')).code, 2);
    const service = await startService(t, { OWNER_EMAIL: 'o@vasquez.dev' }, folder);
    service.stop();
    await service.exited();
    writeFileSync(profile, withName('By Hand'));
    assert.equal((await run('restore', '1')).code, 0);
    assert.equal(now(), original);
    const versions = await list();
    assert.deepEqual(kindsOf(versions), ['3 restored', '2 outside', '1 outside']);
    assert.deepEqual((await run('show', '2')).stdout, withName('By Hand'));
    chmodSync(profile, 0o444);
    assert.deepEqual(await run('restore', '2'), {
      code: 1,
      stdout: '',
      stderr: `${profile} was not changed: it is read-only\n`,
    });
  });

  test('erase leaves the document, and nothing of the versions in the files of the database', async (t) => {
    const { profile, run, list, now, folder } = openFolder(t, makeFolder());
    await startService(t, { OWNER_EMAIL: 'o@vasquez.dev' }, folder);
    writeFileSync(profile, withName('Secret Former Name'));
    await eventually(async () => (await list()).length === 2);
    writeFileSync(profile, original);
    await eventually(async () => (await list()).length === 3);
    assert.deepEqual(await run('erase', '--yes', '--json'), {
      code: 0,
      stdout: '{"erased":3}\n',
      stderr: 'Erased: versions 3. Backups made before still hold them.\n',
    });
    assert.deepEqual(await list(), []);
    assert.equal(now(), original);
    for (const suffix of ['', '-wal'])
      assert.ok(!readIfExists(join(folder, `data/candidate-profile.db${suffix}`)).includes('Secret Former Name'));
    using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
    assert.deepEqual(database.prepare('select count(*) as n from profile_versions').get()!.n, 0);
  });
});

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
