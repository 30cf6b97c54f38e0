import { crc32, deflateRawSync } from 'node:zlib';

/** A file to write. Other values than path and content are written as they are, even if they are false. */
export interface Writing {
  path: string;
  content: string | Buffer;
  isStored?: boolean;
  flags?: number;
  mode?: number;
  size?: number;
  checksum?: number;
}

/** Makes a ZIP archive of files, deflated unless `isStored`. */
export function toZip(files: readonly Writing[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { path, content, isStored = false, flags = 0x800, mode = 0o100644, ...claims } of files) {
    const plain = Buffer.from(content);
    const data = isStored ? plain : deflateRawSync(plain);
    const name = Buffer.from(path);
    const size = claims.size ?? plain.length;
    const common = [u16(20), u16(flags), u16(isStored ? 0 : 8), u32(0), u32(claims.checksum ?? crc32(plain))];
    const sizes = [u32(data.length), u32(size), u16(name.length), u16(0)];
    const local = Buffer.concat([u32(0x04034b50), ...common, ...sizes, name, data]);
    const rest = [u16(0), u16(0), u16(0), u32((mode << 16) >>> 0), u32(offset), name];
    entries.push(Buffer.concat([u32(0x02014b50), u16(0x031e), ...common, ...sizes, ...rest]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const counts = [u16(0), u16(0), u16(files.length), u16(files.length)];
  const end = [u32(0x06054b50), ...counts, u32(directory.length), u32(offset), u16(0)];
  return Buffer.concat([...locals, directory, ...end]);
}

/** Makes a ZIP archive of texts by path. */
export const toZipOf = (texts: Record<string, string>): Buffer =>
  toZip(Object.entries(texts).map(([path, content]) => ({ path, content })));

function u16(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(number);
  return bytes;
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
