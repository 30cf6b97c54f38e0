import { commonWords } from './synonyms.ts';

type SectionKind = 'requirements' | 'tasks' | 'other' | 'unknown';

type HeadingKind = Exclude<SectionKind, 'unknown'>;

// `\b` knows only ASCII letters.
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
function headingKindOf(heading: string): HeadingKind | null {
  if (heading.length > 80 || heading.split(/\s+/).length > 9) return null;
  const words = toWords(heading);
  return headings.find(([, known]) => words.search(known) >= 0)?.[0] ?? null;
}

const qualifiers =
  'technical professional personal soft hard additional core key main primary general specific job role position';

const common = new Set([...commonWords, ...qualifiers.split(' ')]);

/** Whether a line only names a section: `Skills and experience`, unlike `Experience of Kafka` or `Able to work long hours`. */
function namesOnlySection(line: string, kind: HeadingKind): boolean {
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
const isRequirementSentence = (sentence: string): boolean => {
  const words = toWords(sentence);
  return !/[?？]$/.test(words) && cues.some((cue) => words.search(cue) >= 0);
};

export const maxRequirements = 100;

/** The maximum of characters of a requirement; a text without line ends and full stops is one sentence. */
const maxLength = 1_000;

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', ndash: '–', mdash: '—', bull: '•', middot: '·' },
};

/** Converts HTML to lines: a list item begins with a bullet and a heading with `#`. Other text stays as it is. */
function withoutHtml(text: string): string {
  if (!/<\/?(?:p|li|ul|ol|br|div|h[1-6])\b/i.test(text)) return text;
  return (
    text
      .replace(/\s+/g, ' ')
      .replace(/<(script|style)\b[^<>]{0,500}>[^<]*/gi, ' ')
      .replace(/<li\b[^<>]{0,500}>\s?(?:<(?:p|div)\b[^<>]{0,500}>)?/gi, '\n- ')
      .replace(/<h[1-6]\b[^<>]{0,500}>/gi, '\n\n# ')
      .replace(/<\/?(?:p|div|ul|ol|h[1-6])\b[^<>]{0,500}>/gi, '\n\n')
      // Indented, as the next line of an item is.
      .replace(/<br\b[^<>]{0,500}>/gi, '\n ')
      .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
      .replace(
        /&(#x?[\da-f]{1,6}|[a-z]{1,8});/gi,
        (entity, name: string) => entities[name.toLowerCase()] ?? toCharacter(name) ?? entity,
      )
  );
}

function toCharacter(name: string): string | undefined {
  const code = name.startsWith('#') ? Number(name.slice(1).replace(/^x/i, '0x')) : Number.NaN;
  return code > 0 && code < 0xd800 ? String.fromCodePoint(code) : undefined;
}

const bullet = /^\s*(?:[-*+•·–—‣▪◦●○■□►▶◆✓✔✅➢→\uF0A7\uF0B7]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)/u;

interface Block {
  readonly kind: 'heading' | 'item' | 'prose' | 'blank';
  text: string;
}

/** Divides a text into headings, list items and paragraphs; a continuation line joins the line before. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = withoutHtml(text)
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(/^(?:\s*>)+ ?/, ''));
  const width = wrapWidthOf(lines);
  // Whether the next line with a text is an item.
  const leads = lines.map(() => false);
  for (let at = lines.length - 1; at > 0; at--)
    leads[at - 1] = /\S/.test(lines[at]!) ? bullet.test(lines[at]!) : leads[at]!;
  for (const [at, line] of lines.entries()) {
    const before = blocks.at(-1);
    const content = line
      .replace(bullet, '')
      .replace(/\*\*|__/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const last = lines[at - 1] ?? '';
    const isWrapped = !/[.!?:;]$/.test(last) && `${last} ${content.split(' ', 1)[0]}`.length > width;
    if (content === '') blocks.push({ kind: 'blank', text: '' });
    else if (bullet.test(line)) blocks.push({ kind: 'item', text: content });
    else if (isHeading(line.trim(), leads[at]!)) blocks.push({ kind: 'heading', text: content.replace(/^#+\s*/, '') });
    else if (
      (before?.kind === 'item' && (isWrapped || /^\s|^\p{Ll}/u.test(line))) ||
      (before?.kind === 'prose' && (isWrapped || (last.length > 45 && /^\p{Ll}/u.test(content))))
    )
      before.text += ` ${content}`;
    else blocks.push({ kind: 'prose', text: content });
  }
  return blocks;
}

/** Returns the length at which the lines of a text are wrapped; infinite for a text with a line for each paragraph. */
function wrapWidthOf(lines: readonly string[]): number {
  // Not the longest, which may have an address.
  const width = lines.map(({ length }) => length).sort((one, other) => other - one)[2] ?? 0;
  const goOn = lines.filter((line, at) => /^\p{Ll}/u.test(line) && (lines[at - 1]?.length ?? 0) > width - 15);
  return width >= 60 && width <= 100 && goOn.length > 1 ? width : Number.POSITIVE_INFINITY;
}

/** Whether a line is a heading: marked as one, or short and known. Outside a list it may be an item without its bullet. */
function isHeading(line: string, leadsToList: boolean): boolean {
  if (line.length > 160) return false;
  if (/^#|^(?:\*\*|__).*(?:\*\*|__):?$|[:：]$/.test(line)) return true;
  const kind = /[.!;,。]$/.test(line) ? null : headingKindOf(line);
  return kind !== null && (leadsToList || namesOnlySection(line, kind));
}

/** Returns the kind of section that a heading begins, by its words or as a sentence, such as `You need to have:`. */
const sectionOf = (heading: string): SectionKind =>
  headingKindOf(heading) ?? (isRequirementSentence(heading) ? 'requirements' : 'unknown');

/** Divides a paragraph at the ends of sentences, but not after an abbreviation of one or two letters, or of a number. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?]["”»)]?(?<!\b(?:\p{L}{1,2}|mind?|max|approx)\.))\s+(?=[^\p{Ll}\s])|(?<=[。！？])/u);

/** Returns what stands under headings for requirements, and similar sentences elsewhere; otherwise tasks and unknown items. */
export function requirementsOf(text: string): string[] {
  const required: string[] = [];
  const others: string[] = [];
  let section: SectionKind = 'unknown';
  let hasItems = false;
  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') {
      section = sectionOf(block.text);
      hasItems = false;
    } else if (block.kind === 'item') {
      hasItems = true;
      if (section === 'requirements') required.push(block.text);
      else if (section === 'unknown' && isRequirementSentence(block.text)) required.push(block.text);
      else if (section !== 'other') others.push(block.text);
    } else if (block.kind === 'prose') {
      // A paragraph after a list belongs to no section any more.
      if (section === 'requirements' && hasItems) section = 'unknown';
      for (const sentence of sentencesOf(block.text))
        if (section === 'requirements' || (section !== 'other' && isRequirementSentence(sentence)))
          required.push(sentence);
        else if (section === 'tasks') others.push(sentence);
    }
  }
  return (required.length > 0 ? required : others)
    .map((each) =>
      each
        .slice(0, maxLength)
        .replace(/\p{Cs}$/u, '')
        .trim(),
    )
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .slice(0, maxRequirements);
}
