import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl';

/** A file of a ZIP archive or a folder. */
export interface InputFile {
  /** Relative, with slashes, without `..` and control characters. */
  readonly path: string;
  /** In bytes, unpacked. */
  readonly size: number;
  /** Reads it whole. Throws a reason to stand after the path of the archive or folder. */
  read(): Promise<Buffer>;
}

const mebibyte = 1024 * 1024;
const maxFiles = 2000;
const maxFileBytes = 64 * mebibyte;
const maxBytes = 128 * mebibyte;
const maxRatio = 100;

/**
 * Lists the files of a ZIP archive, without folders. Throws a reason to stand after the file's path if the archive is
 * damaged, encrypted, a decompression bomb or has unsafe paths.
 */
export async function openZip(bytes: Buffer): Promise<readonly InputFile[]> {
  const archive = await fromBufferPromise(bytes, { decodeStrings: false }).catch(refuse);
  if (archive.entryCount > maxFiles) throw new Error(`is a ZIP archive of more than ${maxFiles} files`);
  const entries = await Array.fromAsync(archive.eachEntry()).catch(refuse);
  const files = entries.map((entry) => toFile(archive, entry));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) throw new Error(`is a ZIP archive that unpacks to more than ${maxBytes / mebibyte} MiB`);
  return files.filter(({ path }) => !path.endsWith('/'));
}

function toFile(archive: ZipFile, entry: Entry): InputFile {
  const path = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
  const size = entry.uncompressedSize;
  const subject = `is a ZIP archive that holds “${path.slice(0, 100).replace(/\p{Cc}/gu, '?')}”, which`;
  if (validateFileName(path) !== null || path === '' || /\p{Cc}/u.test(path))
    throw new Error(`${subject} is not a safe path`);
  // The upper half of the attributes is a Unix file mode; 0 if the archive was not made on Unix.
  const isFileOrFolder = [0, 0o040000, 0o100000].includes((entry.externalFileAttributes >>> 16) & 0o170000);
  if (!isFileOrFolder) throw new Error(`${subject} is a link or a special file`);
  if (entry.isEncrypted()) throw new Error(`${subject} is encrypted`);
  if (size > maxFileBytes) throw new Error(`${subject} unpacks to more than ${maxFileBytes / mebibyte} MiB`);
  // Small files are harmless at any compression ratio.
  if (size > mebibyte && size > maxRatio * entry.compressedSize)
    throw new Error(`${subject} unpacks to more than ${maxRatio} times its size`);
  return { path, size, read: () => unpack(archive, entry) };
}

/** Unpacks a file. The library throws if it is longer than its entry says. */
async function unpack(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const content = await archive.openReadStreamPromise(entry).then(buffer).catch(refuse);
  return crc32(content) === entry.crc32 ? content : refuse(new Error('a checksum is wrong'));
}

function refuse(cause: Error): never {
  throw new Error(`is a ZIP archive that cannot be read: ${cause.message}`, { cause });
}
