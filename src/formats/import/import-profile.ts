import type { Profile } from '../../model/profile-document.ts';
import { decodeUtf8 } from '../utf-8.ts';
import { type LossReport, toLossReport } from './build/loss-report.ts';
import { toProfile } from './build/to-profile.ts';
import type { Format } from './readers/draft.ts';
import { jsonResume } from './readers/json-resume.ts';
import { linkedIn } from './readers/linkedin.ts';
import { reactiveResume } from './readers/reactive-resume.ts';
import { renderCv } from './readers/rendercv.ts';
import { readArchive } from './source/archive.ts';
import { type InputCursor, toCursor } from './source/input-cursor.ts';
import { type Input, readTree } from './source/tree.ts';
import { shortened } from './source/value.ts';

/** A profile made of a file in another format, and what became of each value of that file. */
export interface Imported {
  readonly format: string;
  readonly profile: Profile;
  readonly lossReport: LossReport;
}

/** Files larger than this are not imported. */
export const maxImportMebibytes = 64;

/**
 * Makes a profile of the content of a file, whose format it detects. Current positions count as work until `today`,
 * YYYY-MM-DD. Throws what is wrong, one line to stand after the file's path, if the content cannot be imported.
 */
export async function importProfile(bytes: Buffer, today: string): Promise<Imported> {
  const { format, input } = await readInput(bytes);
  const { profile, filledIn } = toProfile(format.toDraft(toCursor(input.tree)), today);
  return { format: format.name, profile, lossReport: toLossReport(input.leaves, filledIn) };
}

/** All formats that can be imported. The first that recognises an input reads it. */
const formats: readonly Format[] = [linkedIn, renderCv, reactiveResume, jsonResume];

async function readInput(bytes: Buffer): Promise<{ format: Format; input: Input }> {
  const isArchive = startsWith(bytes, /^504b0[357]/);
  const input = isArchive ? await readArchive(bytes) : readTree(toText(bytes));
  const cursor = toCursor(input.tree);
  const format = formats.find((each) => each.recognises(cursor));
  if (format) return { format, input };
  throw unknownFormat(isArchive ? `a ZIP archive of ${membersOf(cursor)}` : contentOf(cursor));
}

/** Compares the magic number of a file, its first four bytes, in hexadecimal. */
const startsWith = (bytes: Buffer, magic: RegExp) => magic.test(bytes.toString('hex', 0, 4));

const maxTextMebibytes = 4;

function toText(bytes: Buffer): string {
  if (startsWith(bytes, /^25504446/)) throw unknownFormat('a PDF');
  if (startsWith(bytes, /^(fffe|feff)/)) throw new Error('is UTF-16 text; save it as UTF-8');
  if (bytes.length > maxTextMebibytes * 1024 ** 2) throw new Error(`is larger than ${maxTextMebibytes} MiB`);
  const text = decodeUtf8(bytes);
  if (!/\S/.test(text)) throw new Error('is empty');
  return text;
}

const membersOf = (cursor: InputCursor) => shortened(cursor.keys.join(', '));

const contentOf = (cursor: InputCursor): string =>
  ({
    object: cursor.keys.length === 0 ? 'an empty object' : `an object with the members ${membersOf(cursor)}`,
    list: 'a list',
    text: 'plain text',
    nothing: 'empty',
  })[cursor.kind];

const unknownFormat = (content: string) =>
  new Error(
    `is ${content}; what can be imported is ${formats.map(({ name, description }) => `${name} (${description})`).join(', ')}`,
  );
