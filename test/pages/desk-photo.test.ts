import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { photosOf } from '../../src/adapters/profile/photos.ts';
import { sample } from '../support/desk.ts';
import { draftIn, openEditor, typedAt } from '../support/editor-form.ts';
import { chunkOf, exifOf, jpegOf, pngOf, segmentOf, withSegments } from '../support/images.ts';

const form = '/desk/profile/edit/photo';

/** The form of the photo at the desk, for a profile file of its own. */
async function openForm(t: TestContext, text = sample, env: Record<string, string> = {}) {
  const editor = await openEditor(t, text, env);
  const folder = dirname(editor.file);
  return {
    ...editor,
    folder,
    data: editor.folder,
    /** Sends a file by the form of a page. */
    async upload(file: Buffer | string, { name = 'me.jpg', on = form, by = 'draft', typed = {}, shown = '' } = {}) {
      const chosen = new File([new Uint8Array(Buffer.from(file))], name);
      return editor.send(shown || (await editor.page(on)), by, typed, chosen);
    },
    /** The photos in the folder. */
    photos: () => readdirSync(folder).filter((name) => name.startsWith('photo-')),
    /** Makes the photos older than those that may be waiting for their draft. */
    age() {
      for (const name of readdirSync(folder)) lutimesSync(join(folder, name), 1, 1);
    },
    /** The photo that a visitor gets; null if the page has none. */
    served: () => editor.opened.photoOf(editor.opened.profile.current()),
  };
}

test('a photo is uploaded into a draft, which only the preview shows until it is published', async (t) => {
  const { upload, page, get, send, now, photos, folder, file, served } = await openForm(t);
  chmodSync(file, 0o640);
  const { status, to } = await upload(jpegOf('photo'));
  assert.equal(status, 303);
  const draft = draftIn(to);
  assert.equal(to, `${form}?draft=${draft}&done=saved#done`);
  assert.equal(now(), sample);
  const [name = ''] = photos();
  assert.deepEqual(photos(), [name]);
  assert.match(name, /^photo-[\w-]{16}\.jpg$/);
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o640);
  const shown = await page(to);
  assert.match(shown, /Saved as a draft: nobody sees it until you publish it\./);
  const frame = await (await get(/<iframe src="([^"]+)"/.exec(shown)![1]!)).text();
  const inFrame = await get(/<img class="photo" src="([^"]+)"/.exec(frame)![1]!);
  const inForm = await get(/<img class="chosen-photo" src="([^"]+)"/.exec(shown)![1]!);
  assert.equal(inFrame.headers.get('content-type'), 'image/jpeg');
  assert.deepEqual(await inForm.arrayBuffer(), await inFrame.arrayBuffer());
  assert.equal(await served(), null);
  assert.equal((await get(`/${name}`)).status, 404);

  assert.equal((await send(shown, 'publish')).to, `${form}?done=published#done`);
  assert.match(now(), new RegExp(`photo: "?${name}`));
  assert.equal(now().replace(/ +photo: .*\n/, ''), sample);
  assert.equal((await served())?.format, 'jpg');
});

test('the metadata of a photo, such as where it was taken, is not stored', async (t) => {
  const { upload, photos, folder } = await openForm(t);
  const file = withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6)), segmentOf(0xfe, 'Uppsala'));
  assert.equal((await upload(file)).status, 303);
  const stored = readFileSync(join(folder, photos()[0]!));
  assert.doesNotMatch(stored.toString('latin1'), /GPS|Uppsala/);
  assert.ok(stored.includes('Exif\0\0MM'), 'how it is turned is kept');
});

test('a file that is not a photo is refused in one sentence, and nothing is stored', async (t) => {
  const { upload, photos, now, page } = await openForm(t);
  const jpeg = jpegOf('photo');
  const unreadable = 'me.jpg is not a JPEG or PNG image, or is damaged. Nothing that you typed is lost.';
  const larger =
    'me.jpg is larger than 2 MiB. Save it as a smaller JPEG, such as one of 1,600 × 1,200 pixels, and choose that.';
  const large = pngOf({ width: 30_000, height: 30_000, depth: 1, colour: 0, samples: 1 }).subarray(0, 33);
  const bomb = Buffer.concat([large, chunkOf('IDAT', ''), chunkOf('IEND', '')]);
  for (const [file, words, name, status] of [
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'me.svg is not a JPEG or PNG image, or is damaged.', 'me.svg', 422],
    ['GIF89a an animation', unreadable, 'me.jpg', 422],
    [jpeg.subarray(0, jpeg.length / 2), unreadable, 'me.jpg', 422],
    [pngOf({}).subarray(0, -20), unreadable, 'me.jpg', 422],
    [bomb, 'me.png has more than 16 megapixels.', 'me.png', 422],
    [Buffer.concat([jpeg, Buffer.alloc(2 * 1024 ** 2)]), larger, 'me.jpg', 413],
    ['ftypheic', 'IMG_1.HEIC is not a JPEG or PNG image, or is damaged.', 'IMG_1.HEIC', 422],
    ['', 'me.jpg is empty.', 'me.jpg', 422],
    ['x', '&lt;script&gt;.jpg is not a JPEG or PNG image, or is damaged.', '<script>.jpg', 422],
  ] as const) {
    const refused = await upload(file, { name });
    assert.equal(refused.status, status, words);
    assert.ok(refused.text.includes(`Not saved: ${words}`), words);
    assert.match(refused.text, /<input type="file" id="photo"/);
  }
  assert.deepEqual(photos(), []);
  assert.equal(now(), sample);
  assert.match(await page('/desk/profile/drafts'), /Nothing is saved as a draft\./);
});

test('a photo is replaced and taken out, and a version that had it can be restored as long as it is kept', async (t) => {
  const { upload, page, send, get, post, now, photos, age, folder, served } = await openForm(t);
  const publish = async (to: string) => (await send(await page(to), 'publish')).to;
  await publish((await upload(jpegOf('photo'))).to);
  const [first = ''] = photos();
  const second = await upload(pngOf({ width: 20, height: 30 }));
  await publish(second.to);
  assert.equal((await served())?.format, 'png');
  age();
  const out = await send(await page(form), 'remove');
  assert.match(out.text, /Not saved yet\./);
  await send(out.text, 'publish');
  assert.equal(now(), sample);
  assert.equal(await served(), null);
  assert.equal(photos().length, 2);

  const [id] = [...(await page('/desk/profile/history')).matchAll(/history\/(\d+)"/g)].map(([, one]) => Number(one)).sort((a, b) => a - b).slice(1); // biome-ignore format: one line
  const version = await page(`/desk/profile/history/${id}`);
  const revision = /name="revision" value="([^"]*)"/.exec(version)![1]!;
  const restored = await post(`/desk/profile/history/${id}/restore`, { revision }, `/desk/profile/history/${id}`);
  assert.equal(restored.status, 303);
  assert.match(now(), new RegExp(first));
  assert.equal((await served())?.format, 'jpg');

  age();
  assert.equal((await post('/desk/profile/history/erase', {}, '/desk/profile/history')).status, 303);
  assert.deepEqual(photos(), [first]);
  assert.ok(existsSync(join(folder, first)));
  assert.equal((await get(form)).status, 200);
});

test('a photo of a draft is removed with the draft, unless something else needs it or it was just uploaded', async (t) => {
  const { upload, page, send, post, photos, age, folder } = await openForm(t);
  writeFileSync(join(folder, 'photo-of-me.jpg'), 'by hand');
  const one = draftIn((await upload(jpegOf('photo'))).to);
  const busy = await send(await page('/desk/profile/edit/availability'), 'draft', { 'availability.status': 'busy' });
  const other = draftIn((await upload(jpegOf('photo'), { on: `${form}?draft=${draftIn(busy.to)}` })).to);
  await post(`/desk/profile/drafts/${one}/remove`, {}, '/desk/profile/drafts');
  age();
  assert.equal(photos().length, 2);
  const third = draftIn((await upload(pngOf({}))).to);
  await post(`/desk/profile/drafts/${third}/remove`, {}, '/desk/profile/drafts');
  assert.equal(photos().length, 3);
  age();
  await post(`/desk/profile/drafts/${other}/remove`, {}, '/desk/profile/drafts');
  assert.deepEqual(photos(), ['photo-of-me.jpg']);
});

test('a picture that the desk did not write is never removed, nor the photo of another profile', async (t) => {
  const { upload, post, photos, age, folder } = await openForm(t);
  writeFileSync(join(folder, 'photo-family-summer-24.jpg'), jpegOf('photo'));
  symlinkSync('nowhere', join(folder, 'photo-family-summer-25.jpg'));
  mkdirSync(join(folder, 'photo-family-summer-26.jpg'));
  const other = { path: join(folder, 'other.yaml'), now: () => new Date() };
  const ofOther = await photosOf(other).add(jpegOf('photo'));
  const draft = draftIn((await upload(jpegOf('photo'))).to);
  assert.equal(photos().length, 5);
  age();
  await post(`/desk/profile/drafts/${draft}/remove`, {}, '/desk/profile/drafts');
  const byHand = ['photo-family-summer-24.jpg', 'photo-family-summer-25.jpg', 'photo-family-summer-26.jpg'];
  assert.deepEqual(photos().sort(), [ofOther, ...byHand].sort());
});

test('a photo that no text needs any more is removed by the next publish, unless the file cannot be read', async (t) => {
  const { upload, page, post, send, photos, age, file, now } = await openForm(t, sample, { KEEP_HISTORY: '0' });
  const publish = async (to: string) => (await send(await page(to), 'publish')).to;
  await publish((await upload(jpegOf('photo'))).to);
  age();
  const { to } = await upload(pngOf({}));
  assert.equal(photos().length, 2);
  await publish(to);
  const [name = ''] = photos();
  assert.deepEqual(photos(), [name]);
  assert.match(name, /\.png$/);

  age();
  const draft = await send(await page('/desk/profile/edit/availability'), 'draft', { 'availability.status': 'busy' });
  writeFileSync(file, Buffer.concat([Buffer.from(now()), Buffer.from([0xff])]));
  await post(`/desk/profile/drafts/${draftIn(draft.to)}/remove`, {}, '/desk/profile/drafts');
  assert.deepEqual(photos(), [name]);
});

test('a photo can be uploaded after a crash has interrupted the write of one', async (t) => {
  const { upload, photos, file } = await openForm(t);
  writeFileSync(`${file}.photo.part`, 'half');
  assert.equal((await upload(jpegOf('photo'))).status, 303);
  assert.deepEqual([photos().length, existsSync(`${file}.photo.part`)], [1, false]);
});

test('if the desk cannot write it says so, and takes no photo', async (t) => {
  const { page, upload, file, photos, folder } = await openForm(t);
  const opened = await page(form);
  chmodSync(file, 0o444);
  const shown = await page(form);
  assert.match(shown, /It cannot be changed here, because it is read-only\./);
  assert.doesNotMatch(shown, /<input type="file"/);
  const refused = await upload(jpegOf('photo'), { shown: opened });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /me\.jpg cannot be stored, because it is read-only\. Nothing that you typed is lost\./);
  assert.deepEqual([photos(), existsSync(join(folder, '.part'))], [[], false]);
});

test('if a file cannot be written, the form comes back with the reason', async (t) => {
  const { upload, data, page } = await openForm(t);
  const shown = await page(form);
  renameSync(data, `${data}.away`);
  writeFileSync(data, '');
  const refused = await upload(jpegOf('photo'), { shown, typed: { 'resume.photo': 'by-hand.jpg' } });
  rmSync(data);
  renameSync(`${data}.away`, data);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Not saved: me\.jpg could not be written to the disk, which may be full\. Nothing that you typed is lost\./); // biome-ignore format: one line
  assert.equal(typedAt(refused.text, 'resume.photo'), 'by-hand.jpg');
});

test('a draft takes a photo before the first publish, which is then beside the profile of one’s own', async (t) => {
  const { upload, page, send, get, data } = await openForm(t, sample, { PROFILE: '' });
  const { to } = await upload(jpegOf('photo'));
  const [name = ''] = readdirSync(data).filter((one) => one.startsWith('photo-'));
  const shown = await page(`${form}?draft=${draftIn(to)}&preview=page`);
  assert.equal(typedAt(shown, 'resume.photo'), name);
  const frame = await get(/<iframe src="([^"]+)"/.exec(shown)?.[1] ?? assert.fail());
  assert.match(await frame.text(), /<img class="photo"/);
  assert.equal((await send(shown, 'publish')).to, `${form}?done=published#done`);
  assert.ok(readFileSync(join(data, 'profile.yaml'), 'utf8').includes(`photo: ${name}`));
});
