import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { fixture } from '../../resume-profile/test/documents.ts';

/** A JPEG of 24 × 32 pixels, black at the top: `photo`, `photo-progressive` or `photo-cmyk`. */
export const jpegOf = (name: string): Buffer => readFileSync(fixture(`${name}.jpg`));

/** A JPEG segment, its marker, length and data. */
export const segmentOf = (marker: number, data: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + data.length, 2);
  return Buffer.concat([head, Buffer.from(data, 'latin1')]);
};

/** A JPEG with segments after its start. */
export const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** The data of a segment of EXIF with an orientation, and a position among other metadata. */
export const exifOf = (orientation: number, isLittleEndian = false): string => {
  const o = String.fromCharCode(orientation);
  return isLittleEndian
    ? `Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${o}\0\0\0\0\0\0\0GPS 59.85 N`
    : `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${o}\0\0\0\0\0\0GPS 59.85 N`;
};

/** A PNG chunk with its checksum. */
export function chunkOf(type: string, data: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data as string, 'latin1')]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A black PNG of some colour type, bits a sample and samples a pixel, with chunks before its pixels. */
export function pngOf(
  { width = 2, height = 3, depth = 8, colour = 2, samples = 3, isInterlaced = false },
  ...chunks: Buffer[]
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8);
  const pixels = Buffer.alloc(height * (1 + Math.ceil((width * samples * depth) / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', header),
    ...chunks,
    chunkOf('IDAT', deflateSync(pixels)),
    chunkOf('IEND', ''),
  ]);
}
