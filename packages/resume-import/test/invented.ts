import { Parser } from 'htmlparser2';
import { readArchive } from 'resume-import/source/archive';
import { readTree } from 'resume-import/source/tree';
import { networkAt } from 'resume-profile/networks';
import type { Profile } from 'resume-profile/profile-document';
import { runsIn, toParagraphs, withoutMarks } from 'resume-profile/prose';
import { sectionKeys } from 'resume-profile/resume-section';
import type { Resume } from './resumes.ts';

/** Every text of a value, except ids and dates. */
function textsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^id$|date$/.test(key) ? [] : partsOf(value);
  if (typeof value !== 'object' || value === null || key === 'public') return [];
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, name));
}

/** The lines of a text as a reader sees them, and the addresses of its links. */
const partsOf = (text: string): string[] => {
  const paragraphs = toParagraphs(text);
  if (paragraphs === undefined) return [text];
  return [withoutMarks(text), ...runsIn(paragraphs).flatMap(({ url }) => url ?? [])];
};

export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns the readings of a text: as it is, as a reader sees the HTML or Markdown in it, and the addresses of its links. */
function readingsOf(text: string): string[] {
  const addresses: string[] = [];
  let plain = '';
  const parser = new Parser({
    ontext: (part) => {
      plain += part;
    },
    onattribute: (_, value) => void addresses.push(value),
  });
  parser.end(text.replace(/<(https?:[^>]*)>/g, '$1'));
  return [text, plain, plain.replace(/\]\([^)]*\)/g, ''), ...addresses];
}

/** The letters and digits of the values and names of a resume, each on a line of its own. */
async function sourceOf({ content }: Resume): Promise<string> {
  const isArchive = content.toString('latin1', 0, 2) === 'PK';
  const { leaves } = isArchive ? await readArchive(content) : readTree(content.toString());
  return leaves.flatMap(({ where, text }) => [where, ...readingsOf(text)].map(lettersOf)).join('\n');
}

/** The texts of a profile that a resume does not have: neither as a whole nor, if it was joined, in each of its parts. */
export const inventedIn = async (profile: Profile, resume: Resume): Promise<string[]> =>
  madeUpIn(profile, await sourceOf(resume));

/** The texts of a profile that a source, given as its letters and digits, does not have. */
export function madeUpIn(profile: Profile, source: string): string[] {
  const isIn = (text: string) => source.includes(lettersOf(text));
  const { language, experience_order, order, ...texts } = profile.resume;
  const titles = order?.filter((name) => !sectionKeys.some((key) => key === name));
  // The others are settings, whose values are ours.
  return textsOf({ ...profile, resume: { ...texts, titles: [texts.titles, titles] } }).filter((text) => {
    if (isIn(text)) return false;
    if (/^https?:\/\/\S+$/.test(text)) return !isAddressOf(text, isIn);
    return !text.split(/[.,:;!?…)]\s+|\s[(–—-]\s?|\n/).every(isIn);
  });
}

/** Whether an address is in a source without its scheme, as a DOI, or as a network or host with the name of a user there. */
const isAddressOf = (url: string, isIn: (text: string) => boolean) =>
  isIn(url.replace(/^https?:\/\/(doi\.org\/)?/, '')) ||
  [networkAt(url)?.name ?? new URL(url).host, url.split('/').at(-1)!].every(isIn);
