import { commonWords } from './synonyms.ts';

/** The kinds of sections in a job's text. */
export type SectionKind = 'requirements' | 'tasks' | 'other' | 'unknown';

type HeadingKind = Exclude<SectionKind, 'unknown'>;

// `\b` knows ASCII letters alone, so the ends of words are looked for.
const anyOf = (alternatives: string): RegExp => new RegExp(`(?<!\\p{L})(?:${alternatives})(?!\\p{L})`, 'gu');

// A heading has the kind of the first line that has words of it. English, German, French, Spanish, Italian, Dutch,
// Portuguese.
const headings = String.raw`
requirements: about (?:you|the candidate)|what it takes|we(?:'d| would) (?:like|love)|(?:great|good|better|nice) if you
tasks: (?:essential|required) (?:functions?|duties|tasks)|about (?:the|this|your) (?:role|job|post|position|work)
other: who we are|qui sommes|we offer|wir bieten|bieten wir|about|über uns|why (?:work|join|us)|how (?:we|to)|we provide
other: (?:what )?you(?:'ll| will)? (?:get|receive)|in it for you|nous offrons
requirements: requirements?|required|qualifications?|qualified|criteria|essentials?|desirables?|desired|preferred
requirements: must.haves?|nice.to.haves?|bonus|plus|ideally
requirements: you(?:'ll| will)? (?:bring|have|need)|you (?:are|offer|should|must)|your (?:profile|background|experience)
requirements: skills?|skill ?sets?|abilities|attributes|expertise|person specification
requirements: we(?:'re| are)? (?:expect|look|seek|need)\p{L}*|looking for|(?:ideal|successful|strong) candidates?
requirements: (?:a|good|great|right) (?:fit|match)|experience|knowledge|competenc(?:es?|ies)
requirements: education|licen[cs](?:es?|ure|ing)|certifications?
requirements: profil|anforderung(?:en)?|qualifikation(?:en)?|voraussetzung(?:en)?|kenntnisse|mitbring\p{L}*
requirements: sie bringen|bringen sie|du bringst|bringst du|wir (?:erwarten|suchen)|(?:erwarten|suchen) wir
requirements: profil recherché|compétences|exigences|requisitos|perfil|buscamos|requisiti|profilo|competenze
requirements: vereisten|functie-eisen|profiel|wie ben jij|wie jij bent|je hebt|jij hebt|wij vragen|vragen wij
tasks: responsibilit(?:y|ies)|duties|tasks?|missions?|the (?:role|post|job)|you(?:'ll| will)
tasks: aufgaben|tätigkeiten|funciones|responsabilidades|mansioni|taken|responsabilités|ga je doen
other: benefits?|perks?|offer|offering|salary|pay|compensation|terms|conditions|practicalities|process|apply|contact
other: equal|diversity|privacy|legal|notice|company|(?:our|the|your) team|summary|demands|background|location|hours|why
other: benefizien|leistungen|kontakt|bewerbung|avantages|ofrecemos|beneficios|vantaggi|wij bieden|bieden wij|offriamo`
  .trim()
  .split('\n')
  .map((line) => line.split(': ') as [HeadingKind, string])
  .map(([kind, words]) => [kind, anyOf(words)] as const);

const toWords = (text: string): string => text.toLowerCase().replaceAll('’', "'");

/** Returns the kind of section that a heading begins; null if its words are not known. A heading has few words. */
export function headingKindOf(heading: string): HeadingKind | null {
  if (heading.length > 80 || heading.split(/\s+/).length > 9) return null;
  const words = toWords(heading);
  return headings.find(([, known]) => words.search(known) >= 0)?.[0] ?? null;
}

/** Words that say of headings which ones they are. */
const qualifiers =
  'technical professional personal soft hard additional core key main primary general specific job role position';

const common = new Set([...commonWords, ...qualifiers.split(' ')]);

/**
 * Whether a line names a section and no subject: `Skills and experience`, but not `Experience of Kafka`. One that ends
 * the requirements is short, unlike `Able to work long hours`.
 */
export function namesOnlySection(line: string, kind: HeadingKind): boolean {
  const words = toWords(line);
  if (kind !== 'requirements' && words.split(/\s+/).length > 4) return false;
  if (/^(?:\S+\s){0,2}(?:requirements|qualifications|criteria|responsibilities|duties|benefits|perks)$/.test(words))
    return true;
  const rest = headings.reduce((left, [, known]) => left.replace(known, ' '), words);
  return (rest.match(/[\p{L}\p{N}]+/gu) ?? []).every((each) => common.has(each));
}

const cues = String.raw`
must|required?|requires|essential|desirable|preferred|ideally|even better|is welcome|an? (?:\p{L}+ )?(?:requirement|plus|advantage)
need(?:s|ed)? an?|you(?:'ll| will)? need|we (?:need|want|expect)|(?:looking for|seeking) (?:\S+ ){1,6}(?:who|with)
experienced? (?:of|with|in)|knowledge of|able to|ability to|familiar(?:ity)? with|proficien\p{L}+|fluen(?:t|cy)
years(?: of|')? (?:\p{L}+ ){0,3}experience|(?:degree|background|qualification|certificate|diploma) in
you (?:have(?! (?:\d|any |a few ))|bring|know|are able)|you should (?:be|know)|should have
(?:someone|somebody|a person|candidates?) (?:who|with)
\p{L}*(?:erfahrung|kenntnis|voraussetz)\p{L}*|von vorteil|wünschenswert\p{L}*|abgeschlossene\p{L}*
\p{L}*(?:expérience|connaissance|maîtrise|exigée?|souhaitée?|experiencia|conocimiento|imprescindible)\p{L}*
\p{L}*(?:esperienza|ervaring)\p{L}*`
  .trim()
  .split('\n')
  .map(anyOf);

/** Whether a sentence says what an applicant should have; a question does not. */
export const isRequirementSentence = (sentence: string): boolean => {
  const words = toWords(sentence);
  return !/[?？]$/.test(words) && cues.some((cue) => words.search(cue) >= 0);
};
