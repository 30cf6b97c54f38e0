export const unreadable = 'is not a JPEG or PNG image, or is damaged';

/** An image without metadata. Width and height are in pixels, before a rotation. */
export interface Image {
  readonly format: 'jpg' | 'png';
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** The EXIF orientation, 1 to 8; 1 is upright. */
  readonly orientation: number;
}

/** The photo of a profile, or why it cannot be read, in words that follow its name; both are null without one. */
export interface PhotoReading {
  readonly photo: Image | null;
  readonly photoFault: string | null;
}

// A decoded image takes up to 8 bytes a pixel of memory, however small its file is.
const maxMegapixels = 16;

/** Returns the photo in a file, without its metadata. Throws a reason to stand after the name of the file. */
export function toPhoto(file: Buffer): Image {
  const image = withoutMetadata(file);
  if (image.width * image.height > maxMegapixels * 1_000_000)
    throw new Error(`has more than ${maxMegapixels} megapixels`);
  return image;
}

/**
 * Copies the picture of a JPEG or PNG file, and the orientation of a JPEG: no EXIF, XMP, IPTC, comments, thumbnails,
 * colour profiles, or bytes after the end. Throws if the file is not such an image, or is cut off.
 */
export function withoutMetadata(file: Buffer): Image {
  try {
    if (file.subarray(0, 8).equals(pngSignature)) return copyPng(file);
    if (file.readUInt16BE(0) === 0xff_d8) return copyJpeg(file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new Error(unreadable);
}

/** The bytes from one place to another. Throws a RangeError if the file ends before. */
function slice(file: Buffer, from: number, to: number): Buffer {
  if (to > file.length) throw new RangeError('cut off');
  return file.subarray(from, to);
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const pngPicture = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

/** PNG (Third Edition), section 5: a chunk is its length, type, data and checksum. */
function copyPng(file: Buffer): Image {
  if (file.toString('latin1', 12, 16) !== 'IHDR') throw new RangeError('not a header');
  const chunks: Buffer[] = [pngSignature];
  let type = '';
  for (let at = 8; type !== 'IEND'; ) {
    const end = at + 12 + file.readUInt32BE(at);
    type = file.toString('latin1', at + 4, at + 8);
    const chunk = slice(file, at, end);
    if (pngPicture.includes(type)) chunks.push(chunk);
    at = end;
  }
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  return { format: 'png', bytes: Buffer.concat(chunks), width, height, orientation: 1 };
}

// Huffman tables, arithmetic conditioning, scans, quantization tables, number of lines, restart interval.
const jpegTables = [0xc4, 0xcc, 0xda, 0xdb, 0xdc, 0xdd];

/** JPEG (ITU-T T.81, annex B): a segment is a two-byte marker, length and data; image data follow a scan's segment. */
function copyJpeg(file: Buffer): Image {
  const segments: Buffer[] = [];
  const frames: Buffer[] = [];
  let orientation = 1;
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) throw new RangeError('not a marker');
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const dataEnd = at + 2 + file.readUInt16BE(at + 2);
    const end = marker === 0xda ? endOfScan(file, dataEnd) : dataEnd;
    const segment = slice(file, at, end);
    const isFrame = marker >= 0xc0 && marker < 0xd0 && ![...jpegTables, 0xc8].includes(marker);
    if (isFrame) frames.push(segment);
    if (isFrame || jpegTables.includes(marker)) segments.push(segment);
    if (marker === 0xee) segments.push(...coloursIn(segment));
    if (marker === 0xe1 && orientation === 1) orientation = orientationIn(segment);
    at = end;
  }
  // If there are several frames, a decoder may take the size from another one.
  const [frame] = frames;
  if (frame === undefined || frames.length > 1) throw new RangeError('not one frame');
  const [width, height] = [frame.readUInt16BE(7), frame.readUInt16BE(5)];
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
  const rotation = orientation === 1 ? [] : [exifOf(orientation)];
  return { format: 'jpg', bytes: Buffer.concat([start, ...rotation, ...segments, end]), width, height, orientation };
}

/** Returns Adobe's colour segment (TN 5116, section 18), without its other data; none for other segments. */
function coloursIn(segment: Buffer): Buffer[] {
  const data = segment.subarray(4, 16);
  if (data.length < 12 || data.toString('latin1', 0, 5) !== 'Adobe') return [];
  return [Buffer.from([0xff, 0xee, 0, 14]), data];
}

/** Returns the offset of the next marker that is not part of the compressed data. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new RangeError('cut off');
}

/** Returns the orientation (tag 0x0112, a short) in an EXIF 2.32 segment, 1 to 8; 1, upright, if it has none. */
function orientationIn(segment: Buffer): number {
  const isLittleEndian = segment.toString('latin1', 4, 12) === 'Exif\0\0II';
  const entry = segment.indexOf(isLittleEndian ? '1201030001000000' : '0112000300000001', 10, 'hex');
  const value = entry === -1 ? 1 : segment[entry + (isLittleEndian ? 8 : 9)]!;
  return value >= 1 && value <= 8 ? value : 1;
}

/** An EXIF segment that has only the orientation. */
const exifOf = (orientation: number): Buffer =>
  Buffer.from(
    `\xff\xe1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
    'latin1',
  );
