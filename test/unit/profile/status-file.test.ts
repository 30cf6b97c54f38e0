import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { openProfile } from '../../../src/adapters/profile/profile-file.ts';
import { statusFileOf } from '../../../src/adapters/profile/status-file.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { newFolder } from '../../support/files.ts';

const sample = readFileSync(samplePath, 'utf8');
const lineOf = (text: string) => text.split('\n').findIndex((line) => line.startsWith('  status:')) + 1;
/** The sample with another status, before its comment. */
const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);

/** Opens a profile in a new folder, with the reloads that it had. */
function openStatus(t: TestContext, path = join(newFolder(t), 'profile.yaml')) {
  if (path !== samplePath) writeFileSync(path, sample);
  const profile = openProfile({ path, log: pino({ level: 'silent' }) });
  t.after(profile.close);
  const reloads: string[] = [];
  profile.onReload(({ availability }) => reloads.push(availability.status));
  const file = statusFileOf(profile, samplePath);
  return { path, profile, reloads, file, save: (status: string) => file.save(status, file.read().revision) };
}

test('a status that is saved is in the file, is served at once and is announced once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { path, profile, reloads, save } = openStatus(t);
  assert.equal(await save('not looking'), null);
  assert.equal(readFileSync(path, 'utf8'), withStatus('not looking'));
  assert.equal(profile.current().availability.status, 'not looking');
  for (let polls = 0; polls < 4; polls += 1) t.mock.timers.tick(150);
  assert.deepEqual(reloads, ['not looking']);
  assert.equal(await save('not looking'), null);
  assert.deepEqual(readdirSync(dirname(path)), ['profile.yaml']);
});

test('the file keeps its mode, and a symbolic link to it stays one', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'elsewhere'));
  const target = join(folder, 'elsewhere/me.yaml');
  const link = join(folder, 'profile.yaml');
  writeFileSync(target, sample);
  chmodSync(target, 0o640);
  symlinkSync(target, link);
  const { save } = openStatus(t, link);
  assert.equal(await save('not looking'), null);
  assert.equal(readFileSync(target, 'utf8'), withStatus('not looking'));
  assert.equal(statSync(target).mode & 0o777, 0o640);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.deepEqual(readdirSync(join(folder, 'elsewhere')), ['me.yaml']);
});

test('a file that was changed since it was read is not written, even if only a comment has changed', async (t) => {
  const { path, file } = openStatus(t);
  const { revision } = file.read();
  writeFileSync(path, `${sample}# mine\n`);
  assert.deepEqual(await file.save('not looking', revision), {
    reason: 'changed',
    message: 'the file has changed',
    change: null,
  });
  assert.equal(readFileSync(path, 'utf8'), `${sample}# mine\n`);
});

test('of two saves at once the first is kept, and the second is told', async (t) => {
  const { path, file, reloads } = openStatus(t);
  const { revision } = file.read();
  const [one, other] = await Promise.all([file.save('first', revision), file.save('second', revision)]);
  assert.deepEqual([one, other?.reason], [null, 'changed']);
  assert.equal(readFileSync(path, 'utf8'), withStatus('first'));
  assert.deepEqual(reloads, ['first']);
});

test('a read-only file is not replaced, and the line to change is known', async (t) => {
  const { path, save } = openStatus(t);
  chmodSync(path, 0o444);
  const line = lineOf(sample);
  assert.deepEqual(await save('from: May'), {
    reason: 'unwritable',
    message: 'it is read-only',
    change: { first: line, last: line, text: '  status: "from: May" # any text' },
  });
  assert.equal(readFileSync(path, 'utf8'), sample);
});

test('of a block scalar, all the lines to change are known', async (t) => {
  const { path, save } = openStatus(t);
  writeFileSync(path, withStatus('>-\n    open to\n    all'));
  chmodSync(path, 0o444);
  const line = lineOf(sample);
  assert.deepEqual((await save('not looking'))?.change, { first: line, last: line + 2, text: '  status: not looking' });
});

test('a status that others refer to is not written, and nothing is said to change', async (t) => {
  const { path, save } = openStatus(t);
  const text = withStatus('&a open').replace('  - Java', '  - *a');
  assert.notEqual(text, withStatus('&a open'));
  writeFileSync(path, text);
  assert.deepEqual(await save('not looking'), {
    reason: 'unwritable',
    message: 'cannot be replaced alone: other parts of the document refer to it',
    change: null,
  });
  assert.equal(readFileSync(path, 'utf8'), text);
});

test('a faulty file is not written', async (t) => {
  const { path, file, save } = openStatus(t);
  writeFileSync(path, `${sample}more: 1\n`);
  assert.equal(file.read().status, null);
  assert.equal((await save('not looking'))?.reason, 'faulty');
  assert.equal(readFileSync(path, 'utf8'), `${sample}more: 1\n`);
  unlinkSync(path);
  assert.equal((await save('not looking'))?.reason, 'changed');
});

test('a status that makes the profile invalid is not written', async (t) => {
  const { path, save } = openStatus(t);
  assert.deepEqual(await save(' '), {
    reason: 'faulty',
    message: `${lineOf(sample)}:11: availability.status: must not be blank; write "" if there is nothing to say`,
    change: null,
  });
  assert.equal(readFileSync(path, 'utf8'), sample);
  assert.deepEqual(readdirSync(dirname(path)), ['profile.yaml']);
});

test('the sample is never written', async (t) => {
  const { file, save } = openStatus(t, samplePath);
  assert.equal(file.read().place, 'sample');
  assert.equal((await save('not looking'))?.message, 'it is the sample');
  assert.equal(readFileSync(samplePath, 'utf8'), sample);
});
