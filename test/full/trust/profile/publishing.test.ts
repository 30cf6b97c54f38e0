import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { confirmLink } from '../../../support/desk.ts';
import { openEditorDesk, openTab, typing } from '../../../support/editor-desk.ts';
import { report, scaled } from '../../../support/figures.ts';
import { fixture, makeFolder, newFolder } from '../../../support/files.ts';
import { runCommand, startProcess } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const textOf = (number: number) => original.replace('Tess Example', `Version ${number}`);
const numberIn = (text: string) => Number(/Version (\d+)/.exec(text)?.[1] ?? 0);

const figures: string[] = [];
after(() => report('publishing at the desk, killed and without disk', figures.join('; ')));

test('a process killed while texts are published leaves the old or the new file, and its history', async (t) => {
  const kills = scaled(100, 4);
  const folder = newFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, original);
  const env = { PROFILE: file, LOG_LEVEL: 'error', KEEP_HISTORY: '1000', OWNER_EMAIL: 'o@vasquez.dev' };
  let service = await startProcess(t, env, folder);
  const printed = await runCommand(t, ['desk'], { ...env, PORT: new URL(service.url).port }, folder);
  const cookie = await confirmLink(printed.stdout.trim());

  const acknowledged: number[] = [];
  let number = 0;
  async function publish(): Promise<void> {
    const tab = openTab({ ask: (path, init) => fetch(service.url + path, init) }, { cookie });
    await tab.copy();
    number += 1;
    const text = textOf(number);
    await tab.write(text);
    assert.equal((await tab.publish()).status, 200);
    acknowledged.push(number);
  }
  for (let killed = 0; killed < kills; killed += 1) {
    await publish();
    const publishing = publish().catch((error: Error) => {
      if (error instanceof assert.AssertionError) throw error; // otherwise the connection was lost
    });
    await pause(Math.random() * 40);
    service.kill('SIGKILL');
    await Promise.all([service.exited(), publishing]);
    const now = numberIn(readFileSync(file, 'utf8'));
    assert.ok(now === number || (now === number - 1 && acknowledged.at(-1) === now), `${now} of ${number}`);
    assert.equal(readFileSync(file, 'utf8'), textOf(now));
    service = await startProcess(t, env, folder);
  }
  const left = readdirSync(folder).filter((name) => name.startsWith('profile.yaml'));
  await publish();
  using database = openSqliteFile(join(folder, 'data/candidate-profile.db'), { readOnly: true });
  const texts = database
    .prepare('select text from profile_versions order by id')
    .all()
    .map(({ text }) => String(text));
  const numbers = texts.map(numberIn);
  assert.deepEqual(texts, numbers.map((each) => (each === 0 ? original : textOf(each)))); // biome-ignore format: one line
  assert.deepEqual(acknowledged.filter((each) => !numbers.includes(each)), []); // biome-ignore format: one line
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((one, other) => one - other),
  );
  assert.ok(left.length <= 2, left.join());
  figures.push(`${number} texts published, ${acknowledged.length} acknowledged, ${kills} kills, 0 lost`);
});

/** A desk whose profile is in a folder that a test has mounted. */
async function openDesk(t: TestContext, file: string) {
  const { page, patch, publish, write, copy } = await openEditorDesk(t, original, { PROFILE: file });
  return {
    page: () => page('/desk/profile'),
    /** Types a summary into the editor; returns a function that publishes it, and returns the reason for a refusal. */
    async type(typed: string) {
      const { candidate } = (await copy()).base as { candidate: { summary: string } };
      await patch([typing('/candidate/summary', candidate.summary, typed)]);
      return async () => {
        const { status, body } = await publish();
        assert.ok(status === 200 || (await copy()).changes.length > 0);
        return status === 200 ? null : body.message;
      };
    },
    async publish(text: string) {
      await write(text);
      return publish();
    },
  };
}

/** Returns a folder with a profile, and a function that mounts in it; what is mounted goes before the folder does. */
function makeMountable(t: TestContext) {
  const folder = makeFolder();
  const mounted: string[] = [];
  t.after(() => {
    for (const at of mounted) execFileSync('umount', ['--lazy', at]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    mount(at: string, ...args: string[]): void {
      execFileSync('mount', [...args, at]);
      mounted.push(at);
    },
  };
}

test('a change that cannot be stored while the database is locked is refused, and stored after that [TRUST-80]', async (t) => {
  const { patch, copy, folder } = await openEditorDesk(t, original);
  const { base, revision } = await copy();
  const { candidate } = base as { candidate: { summary: string } };
  const event = typing('/candidate/summary', candidate.summary, 'Typed into the editor.');
  using database = openSqliteFile(join(folder, 'candidate-profile.db'));
  database.exec('begin immediate');
  const refused = await patch([event], revision);
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'UNAVAILABLE']);
  database.exec('rollback');
  assert.equal((await patch([event], revision)).status, 200);
});

suite('A text that cannot be written stays in the working copy', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, () => {
  test('while the disk is full, and is published once there is space', async (t) => {
    const { folder, mount } = makeMountable(t);
    mount(folder, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs');
    const file = join(folder, 'profile.yaml');
    writeFileSync(file, original);
    const { publish, type } = await openDesk(t, file);
    const ballast = join(folder, 'ballast');
    const fill = () => appendFileSync(ballast, Buffer.alloc(1024));
    assert.throws(() => {
      for (;;) fill();
    }, /ENOSPC/);
    const publishTyped = await type('Typed into the editor.');
    assert.equal(await publishTyped(), 'the disk is full');
    assert.equal(readFileSync(file, 'utf8'), original);
    assert.deepEqual(readdirSync(folder).toSorted(), ['ballast', 'profile.yaml']);
    rmSync(ballast);
    assert.equal(await publishTyped(), null);
    assert.match(readFileSync(file, 'utf8'), /summary: Typed into the editor\./);
    assert.equal((await publish(textOf(1))).status, 200);
    assert.equal(readFileSync(file, 'utf8'), textOf(1));
  });

  test('if the file is mounted on its own, as in a container, which the page says before', async (t) => {
    const { folder, mount } = makeMountable(t);
    const file = join(folder, 'my profile.yaml');
    writeFileSync(file, original);
    const { page, type } = await openDesk(t, file);
    const publishTyped = await type('Typed into the editor.');
    mount(file, '--bind', file);
    assert.match(
      await page(),
      /It cannot be changed here, because it is mounted on its own, so that it cannot be replaced\./,
    );
    assert.equal(await publishTyped(), 'it is mounted on its own, so that it cannot be replaced');
    assert.equal(readFileSync(file, 'utf8'), original);
  });

  test('if the file system is read-only, which the page says before', async (t) => {
    const { folder, mount } = makeMountable(t);
    const file = join(folder, 'profile.yaml');
    writeFileSync(file, original);
    const { page, type } = await openDesk(t, file);
    const publishTyped = await type('Typed into the editor.');
    mount(folder, '--bind', folder);
    execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
    assert.match(await page(), /It cannot be changed here, because its file system is read-only\./);
    assert.equal(await publishTyped(), 'its file system is read-only');
    assert.equal(readFileSync(file, 'utf8'), original);
  });
});
