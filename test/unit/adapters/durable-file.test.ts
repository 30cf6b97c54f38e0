import assert from 'node:assert/strict';
import { closeSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createDraft, type Draft } from '../../../src/adapters/output-file.ts';
import { newFolder } from '../../support/files.ts';

/** Writes `second` by way of a draft and returns what the folder holds then. */
async function write(
  t: TestContext,
  first: string | null,
  publish: (draft: Draft, target: string) => Promise<unknown>,
) {
  const folder = newFolder(t);
  const target = join(folder, 'file');
  if (first !== null) writeFileSync(target, first, { mode: 0o600 });
  let error: string | null = null;
  try {
    await using draft = await createDraft(join(folder, 'file.part'));
    await draft.handle.writeFile('second');
    await publish(draft, target);
  } catch (thrown) {
    error = (thrown as Error).message.replace(folder, '');
  }
  const files = readdirSync(folder).map((name) => [
    name,
    readFileSync(join(folder, name), 'utf8'),
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ]);
  return { error, files };
}

test('a draft replaces a file, or creates it, with mode 600', async (t) => {
  const replaced = { error: null, files: [['file', 'second', '600']] };
  assert.deepEqual(await write(t, 'first', (draft, target) => draft.replace(target)), replaced);
  assert.deepEqual(await write(t, null, (draft, target) => draft.replace(target)), replaced);
  assert.deepEqual(await write(t, null, (draft, target) => draft.create(target)), replaced);
  assert.deepEqual(await write(t, null, (draft, target) => draft.createUnlessExists(target)), replaced);
});

test('a draft that must not replace a file leaves it, and nothing beside it', async (t) => {
  const files = [['file', 'first', '600']];
  assert.deepEqual(await write(t, 'first', (draft, target) => draft.create(target)), {
    error: '/file: exists already; name another file',
    files,
  });
  assert.deepEqual(await write(t, 'first', (draft, target) => draft.createUnlessExists(target)), {
    error: null,
    files,
  });
});

test('a draft that fails before it is published is removed', async (t) => {
  const { error, files } = await write(t, null, () => Promise.reject(new Error('no space')));
  assert.deepEqual([error, files], ['no space', []]);
});

test('a draft is removed even if the file cannot be closed', async (t) => {
  const { error, files } = await write(t, null, async ({ handle }) => closeSync(handle.fd));
  assert.deepEqual([error, files], ['EBADF: bad file descriptor, close', []]);
});

test('a second draft at the same path is refused, and does not remove the first', async (t) => {
  const path = join(newFolder(t), 'file.part');
  await using _first = await createDraft(path);
  await assert.rejects(createDraft(path), { code: 'EEXIST' });
  assert.equal(readFileSync(path, 'utf8'), '');
});
