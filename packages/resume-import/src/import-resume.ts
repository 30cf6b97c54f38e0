import { isDeepStrictEqual } from 'node:util';
import { fromJsonResume, toJsonResume } from 'resume-profile/json-resume';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { isVisible } from 'resume-profile/text';
import { decodeUtf8 } from 'resume-profile/utf-8';
import type { Draft, Format } from './draft/draft.ts';
import { toProfile, withDefaults } from './draft/to-profile.ts';
import { toDocumentDraft } from './readers/document.ts';
import { jsonResume } from './readers/json-resume.ts';
import { linkedIn } from './readers/linkedin.ts';
import { reactiveResume } from './readers/reactive-resume.ts';
import { renderCv } from './readers/rendercv.ts';
import { type LossReport, toLossReport } from './report/loss-report.ts';
import { readArchive, readTables } from './source/archive.ts';
import type { TextDocument } from './source/document.ts';
import { toCursor } from './source/input-cursor.ts';
import { toParagraphs } from './source/normalize.ts';
import { readDocument } from './source/read-document.ts';
import { type Input, readTree } from './source/tree.ts';
import { type Leaf, literal, shortened } from './source/value.ts';
import { type InputFile, openZip } from './source/zip.ts';

/** A profile made of a file in another format, and the fate of each value of that file. */
export interface Imported {
  readonly format: string;
  readonly profile: Profile;
  readonly report: LossReport;
  /** The address of a picture of the person, as the file has it. */
  readonly photo?: string | undefined;
}

/** Files larger than this are not imported. */
export const maxImportMebibytes = 64;

/**
 * Makes a profile of a resume: the bytes of a file, or the files of a folder such as a data export of LinkedIn. Detects the
 * format. Rejects with one line to stand after the path if the content cannot be imported. A hostile PDF or Word document
 * can keep the process busy or crash it: read files of strangers in a separate process.
 */
export async function importResume(resume: Uint8Array | readonly InputFile[]): Promise<Imported> {
  const content =
    resume instanceof Uint8Array ? Buffer.from(resume.buffer, resume.byteOffset, resume.byteLength) : resume;
  if (Buffer.isBuffer(content)) {
    if ((await documentKindOf(content)) !== null) return importDocument(await readDocument(content));
    const own = ownExportOf(content);
    if (own !== null) return importOwn(own, decodeUtf8(content), jsonResume.name);
  }
  const { format, input } = await readInput(content);
  return importInput(input, format);
}

export function importInput(input: Input, format: Format): Imported {
  const draft = format.toDraft(toCursor(input.tree));
  return { format: format.name, ...toImported(input, draft, ({ where, text }) => `${where}: ${text}`) };
}

/** Makes a profile of a document that a parser has read: the profile attached by this program, or one of its text. */
export function importDocument(document: TextDocument): Imported {
  if (document.kind === 'PDF' && document.attachedProfile !== null) {
    const { profile } = readProfileText(document.attachedProfile);
    if (profile !== null) return importOwn(profile, document.attachedProfile, 'PDF of candidate-profile');
  }
  const { draft, leaves } = toDocumentDraft(document);
  const input = { tree: leaves, leaves };
  return { format: documentNames[document.kind], ...toImported(input, draft, ({ text }) => text) };
}

/** Makes a profile of a draft. Content that it has no place for, or only in part, is kept as notes. */
function toImported(input: Input, draft: Draft, toNote: (leaf: Leaf) => string): Omit<Imported, 'format'> {
  const { filledIn, profile: built, photo } = toProfile(draft);
  const notes = [...(built.notes ?? []), ...toNotes(input.leaves, toNote)];
  const profile = notes.length > 0 ? { ...built, notes } : built;
  return { profile, photo, report: toLossReport(input, draft, filledIn) };
}

// A profile has at most 10,000 entries of lists, and 1 MiB.
const maxNotes = 5_000;
const maxNotesLength = 200_000;

/** Writes the leaves that are not carried over, or not as a whole, as notes; at most 5,000, of 200,000 characters in all. */
function toNotes(leaves: readonly Leaf[], toNote: (leaf: Leaf) => string): string[] {
  let [count, length] = [0, 0];
  return leaves.flatMap((leaf) => {
    const isWhole = leaf.changes !== null && !leaf.isPartial;
    if (isWhole || !leaf.isContent || leaf.isAmount || !isVisible(leaf.text)) return [];
    const note = toParagraphs(literal(toNote(leaf)))?.text ?? '';
    if (note === '' || count === maxNotes || length + note.length > maxNotesLength) return [];
    count++;
    length += note.length;
    leaf.isNoted = true;
    return note;
  });
}

/** Returns the profile that a JSON Resume of this program is made of; null if it says anything else as well. */
function ownExportOf(content: Buffer): Profile | null {
  if (!startsWith(content, /^7b/) || !content.includes('candidate-profile')) return null;
  try {
    const { meta, ...exported } = JSON.parse(toText(content));
    const { profile } = readProfileText(JSON.stringify(fromJsonResume({ meta, ...exported })));
    if (profile === null) return null;
    const again = JSON.parse(JSON.stringify(toJsonResume(profile, '')));
    again.meta.generator = meta.generator;
    return isDeepStrictEqual(again, { meta, ...exported }) ? profile : null;
  } catch {
    return null;
  }
}

/** Returns a profile that this program has printed or exported, with nothing lost. */
function importOwn(own: Profile, text: string, format: string): Imported {
  const { profile, filledIn } = withDefaults(own);
  const input = readTree(text);
  for (const leaf of input.leaves) leaf.changes = new Set();
  return { format, profile, report: toLossReport(input, {}, filledIn) };
}

/** The structured formats; the first that recognises an input reads it. `importResume` tells a PDF or a Word document by its bytes. */
const formats: readonly Format[] = [linkedIn, renderCv, reactiveResume, jsonResume];

/** Returns the name of the format that a content is in; null if it cannot be imported. */
export async function formatNameOf(content: Buffer): Promise<string | null> {
  const kind = await documentKindOf(content);
  if (kind !== null) return documentNames[kind];
  const input = await readInput(content).catch(() => null);
  return input?.format.name ?? null;
}

const documentNames = { PDF: 'PDF', DOCX: 'Word document' };

/** The kind of a document that a parser has to read first; null for any other content. */
export async function documentKindOf(content: Buffer): Promise<TextDocument['kind'] | null> {
  if (startsWith(content, /^25504446/)) return 'PDF';
  if (!startsWith(content, /^504b0304/)) return null;
  const files = await openZip(content).catch(() => []);
  return files.some(({ path }) => path === 'word/document.xml') ? 'DOCX' : null;
}

/** The fault of a profile document, which needs no import. */
export const profileFault = 'is a profile already';

async function readInput(content: Buffer | readonly InputFile[]): Promise<{ format: Format; input: Input }> {
  const [input, name] = await parse(content);
  const cursor = toCursor(input.tree);
  if (cursor.at('candidate').kind === 'object') throw new Error(profileFault);
  const format = formats.find((each) => each.recognises(cursor));
  if (format) return { format, input };
  const members = shortened(cursor.keys.join(', '));
  const kinds = {
    object: cursor.keys.length === 0 ? 'an empty object' : `an object with the members ${members}`,
    list: 'a list',
    text: 'plain text',
    nothing: 'empty',
  };
  const known = formats.map(({ name, description }) => `${name} (${description})`).join(', ');
  const is = name === null ? kinds[cursor.kind] : `${name} of ${members}`;
  throw new Error(`is ${is}; what can be imported is ${known}, a PDF or a Word document`);
}

/** The input, and the kind of its container if it consists of files. */
async function parse(content: Buffer | readonly InputFile[]): Promise<[Input, string | null]> {
  if (!Buffer.isBuffer(content)) return [await readTables(content, 'a folder'), 'a folder'];
  if (startsWith(content, /^504b0[357]/)) return [await readArchive(content), 'a ZIP archive'];
  return [readTree(toText(content)), null];
}

/** Compares the magic number of a file, its first four bytes, in hexadecimal. */
const startsWith = (bytes: Buffer, magic: RegExp) => magic.test(bytes.toString('hex', 0, 4));

const maxTextMebibytes = 4;

function toText(bytes: Buffer): string {
  if (startsWith(bytes, /^(fffe|feff)/)) throw new Error('is UTF-16 text; save it as UTF-8');
  if (bytes.length > maxTextMebibytes * 1024 ** 2)
    throw new Error(`is larger than ${maxTextMebibytes} MiB, and not a PDF, Word or ZIP file`);
  const text = decodeUtf8(bytes);
  if (!/\S/.test(text)) throw new Error('is empty');
  return text;
}
