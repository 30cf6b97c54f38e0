import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { confirmLink, formPost, formTokenOf } from '../../../support/desk.ts';
import { openEditor, typedAt } from '../../../support/editor-form.ts';
import { report, scaled } from '../../../support/figures.ts';
import { fixture, makeFolder, newFolder } from '../../../support/files.ts';
import { hiddenField } from '../../../support/pages.ts';
import { runCommand, startProcess } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const textOf = (number: number) => original.replace('Tess Example', `Version ${number}`);
const numberIn = (text: string) => Number(/Version (\d+)/.exec(text)?.[1] ?? 0);
const path = '/desk/profile/yaml';

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
    const page = await (await fetch(service.url + path, { headers: { cookie } })).text();
    number += 1;
    const fields = { text: textOf(number), revision: hiddenField(page, 'revision'), do: 'publish' };
    const post = formPost({ ...fields, form_token: formTokenOf(page) }, { cookie });
    const { status } = await fetch(`${service.url}${path}/save`, post);
    assert.equal(status, 303);
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
  const { page, post, send } = await openEditor(t, original, { PROFILE: file });
  return {
    page: () => page(path),
    /** Opens a form, and returns a function that types into it, publishes it, and returns the reason for a refusal. */
    async openForm() {
      const summary = await page('/desk/profile/edit/summary');
      return async (typed: string) => {
        const { status, text } = await send(summary, 'publish', { 'candidate.summary': typed });
        if (status === 303) return null;
        assert.equal(status, 409);
        assert.equal(typedAt(text, 'candidate.summary'), typed);
        return /Not saved: (.*?) Nothing that you typed is lost\./.exec(text)?.[1];
      };
    },
    async publish(text: string, given?: string) {
      const fields = { text, revision: hiddenField(given ?? (await page(path)), 'revision'), do: 'publish' };
      return await post(`${path}/save`, fields, '/desk/profile/drafts');
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

test('a draft that cannot be stored while the database is locked comes back, and is stored after that', async (t) => {
  const { page, post, send, folder } = await openEditor(t, original);
  const summary = await page('/desk/profile/edit/summary');
  const fields = { text: textOf(1), revision: hiddenField(await page(path), 'revision'), do: 'draft' };
  const typed = { 'candidate.summary': 'Typed into the form.' };
  using database = openSqliteFile(join(folder, 'candidate-profile.db'));
  database.exec('begin immediate');
  const ofForm = await send(summary, 'draft', typed);
  assert.equal(ofForm.status, 409);
  assert.match(ofForm.text, /Not saved: The database cannot be used at the moment\. Nothing that you typed is lost\./);
  assert.equal(typedAt(ofForm.text, 'candidate.summary'), 'Typed into the form.');
  const ofText = await post(`${path}/save`, fields, path);
  assert.equal(ofText.status, 409);
  assert.match(
    await ofText.text(),
    /Not saved: The database cannot be used at the moment\..*<textarea [^>]*>\n[^<]*Version 1\n/s,
  );
  database.exec('rollback');
  assert.equal((await send(summary, 'draft', typed)).status, 303);
  assert.equal((await post(`${path}/save`, fields, path)).status, 303);
});

suite('A text that cannot be written comes back', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  test('while the disk is full, and is published once there is space', async (t) => {
    const { folder, mount } = makeMountable(t);
    mount(folder, '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs');
    const file = join(folder, 'profile.yaml');
    writeFileSync(file, original);
    const { publish, openForm } = await openDesk(t, file);
    const publishForm = await openForm();
    const ballast = join(folder, 'ballast');
    const fill = () => appendFileSync(ballast, Buffer.alloc(1024));
    assert.throws(() => {
      for (;;) fill();
    }, /ENOSPC/);
    const refused = await publish(textOf(1));
    assert.equal(refused.status, 409);
    const text = await refused.text();
    assert.match(text, /Not published: the disk is full\. Nothing that you typed is lost\./);
    assert.match(text, /<textarea [^>]*>\n[^<]*Version 1\n/);
    assert.equal(await publishForm('Typed into the form.'), 'the disk is full.');
    assert.equal(readFileSync(file, 'utf8'), original);
    assert.deepEqual(readdirSync(folder).toSorted(), ['ballast', 'profile.yaml']);
    rmSync(ballast);
    assert.equal(await publishForm('Typed into the form.'), null);
    assert.match(readFileSync(file, 'utf8'), /summary: Typed into the form\./);
    assert.equal((await publish(textOf(1))).status, 303);
    assert.equal(readFileSync(file, 'utf8'), textOf(1));
  });

  test('if the file is mounted on its own, as in a container, which the page says before', async (t) => {
    const { folder, mount } = makeMountable(t);
    const file = join(folder, 'my profile.yaml');
    writeFileSync(file, original);
    const { page, publish, openForm } = await openDesk(t, file);
    const [before, publishForm] = [await page(), await openForm()];
    mount(file, '--bind', file);
    assert.match(
      await page(),
      /It cannot be changed here, because it is mounted on its own, so that it cannot be replaced\./,
    );
    const refused = await publish(textOf(1), before);
    assert.equal(refused.status, 409);
    assert.match(await refused.text(), /Not published: it is mounted on its own.*<textarea [^>]*>\n[^<]*Version 1\n/s);
    const reason = 'it is mounted on its own, so that it cannot be replaced.';
    assert.equal(await publishForm('Typed into the form.'), reason);
    assert.equal(readFileSync(file, 'utf8'), original);
  });

  test('if the file system is read-only, which the page says before', async (t) => {
    const { folder, mount } = makeMountable(t);
    const file = join(folder, 'profile.yaml');
    writeFileSync(file, original);
    const { page, publish, openForm } = await openDesk(t, file);
    const [before, publishForm] = [await page(), await openForm()];
    mount(folder, '--bind', folder);
    execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
    assert.match(await page(), /It cannot be changed here, because its file system is read-only\./);
    assert.equal((await publish(textOf(1), before)).status, 409);
    assert.equal(await publishForm('Typed into the form.'), 'its file system is read-only.');
    assert.equal(readFileSync(file, 'utf8'), original);
  });
});
