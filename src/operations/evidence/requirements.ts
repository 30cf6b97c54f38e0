import { headingKindOf, isRequirementSentence, namesOnlySection, type SectionKind } from './job-words.ts';

/** The requirements that are returned of a text, the first ones. */
export const maxRequirements = 100;

/** The characters of a requirement that are returned; a text without line ends and full stops is one sentence. */
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
  const code = /^#x/i.test(name)
    ? Number.parseInt(name.slice(2), 16)
    : name.startsWith('#')
      ? Number(name.slice(1))
      : Number.NaN;
  return code > 0 && code < 0xd800 ? String.fromCodePoint(code) : undefined;
}

const bullet = /^\s*(?:[-*+•·–—‣▪◦●○■□►▶◆✓✔✅➢→\uF0A7\uF0B7]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)/u;

interface Block {
  readonly kind: 'heading' | 'item' | 'prose' | 'blank';
  text: string;
}

/** Divides a text into headings, list items and paragraphs; a line that goes on joins the one before. */
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

/**
 * Whether a line without a bullet is a heading: marked as one, or short and known as one. One that does not lead to a
 * list may be an item that has lost its bullet.
 */
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

/**
 * Returns the requirements in a job's text: the list items and sentences under headings for requirements, and sentences
 * elsewhere that say what an applicant should have. If the text has neither, returns the tasks, and the items under
 * headings that are not known.
 */
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
