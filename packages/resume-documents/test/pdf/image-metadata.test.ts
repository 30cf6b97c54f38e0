import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMetadata } from 'resume-documents/pdf/photo';
import { chunkOf, exifOf, jpegOf, pngOf, segmentOf, withSegments } from '../images.ts';

const unreadable = { message: 'is not a JPEG or PNG image, or is damaged' };

test('of a JPEG only the picture is left: no EXIF, XMP, IPTC, comment, colour profile, nor what follows it', () => {
  const jpeg = jpegOf('photo');
  // biome-ignore format: a table
  const full = Buffer.concat([
    withSegments(jpeg, segmentOf(0xe1, exifOf(1)), segmentOf(0xe1,
      'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Uppsala</x:xmpmeta>'), segmentOf(0xe2, 'ICC_PROFILE\0 of a telephone'),
      segmentOf(0xed, 'Photoshop 3.0\0 of a photographer'), segmentOf(0xfe, 'a comment')),
    Buffer.from('a film that follows'),
  ]);
  const { bytes, ...rest } = withoutMetadata(full);
  // JFIF, the segment that begins the file, is 18 bytes long.
  assert.deepEqual(bytes, Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(20)]));
  assert.deepEqual(rest, { format: 'jpg', width: 24, height: 32, orientation: 1 });
});

test('nothing is left in a JPEG that shows no picture, such as reserved segments', () => {
  const upright = withoutMetadata(jpegOf('photo')).bytes;
  const colours = 'Adobe\0\x64\0\0\0\0\x01';
  const hiding = [0x01, 0x02, 0xbf, 0xc8, 0xd0, 0xde, 0xdf, 0xf0].map((marker) => segmentOf(marker, 'GPS 59.85 N'));
  for (const segment of [...hiding, segmentOf(0xee, 'GPS 59.85 N'), segmentOf(0xee, 'Adobe\0GPS')])
    assert.deepEqual(withoutMetadata(withSegments(jpegOf('photo'), segment)).bytes, upright);
  const { bytes } = withoutMetadata(withSegments(jpegOf('photo'), segmentOf(0xee, `${colours}GPS 59.85 N`)));
  assert.deepEqual(bytes, withSegments(upright, segmentOf(0xee, colours)));
});

test('an image is refused whose size a decoder could understand otherwise, and take any amount of memory', () => {
  const picture = jpegOf('photo');
  const at = picture.indexOf(Buffer.from([0xff, 0xc0]));
  const frame = picture.subarray(at, at + 2 + picture.readUInt16BE(at + 2));
  const end = picture.subarray(-2);
  const large = pngOf({ width: 30_000, height: 3, depth: 1, colour: 0, samples: 1 });
  const small = chunkOf('tEXt', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]));
  for (const file of [
    withSegments(picture, frame),
    Buffer.concat([picture.subarray(0, -2), frame, end]),
    Buffer.concat([large.subarray(0, 8), small, large.subarray(8)]),
  ])
    assert.throws(() => withoutMetadata(file), unreadable);
});

test('the orientation of a JPEG is kept, alone', () => {
  for (const isLittleEndian of [false, true]) {
    const turned = withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6, isLittleEndian)));
    const { bytes, orientation } = withoutMetadata(turned);
    assert.equal(orientation, 6);
    const upright = withoutMetadata(jpegOf('photo')).bytes;
    const exif = segmentOf(0xe1, exifOf(6).replace(/GPS.*/, ''));
    assert.deepEqual(bytes, withSegments(upright, exif));
  }
});

test('an orientation that does not exist, or EXIF that is cut off, is left out', () => {
  for (const exif of [exifOf(9), exifOf(0), exifOf(6).slice(0, 20), 'Exif\0\0', ''])
    assert.deepEqual(
      withoutMetadata(withSegments(jpegOf('photo'), segmentOf(0xe1, exif))),
      withoutMetadata(jpegOf('photo')),
      exif,
    );
});

test('JPEGs are read whatever their kind: progressive, with several scans, and in CMYK', () => {
  for (const name of ['photo-progressive', 'photo-cmyk']) {
    const { format, width, height } = withoutMetadata(jpegOf(name));
    assert.deepEqual([format, width, height], ['jpg', 24, 32]);
  }
});

test('of a PNG only the picture is left: no texts, EXIF, colour profile or animation, nor what follows it', () => {
  const transparent = chunkOf('tRNS', '\0\0\0\0\0\0');
  const picture = pngOf({}, transparent);
  const full = pngOf(
    {},
    ...[chunkOf('tEXt', 'Author\0Nora'), chunkOf('iTXt', 'XML:com.adobe.xmp\0'), chunkOf('eXIf', exifOf(6).slice(6))],
    ...[chunkOf('iCCP', 'profile'), chunkOf('tIME', 'a moment'), chunkOf('acTL', 'frames'), transparent],
  );
  const stripped = withoutMetadata(Buffer.concat([full, Buffer.from('more')]));
  assert.deepEqual(stripped, { format: 'png', bytes: picture, width: 2, height: 3, orientation: 1 });
});

test('a file that is cut off anywhere is refused', () => {
  for (const file of [
    withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6))),
    jpegOf('photo-progressive'),
    pngOf({}),
  ])
    for (let length = 0; length < file.length; length++)
      assert.throws(() => withoutMetadata(file.subarray(0, length)), unreadable, `${length} of ${file.length}`);
});

test('a file with any byte changed is copied or refused', () => {
  for (const file of [withSegments(jpegOf('photo'), segmentOf(0xe1, exifOf(6))), pngOf({})])
    for (let at = 0; at < file.length; at++)
      for (const value of [0, 1, 0x7f, 0x80, 0xff]) {
        const changed = Buffer.from(file);
        changed[at] = value;
        try {
          assert.ok(withoutMetadata(changed).bytes.length <= file.length + 36);
        } catch (error) {
          assert.equal((error as Error).message, unreadable.message);
        }
      }
});

test('other files are refused', () => {
  for (const file of ['', 'GIF89a', '<svg/>', '\xff\xd8', '%PDF-1.7'])
    assert.throws(() => withoutMetadata(Buffer.from(file, 'latin1')), unreadable);
});

test('markers at which a decoder restarts are a part of the scan', () => {
  const picture = withoutMetadata(jpegOf('photo')).bytes;
  const restarted = Buffer.concat([picture.subarray(0, -4), Buffer.from([0xff, 0xd3]), picture.subarray(-4)]);
  assert.deepEqual(withoutMetadata(restarted).bytes, restarted);
});
