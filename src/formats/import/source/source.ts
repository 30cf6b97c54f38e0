import { readFileSync, statSync } from 'node:fs';
import { shortened } from '../build/loss-report.ts';
import type { Format } from '../readers/format.ts';
import { jsonResume } from '../readers/json-resume.ts';
import { linkedIn } from '../readers/linkedin.ts';
import { reactiveResume } from '../readers/reactive-resume.ts';
import { renderCv } from '../readers/rendercv.ts';
import { readArchive } from './archive.ts';
import { placeOf } from './input-cursor.ts';
import { type Input, readTree } from './tree.ts';

/** Every format that can be imported; the first that recognises an input reads it. */
export const formats: readonly Format[] = [linkedIn, renderCv, reactiveResume, jsonResume];

/** An input and the format that it is in. */
export interface Source {
  readonly format: Format;
  readonly input: Input;
}

/** Reads a file to import, recognising it by its content. Throws `PATH: what is wrong` in one line. */
export async function readSource(path: string): Promise<Source> {
  try {
    const bytes = readBytes(path);
    const input = isArchive(bytes) ? await readArchive(bytes) : readTree(toText(bytes));
    return { format: formatOf(input, isArchive(bytes)), input };
  } catch (error) {
    throw new Error(`${path}: ${toReason(error as NodeJS.ErrnoException)}`, { cause: error });
  }
}

const mebibyte = 1024 * 1024;
const maxArchiveBytes = 64 * mebibyte;
const maxTextBytes = 4 * mebibyte;

function readBytes(path: string): Buffer {
  const stat = statSync(path);
  if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'is a folder' : 'is not a file');
  if (stat.size > maxArchiveBytes) throw new Error(`is larger than ${maxArchiveBytes / mebibyte} MiB`);
  return readFileSync(path);
}

// By the magic numbers: of a ZIP archive, a PDF and the two byte orders of UTF-16.
const startsWith = (bytes: Buffer, magic: RegExp) => magic.test(bytes.toString('hex', 0, 4));
const isArchive = (bytes: Buffer) => startsWith(bytes, /^504b0[357]/);

function toText(bytes: Buffer): string {
  if (startsWith(bytes, /^25504446/)) throw new Error(`is a PDF; ${knownFormats()}`);
  if (startsWith(bytes, /^(fffe|feff)/)) throw new Error('is UTF-16 text; save it as UTF-8');
  if (bytes.length > maxTextBytes) throw new Error(`is larger than ${maxTextBytes / mebibyte} MiB`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (!/\S/.test(text)) throw new Error('is empty');
  return text;
}

function formatOf({ tree }: Input, isArchived: boolean): Format {
  const place = placeOf(tree);
  const format = formats.find((each) => each.recognises(place));
  if (format) return format;
  const members = shortened(place.keys.join(', '));
  if (isArchived) throw new Error(`is a ZIP archive of ${members}; ${knownFormats()}`);
  const kinds = {
    object: `an object with the members ${members}`,
    list: 'a list',
    text: 'plain text',
    nothing: 'empty',
  };
  throw new Error(`is ${kinds[place.kind]}; ${knownFormats()}`);
}

const knownFormats = () => `what can be imported is ${formats.map(({ name, mark }) => `${name} (${mark})`).join(', ')}`;

function toReason({ code, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message;
  if (code === 'ENOENT') return 'does not exist';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : `cannot be read (${code})`;
}
