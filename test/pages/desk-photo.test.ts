import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { photosOf } from '../../src/adapters/profile/photos.ts';
import { sample } from '../support/desk.ts';
import { openEditorDesk } from '../support/editor-desk.ts';
import { chunkOf, exifOf, jpegOf, pngOf, segmentOf, withSegments } from '../support/images.ts';

const path = '/desk/profile/photo';

/** The editor of a profile file of its own, with what a tab sends of photos. */
async function open(t: TestContext, text = sample, env: Record<string, string> = {}) {
  const desk = await openEditorDesk(t, text, env);
  const folder = dirname(desk.file);
  const formToken = (await desk.get('/desk/profile/changes')).headers.get('x-form-token')!;
  const browser = { cookie: desk.cookie, 'sec-fetch-site': 'same-origin' };
  /** Sends a picture, as the editor does once it is cut. */
  async function upload(file: Buffer | string, type = 'image/jpeg') {
    const headers = { ...browser, 'content-type': type, 'x-form-token': formToken };
    const body = new Uint8Array(Buffer.from(file));
    const response = await desk.ask(path, { method: 'POST', headers, body });
    return { status: response.status, body: await response.json() };
  }
  /** Changes the name of the photo in the working copy; null removes it. */
  async function name(value: string | null) {
    const at = '/resume/photo';
    const has = (await desk.copy()).base as { resume?: object };
    const added = has.resume ? { path: at, value } : { path: '/resume', value: { photo: value } };
    const operation = value === null ? ({ op: 'remove', path: at } as const) : ({ op: 'add', ...added } as const);
    const id = crypto.randomUUID();
    assert.equal((await desk.patch([{ id, step: id, patch: [operation] }])).status, 200);
  }
  return {
    ...desk,
    folder,
    data: desk.folder,
    browser,
    formToken,
    upload,
    name,
    /** The photos in the folder. */
    photos: () => readdirSync(folder).filter((one) => one.startsWith('photo-')),
    /** Makes the photos older than those whose change may be on its way. */
    age() {
      for (const one of readdirSync(folder)) lutimesSync(join(folder, one), 1, 1);
    },
    /** The photo that a visitor gets; null if the page has none. */
    served: () => desk.opened.photoOf(desk.opened.profile.current()),
  };
}

test('a photo of the working copy is shown to the owner alone, until it is published', async (t) => {
  const { upload, name, get, publish, now, photos, folder, file, served } = await open(t);
  chmodSync(file, 0o640);
  for (const missing of ['', '?name=me.jpg', '?name=profile.yaml', '?name=../me.jpg', '?name=/etc/passwd'])
    assert.equal((await get(path + missing)).status, 404);
  const { status, body } = await upload(jpegOf('photo'));
  assert.equal(status, 200);
  assert.match(body.photo, /^photo-[\w-]{16}\.jpg$/);
  assert.deepEqual(photos(), [body.photo]);
  assert.equal(statSync(join(folder, body.photo)).mode & 0o777, 0o640);
  await name(body.photo);
  assert.equal(now(), sample);
  const shown = await get(`${path}?name=${body.photo}`);
  assert.equal(shown.headers.get('content-type'), 'image/jpeg');
  assert.ok((await shown.arrayBuffer()).byteLength > 100);
  assert.equal(await served(), null);
  assert.equal((await get(`/${body.photo}`)).status, 404);

  assert.equal((await publish()).status, 200);
  assert.equal(now().replace(/ +photo: .*\n/, ''), sample);
  assert.equal((await served())?.format, 'jpg');
});

test('only the owner, from the page of the editor, adds a photo', async (t) => {
  const { ask, browser, formToken, photos } = await open(t);
  const send = async (headers: Record<string, string>) =>
    (
      await ask(path, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg', ...headers },
        body: new Uint8Array(jpegOf('photo')),
      })
    ).status;
  assert.equal(await send({}), 401);
  assert.equal(await send(browser), 403);
  assert.equal(await send({ ...browser, 'x-form-token': formToken, 'sec-fetch-site': 'cross-site' }), 403);
  assert.match((await ask(path)).headers.get('content-type') ?? '', /^text\/html/);
  assert.deepEqual(photos(), []);
});

test('the metadata of a photo, such as where it was taken, is not stored', async (t) => {
  const { upload, photos, folder } = await open(t);
  const file = withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6)), segmentOf(0xfe, 'Uppsala'));
  assert.equal((await upload(file)).status, 200);
  const stored = readFileSync(join(folder, photos()[0]!));
  assert.doesNotMatch(stored.toString('latin1'), /GPS|Uppsala/);
  assert.ok(stored.includes('Exif\0\0MM'), 'how it is turned is kept');
});

test('what is not a photo is refused in one sentence, and nothing is stored', async (t) => {
  const { upload, photos, now } = await open(t);
  const jpeg = jpegOf('photo');
  const large = pngOf({ width: 30_000, height: 30_000, depth: 1, colour: 0, samples: 1 }).subarray(0, 33);
  const bomb = Buffer.concat([large, chunkOf('IDAT', ''), chunkOf('IEND', '')]);
  const unreadable = 'The photo is not a JPEG or PNG image, or is damaged.';
  for (const [file, message] of [
    ['GIF89a an animation', unreadable],
    [jpeg.subarray(0, jpeg.length / 2), unreadable],
    [bomb, 'The photo has more than 16 megapixels.'],
    ['', unreadable],
  ] as const)
    assert.deepEqual(await upload(file), { status: 422, body: { message } });
  assert.equal((await upload(Buffer.concat([jpeg, Buffer.alloc(2 * 1024 ** 2)]))).status, 413);
  assert.equal((await upload(jpeg, 'text/plain')).status, 415);
  assert.deepEqual([photos(), now()], [[], sample]);
});

test('a photo is replaced and taken out; a version that had it keeps it as long as the version is kept', async (t) => {
  const { upload, name, publish, post, photos, age, served, now } = await open(t);
  const first = (await upload(jpegOf('photo'))).body.photo;
  await name(first);
  await publish();
  await name((await upload(pngOf({ width: 20, height: 30 }))).body.photo);
  await publish();
  assert.equal((await served())?.format, 'png');
  age();
  await name(null);
  await publish();
  assert.deepEqual([now(), await served(), photos().length], [sample, null, 2]);
  age();
  assert.equal((await post('/desk/profile/history/erase', {}, '/desk/profile/history')).status, 303);
  assert.deepEqual(photos(), []);
});

test('a picture that the desk did not write is never removed, nor the photo of another profile', async (t) => {
  const { upload, post, photos, age, folder } = await open(t);
  writeFileSync(join(folder, 'photo-family-summer-24.jpg'), jpegOf('photo'));
  symlinkSync('nowhere', join(folder, 'photo-family-summer-25.jpg'));
  mkdirSync(join(folder, 'photo-family-summer-26.jpg'));
  const other = { path: join(folder, 'other.yaml'), now: () => new Date() };
  const ofOther = await photosOf(other).add(jpegOf('photo'));
  await upload(jpegOf('photo'));
  assert.equal(photos().length, 5);
  age();
  await post('/desk/profile/history/erase', {}, '/desk/profile/history');
  const byHand = ['photo-family-summer-24.jpg', 'photo-family-summer-25.jpg', 'photo-family-summer-26.jpg'];
  assert.deepEqual(photos().sort(), [ofOther, ...byHand].sort());
});

test('a photo can be uploaded after a crash has interrupted the write of one', async (t) => {
  const { upload, photos, file } = await open(t);
  writeFileSync(`${file}.photo.part`, 'half');
  assert.equal((await upload(jpegOf('photo'))).status, 200);
  assert.deepEqual([photos().length, existsSync(`${file}.photo.part`)], [1, false]);
});

test('if the desk cannot write it says so, and takes no photo', async (t) => {
  const { upload, file, photos } = await open(t);
  chmodSync(file, 0o444);
  const message = 'The photo cannot be stored, because it is read-only.';
  assert.deepEqual(await upload(jpegOf('photo')), { status: 422, body: { message } });
  assert.deepEqual(photos(), []);
});

test('a photo is taken before the first publish, and is then beside the profile of one’s own', async (t) => {
  const { upload, name, get, data } = await open(t, sample, { PROFILE: '' });
  const { body } = await upload(jpegOf('photo'));
  assert.deepEqual(
    readdirSync(data).filter((one) => one.startsWith('photo-')),
    [body.photo],
  );
  await name(body.photo);
  assert.equal((await get(`${path}?name=${body.photo}`)).headers.get('content-type'), 'image/jpeg');
});
