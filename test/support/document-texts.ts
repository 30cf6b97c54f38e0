import { networkAt } from '../../src/formats/networks.ts';
import type { Profile } from '../../src/model/profile/profile-document.ts';

/** Every text of a profile, except ids, dates, the order of the sections, and `public`, whose default is ours. */
function textsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return /^id$|date$/.test(key) ? [] : [value];
  if (typeof value !== 'object' || value === null || ['public', 'order'].includes(key)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, name));
}

export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The texts of a profile that a source, given as its letters and digits, does not have: neither as a whole nor, if it was joined, in each of its parts. */
export function madeUpIn(profile: Profile, source: string): string[] {
  const isIn = (text: string) => source.includes(lettersOf(text));
  return textsOf(profile).filter((text) => {
    if (isIn(text)) return false;
    if (/^https?:\/\/\S+$/.test(text)) return !isAddressOf(text, isIn);
    return !text.split(/[.,:;!?…)]\s+|\s[(–—-]\s?|\n/).every(isIn);
  });
}

/** Whether an address is in a source without its scheme, as a DOI, or as a network or host with the name of a user there. */
const isAddressOf = (url: string, isIn: (text: string) => boolean) =>
  isIn(url.replace(/^https?:\/\/(doi\.org\/)?/, '')) ||
  [networkAt(url)?.name ?? new URL(url).host, url.split('/').at(-1)!].every(isIn);
