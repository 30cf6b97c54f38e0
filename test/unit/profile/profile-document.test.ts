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
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { profileDocumentOf, unservedProfileOf } from '../../../src/adapters/profile/profile-document.ts';
import { openProfile } from '../../../src/adapters/profile/profile-file.ts';
import { Failure } from '../../../src/model/failure.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { samplePath } from '../../../src/service/config/config.ts';
import { newFolder } from '../../support/files.ts';
import { afterNoon, noon, openTestStore } from '../../support/store.ts';

const sample = readFileSync(samplePath, 'utf8');
const lines = sample.split('\n');
/** The sample with another status, before its comment. */
const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);

/** Admits every publish. */
const always = async () => null;

interface Options {
  readonly path?: string;
  readonly ownPath?: string;
  readonly limit?: number;
  /** Why nothing is written, as long as it is not null. */
  readonly obstacle?: string | null;
}

/** Opens a profile in a new folder, with the reloads that it had and its history. */
async function openDocument(t: TestContext, options: Options = {}) {
  const { path = join(newFolder(t), 'profile.yaml'), ownPath = path, limit = 200, obstacle = null } = options;
  if (path !== samplePath) writeFileSync(path, sample);
  const profile = openProfile({ path, ownPath, log: pino({ level: 'silent' }) });
  t.after(profile.close);
  const reloads: string[] = [];
  profile.onReload(({ availability }) => reloads.push(availability.status));
  const { store } = await openTestStore(t);
  let hasOutage = false;
  const logged: string[] = [];
  const openDocumentOf = () =>
    profileDocumentOf({
      ...{ profile, source: { path, ownPath }, samplePath, ownerFaultOf: () => null },
      replicas: {
        async whileAlone(work) {
          if (obstacle === null) await work();
          return obstacle;
        },
      },
      versions: {
        async add(version) {
          if (hasOutage) throw new Failure('UNAVAILABLE');
          await store.profileVersions.add(version, limit);
        },
      },
      now: () => noon,
      log: { error: (_fields, message) => logged.push(message) },
    });
  const document = openDocumentOf();
  t.after(document.close);
  return {
    ...{ path, profile, reloads, document, openDocumentOf, store, logged },
    publish: async (text: string) => document.publish(text, (await document.read()).revision, 'published', always),
    history: async () => (await store.profileVersions.list()).map(({ kind }) => kind),
    setOutage(now: boolean) {
      hasOutage = now;
    },
  };
}

test('a text that is published is in the file, is served at once, is announced once and is kept', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { path, profile, reloads, publish, history, store } = await openDocument(t);
  assert.equal(await publish(withStatus('not looking')), null);
  assert.equal(readFileSync(path, 'utf8'), withStatus('not looking'));
  assert.equal(profile.current().availability.status, 'not looking');
  for (let polls = 0; polls < 4; polls += 1) t.mock.timers.tick(150);
  assert.deepEqual(reloads, ['not looking']);
  assert.equal(await publish(withStatus('not looking')), null);
  assert.deepEqual(readdirSync(dirname(path)), ['profile.yaml']);
  assert.deepEqual(await history(), ['published', 'outside']);
  assert.equal((await store.profileVersions.find(2))?.text, withStatus('not looking'));
  assert.equal((await store.profileVersions.findBefore(2))?.text, sample);
});

test('the file keeps its mode and byte-order mark, and a symbolic link to it stays one', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'elsewhere'));
  const target = join(folder, 'elsewhere/me.yaml');
  const link = join(folder, 'profile.yaml');
  symlinkSync(target, link);
  const { document, publish } = await openDocument(t, { path: link });
  chmodSync(target, 0o640);
  writeFileSync(target, `\ufeff${sample}`);
  assert.equal((await document.read()).text, `\ufeff${sample}`);
  assert.equal(await publish(`\ufeff${withStatus('not looking')}`), null);
  assert.equal(readFileSync(target, 'utf8'), `\ufeff${withStatus('not looking')}`);
  assert.equal(statSync(target).mode & 0o777, 0o640);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.deepEqual(readdirSync(join(folder, 'elsewhere')), ['me.yaml']);
});

test('a file that was changed since it was read is not written, even if only a comment has changed', async (t) => {
  const { path, document } = await openDocument(t);
  const { revision } = await document.read();
  writeFileSync(path, `${sample}# mine\n`);
  assert.deepEqual(await document.publish(withStatus('busy'), revision, 'published', always), {
    reason: 'changed',
    message: 'the file has changed',
  });
  assert.equal(readFileSync(path, 'utf8'), `${sample}# mine\n`);
});

test('a file that another program saves while the new text goes to the disk is not overwritten', async (t) => {
  const { path, document, publish, history } = await openDocument(t);
  const handle = await open(path);
  t.after(() => handle.close());
  const files = Object.getPrototypeOf(handle) as FileHandle;
  const sync = files.sync;
  t.mock.method(files, 'sync', function (this: FileHandle) {
    writeFileSync(path, `${sample}# mine\n`);
    return sync.call(this);
  });
  assert.equal((await publish(withStatus('busy')))?.reason, 'changed');
  assert.equal(readFileSync(path, 'utf8'), `${sample}# mine\n`);
  assert.deepEqual(readdirSync(dirname(path)), ['profile.yaml']);
  await document.keepCurrent();
  assert.deepEqual(await history(), ['outside', 'outside']);
});

test('a draft that another process takes for the rest of a crash does not become the file', async (t) => {
  const { path, publish } = await openDocument(t);
  const handle = await open(path);
  t.after(() => handle.close());
  const files = Object.getPrototypeOf(handle) as FileHandle;
  const sync = files.sync;
  t.mock.method(files, 'sync', function (this: FileHandle) {
    unlinkSync(`${path}.part`);
    writeFileSync(`${path}.part`, 'half of ano');
    return sync.call(this);
  });
  assert.equal((await publish(withStatus('busy')))?.reason, 'changed');
  assert.equal(readFileSync(path, 'utf8'), sample);
});

test('a text that is published twice is published once, and of two other ones the second is told', async (t) => {
  const { path, document, history } = await openDocument(t);
  const { revision } = await document.read();
  const publish = () => document.publish(withStatus('busy'), revision, 'published', always);
  assert.deepEqual(await Promise.all([publish(), publish()]), [null, null]);
  assert.equal(await publish(), null);
  assert.equal((await document.publish(withStatus('other'), revision, 'published', always))?.reason, 'changed');
  assert.equal(readFileSync(path, 'utf8'), withStatus('busy'));
  assert.deepEqual(await history(), ['published', 'outside']);
  writeFileSync(path, 'faulty: true\n');
  assert.equal((await document.publish('faulty: true\n', revision, 'published', always))?.reason, 'faulty');
});

test('of two texts published at once the first is kept, and the second is told', async (t) => {
  const { path, document, reloads, history } = await openDocument(t);
  const { revision } = await document.read();
  const publish = (status: string) => document.publish(withStatus(status), revision, 'published', always);
  const [one, other] = await Promise.all([publish('first'), publish('second')]);
  assert.deepEqual([one, other?.reason], [null, 'changed']);
  assert.equal(readFileSync(path, 'utf8'), withStatus('first'));
  assert.deepEqual(reloads, ['first']);
  assert.deepEqual(await history(), ['published', 'outside']);
});

test('a file that cannot be written says so before anything is published, and why', async (t) => {
  const { path, document, publish } = await openDocument(t);
  chmodSync(path, 0o444);
  const { place, obstacle } = await document.read();
  assert.deepEqual([place, obstacle], ['read-only', 'it is read-only']);
  assert.deepEqual(await publish(withStatus('busy')), { reason: 'unwritable', message: 'it is read-only' });
  assert.equal(readFileSync(path, 'utf8'), sample);
});

test('beside other replicas, which may have files of their own, no file is written', async (t) => {
  const message = 'other replicas serve';
  const { path, document, publish } = await openDocument(t, { obstacle: message });
  const { place, obstacle, text } = await document.read();
  assert.deepEqual([place, obstacle, text], ['read-only', message, sample]);
  assert.deepEqual(await publish(withStatus('busy')), { reason: 'unwritable', message });
  assert.equal(readFileSync(path, 'utf8'), sample);
});

test('a faulty text is not written; a valid one replaces a faulty file, which is kept', async (t) => {
  const { path, document, publish, history, store } = await openDocument(t);
  assert.deepEqual(await publish(withStatus('" "')), {
    reason: 'faulty',
    message: `${lines.findIndex((line) => line.startsWith('  status:')) + 1}:11: availability.status: must not be blank; write "" if there is nothing to say`,
  });
  assert.equal(readFileSync(path, 'utf8'), sample);
  writeFileSync(path, `${sample}more: 1\n`);
  assert.deepEqual(document.check(`${sample}more: 1\n`).faults, [
    { path: ['more'], line: lines.length, column: 1, message: 'is not a known key' },
  ]);
  assert.equal(await publish(withStatus('busy')), null);
  assert.equal(readFileSync(path, 'utf8'), withStatus('busy'));
  assert.deepEqual(await history(), ['published', 'outside']);
  assert.equal((await store.profileVersions.find(1))?.text, `${sample}more: 1\n`);
  unlinkSync(path);
  assert.equal((await publish(sample))?.reason, 'changed');
  const { text, readFaults } = await document.read();
  assert.equal(text, null);
  assert.deepEqual(readFaults, [{ path: [], line: null, column: null, message: `${path}: does not exist` }]);
  assert.deepEqual(readdirSync(dirname(path)), []);
});

test('a profile without a name is not published: a public service would not start', async (t) => {
  const { document, path } = await openDocument(t);
  const nameless = sample.replace(/^ {2}name: .*$/m, "  name: ''");
  assert.deepEqual(document.check(nameless).faults, [
    { path: ['candidate', 'name'], line: null, column: null, message: 'must not be empty' },
  ]);
  assert.deepEqual(await document.publish(nameless, (await document.read()).revision, 'published', always), {
    reason: 'faulty',
    message: 'candidate.name: must not be empty',
  });
  assert.equal(readFileSync(path, 'utf8'), sample);
});

test('a text over 1 MiB is not written', async (t) => {
  const { publish } = await openDocument(t);
  assert.deepEqual(await publish(`${sample}#${'x'.repeat(1024 ** 2)}`), {
    reason: 'too-large',
    message: 'it is larger than 1 MiB',
  });
});

test('in place of the sample, publishing creates the own file of the owner, which is served from then on', async (t) => {
  const ownPath = join(newFolder(t), 'profile.yaml');
  const { document, publish, profile, history } = await openDocument(t, { path: samplePath, ownPath });
  await document.keepCurrent();
  const { place, name, text, obstacle } = await document.read();
  assert.deepEqual([place, name, text, obstacle], ['sample', ownPath, sample, null]);
  assert.equal(await publish(withStatus('mine')), null);
  assert.equal(readFileSync(ownPath, 'utf8'), withStatus('mine'));
  assert.equal(statSync(ownPath).mode & 0o777, 0o644);
  assert.equal(profile.current().availability.status, 'mine');
  assert.equal((await document.read()).place, 'file');
  assert.equal(readFileSync(samplePath, 'utf8'), sample);
  assert.deepEqual(await history(), ['published']);
});

test('who may read a file that publishing creates is decided by the umask, as for every file', async (t) => {
  const ownPath = join(newFolder(t), 'profile.yaml');
  const { publish } = await openDocument(t, { path: samplePath, ownPath });
  const before = process.umask(0o077);
  t.after(() => process.umask(before));
  assert.equal(await publish(sample), null);
  assert.equal(statSync(ownPath).mode & 0o777, 0o600);
  assert.equal(readFileSync(ownPath, 'utf8'), sample); // also if it is the sample as it was
});

test('a sample that PROFILE names is never written', async (t) => {
  const { document, publish } = await openDocument(t, { path: samplePath });
  assert.deepEqual([(await document.read()).place, (await document.read()).obstacle], ['sample', 'it is the sample']);
  assert.equal((await publish(withStatus('mine')))?.message, 'it is the sample');
  assert.equal(readFileSync(samplePath, 'utf8'), sample);
});

test('a change from outside is kept once, also if the service did not run', async (t) => {
  const { path, document, history } = await openDocument(t);
  await document.keepCurrent();
  await document.keepCurrent();
  assert.deepEqual(await history(), ['outside']);
  writeFileSync(path, withStatus('by hand'));
  await document.keepCurrent();
  assert.deepEqual(await history(), ['outside', 'outside']);
});

test('two replicas keep a change once, and erasing a visitor erases no version', async (t) => {
  const { path, document, openDocumentOf, store, history } = await openDocument(t);
  const other = openDocumentOf();
  for (const text of [sample, withStatus('ada@example.org')]) {
    writeFileSync(path, text);
    await Promise.all([document.keepCurrent(), other.keepCurrent()]);
  }
  assert.deepEqual(await history(), ['outside', 'outside']);
  await store.visitors.erase(byAddress('ada@example.org'));
  assert.deepEqual(await history(), ['outside', 'outside']);
});

test('what another process has published and this one has read first counts as published, once', async (t) => {
  const { document, store, history } = await openDocument(t);
  await document.keepCurrent();
  const { text, revision } = await document.read();
  await store.profileVersions.add({ text: text!, revision, kind: 'restored', at: noon }, 200);
  await document.keepCurrent();
  assert.deepEqual(await history(), ['restored']);
});

test('a version that cannot be stored after the file was written is stored as soon as it can be', async (t) => {
  const { path, profile, document, publish, setOutage, history, logged } = await openDocument(t);
  profile.onReload(() => setOutage(true));
  assert.equal(await publish(withStatus('busy')), null);
  assert.deepEqual(await history(), ['outside']);
  setOutage(false);
  writeFileSync(path, withStatus('by hand'));
  await document.keepCurrent();
  assert.deepEqual(await history(), ['outside', 'published', 'outside']);
  assert.deepEqual(logged, ['a version of the profile could not be kept yet']);
});

test('while the database cannot be used nothing is published, and a change from outside is kept later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { path, document, publish, setOutage, history, logged } = await openDocument(t);
  setOutage(true);
  assert.deepEqual(await publish(withStatus('busy')), {
    reason: 'unwritable',
    message: 'the database cannot be used at the moment',
  });
  assert.equal(readFileSync(path, 'utf8'), sample);
  await document.keepCurrent();
  setOutage(false);
  t.mock.timers.tick(1_000);
  assert.equal((await publish(withStatus('" "')))?.reason, 'faulty');
  assert.deepEqual(await history(), ['outside']);
  assert.deepEqual(logged, ['a version of the profile could not be kept yet']);
});

test('a command that serves no profile reads and writes the file that the service would', async (t) => {
  const ownPath = join(newFolder(t), 'profile.yaml');
  const unserved = unservedProfileOf({ path: samplePath, ownPath });
  assert.equal(unserved.path(), samplePath);
  writeFileSync(ownPath, sample);
  assert.equal(unserved.path(), ownPath);
  assert.equal(unservedProfileOf({ address: new URL('https://me:secret@example.org/p.yaml?k=1') }).path(), null);
});

const version = (text: string, seconds = 0) => ({
  revision: text,
  text,
  kind: 'published' as const,
  at: afterNoon(seconds),
});

test('the oldest versions go first, by number and by 5 MB; the newest stays, unless none is kept', async (t) => {
  const { store } = await openTestStore(t);
  const { add, list } = store.profileVersions;
  const kept = async () => (await list()).map(({ id, bytes }) => [id, bytes]);
  for (const text of ['a', 'b', 'c', 'd']) await add(version(text), 3);
  assert.deepEqual(await kept(), [[4, 1], [3, 1], [2, 1]]); // biome-ignore format: a row each
  await add(version('x'.repeat(4_999_999)), 200);
  assert.deepEqual(await kept(), [[5, 4_999_999], [4, 1]]); // biome-ignore format: a row each
  await add(version('y'.repeat(6_000_000)), 200);
  assert.deepEqual(await kept(), [[6, 6_000_000]]);
  await add(version('é'), 200);
  assert.deepEqual(await kept(), [[7, 2]]);
  await add({ ...version('z'), kind: 'outside' }, 0);
  assert.deepEqual(await kept(), []);
});

const proposal = (text: string, seconds = 0) => ({
  name: 'cv.json',
  baseRevision: 'base',
  revision: text,
  savedAt: afterNoon(seconds),
  text,
});

test('a proposal is kept once, however often the same file is read', async (t) => {
  const { proposals } = (await openTestStore(t)).store;
  const id = (await proposals.add(proposal('one')))!;
  assert.equal(await proposals.add(proposal('one', 1)), id);
  const other = (await proposals.add({ ...proposal('one', 2), name: 'cv.pdf' }))!;
  assert.notEqual(other, id);
  assert.deepEqual(await proposals.find(id, noon), { id, ...proposal('one'), bytes: 3 });
  assert.equal(await proposals.remove(id), true);
  assert.equal(await proposals.remove(id), false);
  assert.deepEqual(
    (await proposals.list(noon)).map(({ name }) => name),
    ['cv.pdf'],
  );
});

test('there are 20 proposals at most, and none is older than 90 days', async (t) => {
  const { proposals, expiry } = (await openTestStore(t)).store;
  const ids: (string | null)[] = [];
  for (let count = 1; count <= 21; count += 1) ids.push(await proposals.add(proposal(`text ${count}`, count)));
  assert.deepEqual([ids[19] !== null, ids[20]], [true, null]);
  const later = afterNoon(90 * 86_400 + 10);
  assert.equal((await proposals.list(later)).length, 11);
  assert.equal(await proposals.find(ids[1]!, later), null);
  await expiry.erase(later, { contacts: null, mail: noon, reads: noon });
  assert.equal((await proposals.list(noon)).length, 11);
});
