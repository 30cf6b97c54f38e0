import MiniSearch from 'minisearch';
import type { Profile } from 'resume-profile/profile-document';
import { stemmer } from 'stemmer';
import { commonWords, irregularForms, synonyms, weakWords } from './synonyms.ts';

export interface Evidence {
  readonly id: string | null;
  readonly place: string;
  readonly words: string;
}

/** The maximum of texts returned for one requirement: the best by BM25. */
const maxEvidence = 20;

/** Returns for each requirement of one job the texts that touch it, in the order of the profile. */
type Search = (requirements: readonly string[]) => Evidence[][];

const searches = new WeakMap<Profile, Search>();

/** Returns the search in a profile, whose index is made at the first call. */
export function openEvidenceIndex(profile: Profile): Search {
  const known = searches.get(profile) ?? searchIn(searchedTextsOf(profile));
  searches.set(profile, known);
  return known;
}

function searchIn(texts: readonly SearchedText[]): Search {
  const index = new MiniSearch<{ id: number; terms: string }>({
    fields: ['terms'],
    tokenize: (terms) => terms.split('\n'),
    processTerm: (term) => term,
    // Texts are short, so a word in a long one counts nearly as much.
    // A long term finds the compounds that it begins: flood, Floodmap.
    searchOptions: { bm25: { k: 1.2, b: 0.2, d: 0.5 }, prefix: (term) => term.length >= 5 && !isWeak(term) },
  });
  for (const [id, { words }] of texts.entries()) index.add({ id, terms: textTermsOf(words).join('\n') });
  return (requirements) => {
    // A job that repeats words costs one look-up of each word. Not kept, because it contains the job's text.
    const hits = new Map<string, readonly Hit[]>();
    const hitsOf = (term: string) => {
      const found = hits.get(term) ?? index.search(term).filter(({ terms }) => terms.some(isFoundBy(term)));
      hits.set(term, found);
      return found;
    };
    return requirements.map((requirement) => {
      const found = touched(termsOf(requirement), hitsOf, texts.length).map((id) => texts[id]!);
      return [...new Set(found.flatMap(({ end, ...evidence }) => (end ? [evidence, end] : [evidence])))];
    });
  };
}

/** Whether a term of a text equals a requirement's term or is a compound that begins with it, not another form of its stem. */
const isFoundBy = (term: string) => (found: string) => found === term || found.length > term.length + 2;

interface Hit {
  readonly id: number;
  readonly score: number;
}

/** Returns the ids of the texts that share a term with a requirement; the best if there are many. */
function touched(terms: readonly string[], hitsOf: (term: string) => readonly Hit[], count: number): number[] {
  const scores = new Float64Array(count);
  const shared = new Uint16Array(count);
  for (const term of terms)
    for (const { id, score } of hitsOf(term)) {
      scores[id]! += score;
      shared[id]! += 1;
    }
  const ids = [...shared.keys()].filter((id) => shared[id]! > 0);
  if (ids.length <= maxEvidence) return ids;
  // Of equal scores, the first in the profile.
  const rank = (id: number) => scores[id]! * shared[id]! - id * 1e-9;
  const least = Float64Array.from(ids, rank).sort().at(-maxEvidence)!;
  return ids.filter((id) => rank(id) >= least);
}

/** A text with the end of the certification that it is about, which is evidence with it. */
interface SearchedText extends Evidence {
  readonly end?: Evidence;
}

/** Returns the texts to search: those texts that programs of visitors can read. */
export function searchedTextsOf(profile: Profile): SearchedText[] {
  const { experience, projects, resume, background } = profile;
  // Not by `shownIn`: what this and the catalogue share would be one more file in a bundle of the client.
  const hasCertifications = background === true && !resume.hides?.programs?.includes('certifications');
  const entries = [
    ...experience.flatMap(({ id, summary, roles }) => [
      { id, place: 'summary', words: summary },
      ...roles.flatMap(({ title, accomplishments }, role) => [
        { id, place: `roles.${role}.title`, words: title },
        ...accomplishments.map((words, at) => ({ id, place: `roles.${role}.accomplishments.${at}`, words })),
      ]),
    ]),
    ...projects.flatMap(({ id, name, summary, tags = [] }) => [
      { id, place: 'name', words: name },
      { id, place: 'summary', words: summary },
      ...tags.map((words, at) => ({ id, place: `tags.${at}`, words })),
    ]),
    ...resume.skills.map((words, at) => ({ id: null, place: `skills.${at}`, words })),
    ...(hasCertifications ? (resume.certifications ?? []) : []).flatMap(({ name, summary = '', end_date }, at) => {
      const place = `certifications.${at}`;
      const end = end_date && { end: { id: null, place: `${place}.end_date`, words: end_date } };
      return [
        { id: null, place: `${place}.name`, words: name, ...end },
        { id: null, place: `${place}.summary`, words: summary, ...end },
      ];
    }),
  ];
  return entries.filter(({ words }) => words !== '');
}

/** The characters of a word that count: no word of a language is longer. */
const maxWordLength = 40;

const word = new RegExp(
  [
    // Letters such as R&D.
    /(?<![\p{L}\p{N}])\p{L}&\p{L}(?![\p{L}\p{N}])/u,
    // Languages and programs whose names are common words in another spelling, and in `C-level`.
    /(?<![\p{L}\p{M}\p{N}-])(?<name>Go|R|C|Excel|Word)(?![\p{L}\p{M}\p{N}+#]|-(?!based)\p{Ll})/u,
    /[\p{L}\p{M}\p{N}]+(?:\+\+|#)?/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

const verb = /^(?:Go (?:to|the|above|beyond|out|further)|Excel (?:at|in))(?!\p{L})/u;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const address = /https?:\/\/[^\s()<>]+|(?<!\S)[^\s@]+@\S+/g;

/** Converts a text to stems in their order; a script without spaces gives pairs of characters. */
function stemsOf(text: string): string[] {
  const stems: string[] = [];
  const searched = text.normalize('NFKC').replace(address, ' ');
  for (const { 0: found, index, groups } of searched.matchAll(word)) {
    if (unspaced.test(found)) {
      for (let at = 0; at < found.length - 1; at++) stems.push(found.slice(at, at + 2));
      continue;
    }
    const isName = groups!.name !== undefined && !(index === 0 && verb.test(searched));
    stems.push(isName ? `${found}~` : toStem(found.slice(0, maxWordLength).toLowerCase()));
  }
  return stems;
}

function toStem(lowercase: string): string {
  const regular = irregularForms.get(lowercase) ?? lowercase;
  return stemmer(regular.replace(/([iy])s(e[drs]?|ing|ations?|ers?)$/, '$1z$2').replace(/our(?=s?$|ed$|ing$)/, 'or'));
}

/** The phrases of `synonyms` by their first stem, each with the term that stands for its group. */
const phrases = new Map<string, { readonly stems: readonly string[]; readonly term: string }[]>();
for (const [index, group] of synonyms.entries())
  for (const phrase of group) {
    const stems = stemsOf(phrase);
    const sameStart = phrases.get(stems[0]!) ?? [];
    phrases.set(stems[0]!, [...sameStart, { stems, term: `~${index}~` }]);
  }

const commonStems = new Set(commonWords.map(toStem));

const weakStems = new Set(weakWords.map(toStem));

/** Whether a term is a weak stem, or a pair of them. */
const isWeak = (term: string): boolean => term.startsWith(' ') || weakStems.has(term);

/** How far apart two weak words may be in a requirement and in a text, in words that count. */
const nearby = { inRequirement: 2, inText: 4 };

export const termsOf = (requirement: string): string[] => toTerms(requirement, nearby.inRequirement, () => true);

/** Returns the terms by which a text is found: a weak word only if the text has no other term, as the skill `Prototyping`. */
const textTermsOf = (text: string): string[] => toTerms(text, nearby.inText, (words) => words === 1);

/** Converts a text to stems except common ones, pairs of weak stems near each other, and groups of synonyms. */
function toTerms(text: string, distance: number, hasWeak: (words: number) => boolean): string[] {
  const stems = stemsOf(text);
  const counting = stems.filter((stem) => stem.length > 1 && !/^\d+$/.test(stem) && !commonStems.has(stem));
  const terms = new Set(counting.filter((stem) => !isWeak(stem) || hasWeak(counting.length)));
  for (const [at, stem] of counting.entries())
    for (const other of isWeak(stem) ? counting.slice(at + 1, at + 1 + distance) : [])
      if (isWeak(other) && other !== stem) terms.add(` ${[stem, other].sort().join(' ')}`);
  for (const [at, first] of stems.entries())
    for (const phrase of phrases.get(first) ?? [])
      if (phrase.stems.every((stem, offset) => stems[at + offset] === stem)) {
        for (const stem of phrase.stems) terms.delete(stem);
        terms.add(phrase.term);
      }
  return [...terms];
}
