import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openResumeRenderer, type RenderedResume } from 'resume-documents/pdf/resume-pdf';
import { getDocumentProxy } from 'unpdf';
import { plain, sample } from '../../../packages/resume-documents/test/pdf/rendered.ts';
import { photoOf } from '../../../src/adapters/pdf/photo-file.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { exifOf, jpegOf, pngOf, segmentOf, withSegments } from '../../support/images.ts';
import { runCommand } from '../../support/process.ts';

/** A folder in which a profile names `me.jpg`, and what renders it, with the text of a template if one is given. */
function makePhotoFolder(t: TestContext, template?: string) {
  const folder = newFolder(t);
  const style = template === undefined ? plain : { ...plain, template: join(folder, 'template.typ') };
  if (style.template !== undefined) writeFileSync(style.template, template!);
  const renderResume = openResumeRenderer(style, (profile) => photoOf(profile, join(folder, 'profile.yaml')));
  return {
    folder,
    /** Renders the sample with a photo of some bytes. */
    render(bytes?: Buffer): Promise<RenderedResume> {
      if (bytes) writeFileSync(join(folder, 'me.jpg'), bytes);
      return renderResume({ ...sample, resume: { ...sample.resume, photo: 'me.jpg' } }, '{}');
    },
  };
}

const imageOperator = 85;
const transformOperator = 12;

/** How the only image of a PDF is placed: the transformation of a unit square, rounded to points; null without an image. */
async function placeOf({ pdf }: RenderedResume): Promise<number[] | null> {
  const page = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1);
  const { fnArray, argsArray } = await page.getOperatorList();
  const at = fnArray.indexOf(imageOperator);
  if (at === -1) return null;
  return (argsArray[fnArray.lastIndexOf(transformOperator, at)] as number[])
    .slice(0, 4)
    .map((each) => Math.round(each));
}

test('the photo is beside the name, with the name as its alternative text', async (t) => {
  const { render } = makePhotoFolder(t);
  const rendered = await render(jpegOf('photo'));
  assert.equal(rendered.photoFault, null);
  assert.deepEqual(await placeOf(rendered), [65, 0, 0, 87]);
  const page = await (await getDocumentProxy(new Uint8Array(rendered.pdf))).getPage(1);
  assert.match(JSON.stringify(await page.getStructTree()), /"role":"Figure".{0,90}"alt":"Dr\. Lena Vasquez"/);
});

test('a photo that a camera rotated is upright, and the PDF has none of its metadata', async (t) => {
  const { render } = makePhotoFolder(t);
  const taken = withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6)), segmentOf(0xfe, 'a comment'));
  const rendered = await render(taken);
  const [a, b, c, d] = (await placeOf(rendered))!;
  assert.deepEqual([a, Math.sign(b!), Math.sign(c!), d], [0, -1, 1, 0]);
  const pdf = Buffer.from(rendered.pdf);
  assert.ok(pdf.includes(jpegOf('photo').subarray(20)));
  for (const text of ['GPS', 'a comment', 'me.jpg']) assert.ok(!pdf.includes(text), text);
});

test('images of every kind are printed', async (t) => {
  const { render } = makePhotoFolder(t);
  const images = {
    progressive: jpegOf('photo-progressive'),
    cmyk: jpegOf('photo-cmyk'),
    'sixteen bits': pngOf({ depth: 16, colour: 6, samples: 4 }),
    interlaced: pngOf({ width: 1, height: 1, isInterlaced: true }),
    'one bit': pngOf({ depth: 1, colour: 0, samples: 1 }),
  };
  for (const [kind, bytes] of Object.entries(images)) {
    const rendered = await render(bytes);
    assert.equal(rendered.photoFault, null, kind);
    assert.notEqual(await placeOf(rendered), null, kind);
  }
});

test('without a photo that can be read the PDF is printed without it, and why is told', async (t) => {
  const { render } = makePhotoFolder(t);
  const faults: unknown[] = [(await render()).photoFault];
  const damaged = 'is not a JPEG or PNG image, or is damaged';
  for (const bytes of [
    Buffer.alloc(2 * 1024 ** 2 + 1),
    Buffer.from('GIF89a'),
    pngOf({ width: 4001, height: 4000, depth: 1, colour: 0, samples: 1 }),
    Buffer.from(pngOf({})).fill(0, 41, 60),
    withSegments(jpegOf('photo').subarray(0, 100), jpegOf('photo').subarray(-2)),
  ]) {
    const rendered = await render(bytes);
    assert.equal(await placeOf(rendered), null);
    faults.push(rendered.photoFault);
  }
  // biome-ignore format: a table
  assert.deepEqual(faults, [
    'does not exist', 'is larger than 2 MiB', damaged, 'has more than 16 megapixels', damaged, damaged,
  ]);
});

test('a symbolic link is followed in the folder of the profile, and not out of it', async (t) => {
  const { folder, render } = makePhotoFolder(t);
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'pictures', 'large.jpg'), jpegOf('photo'));
  symlinkSync(join('pictures', 'large.jpg'), join(folder, 'me.jpg'));
  assert.equal((await render()).photoFault, null);
  const other = makePhotoFolder(t);
  symlinkSync(fixture('photo.jpg'), join(other.folder, 'me.jpg'));
  const rendered = await other.render();
  assert.equal(rendered.photoFault, 'leads outside the folder of the profile');
  assert.equal(await placeOf(rendered), null);
});

test('the photo is read again when the profile is', async (t) => {
  const { render } = makePhotoFolder(t);
  const [first, changed, removed] = [
    await render(jpegOf('photo')),
    await render(jpegOf('photo-progressive')),
    await render(Buffer.from('')),
  ];
  assert.notDeepEqual(changed.pdf, first.pdf);
  assert.equal(await placeOf(removed), null);
  assert.equal(hash('sha256', (await render(jpegOf('photo'))).pdf), hash('sha256', first.pdf));
});

// The libraries that decode images must not end the process: the tests after this one would not run.
test('a photo with any bytes changed is printed or left out', async (t) => {
  const shown = '#if sys.inputs.photo != "" { image("profile-photo", format: sys.inputs.photo, alt: "Me") }';
  const { render } = makePhotoFolder(t, `#set document(title: "Photo")\n${shown}`);
  for (const file of [jpegOf('photo'), jpegOf('photo-progressive'), jpegOf('photo-cmyk')])
    for (let at = 20; at < file.length; at += 11) {
      const changed = Buffer.from(file);
      changed[at] = changed[at]! ^ 0x55;
      const { photoFault } = await render(changed);
      assert.ok(photoFault === null || /is damaged$|megapixels$/.test(photoFault), `${at}: ${photoFault}`);
    }
});

test('check and export warn of a photo that is not printed, at its line', async (t) => {
  const folder = newFolder(t);
  const PROFILE = join(folder, 'profile.yaml');
  const text = readFileSync(fixture('profile.yaml'), 'utf8');
  writeFileSync(PROFILE, text.replace(/^resume:$/m, 'resume:\n  photo: me.jpg'));
  const line = text.split('\n').indexOf('resume:') + 2;
  const warning = `${PROFILE}:${line}:10: warning: resume.photo: the file does not exist; the PDF is printed without it`;
  const checked = await runCommand(t, ['check', PROFILE]);
  assert.deepEqual([checked.code, checked.stdout.match(/.*photo.*/g)], [0, [warning]]);
  const out = join(folder, 'resume.pdf');
  const exported = await runCommand(t, ['export', '--format', 'pdf', '--out', out], { PROFILE });
  assert.deepEqual([exported.code, exported.stderr], [0, `${warning}\n`]);
  writeFileSync(join(folder, 'me.jpg'), jpegOf('photo'));
  assert.doesNotMatch((await runCommand(t, ['check', PROFILE])).stdout, /photo/);
});
