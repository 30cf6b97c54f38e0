import { headingKindOf, isRequirementSentence, type SectionKind } from './job-words.ts';

/** The requirements that are returned of a text, the first ones. */
export const maxRequirements = 100;

/** The characters of a requirement that are returned; a text without line ends and full stops is one sentence. */
const maxLength = 1_000;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Converts HTML to lines: a list item begins with a bullet and a heading with `#`. Other text stays as it is. */
function withoutHtml(text: string): string {
  if (!/<\/?(?:p|li|ul|ol|br|div|h[1-6])\b/i.test(text)) return text;
  return text
    .replace(/\s+/g, ' ')
    .replace(/<(script|style)\b[^<>]{0,500}>[^<]*/gi, ' ')
    .replace(/<li\b[^<>]{0,500}>\s?(?:<(?:p|div)\b[^<>]{0,500}>)?/gi, '\n- ')
    .replace(/<h[1-6]\b[^<>]{0,500}>/gi, '\n\n# ')
    .replace(/<\/?(?:p|div|ul|ol|h[1-6])\b[^<>]{0,500}>/gi, '\n\n')
    .replace(/<br\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(
      /&(#x?[\da-f]{1,6}|[a-z]{1,8});/gi,
      (entity, name: string) => entities[name.toLowerCase()] ?? toCharacter(name) ?? entity,
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

const bullet = /^[\s>]*(?:[-*+•·–—‣▪◦●○✓✔➢]|\(?\d{1,3}[.)]|[a-z]\))\s+(?=\S)/u;

interface Block {
  readonly kind: 'heading' | 'item' | 'prose' | 'blank';
  text: string;
}

/** Divides a text into headings, list items and paragraphs; a line that goes on joins the one before. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of withoutHtml(text).split(/\r\n?|[\n\u2028\u2029]/)) {
    const before = blocks.at(-1);
    const content = line
      .replace(bullet, '')
      .replace(/\*\*|__/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (content === '') blocks.push({ kind: 'blank', text: '' });
    else if (bullet.test(line)) blocks.push({ kind: 'item', text: content });
    else if (isHeading(line.trim())) blocks.push({ kind: 'heading', text: content.replace(/^#+\s*/, '') });
    else if (before?.kind === 'item' || (before?.kind === 'prose' && /^\p{Ll}/u.test(content)))
      before.text += ` ${content}`;
    else blocks.push({ kind: 'prose', text: content });
  }
  return blocks;
}

/** Whether a line without a bullet is a heading: marked as one, or short and known as one. */
function isHeading(line: string): boolean {
  if (line.length > 80) return false;
  const isMarked = /^#|^(?:\*\*|__).*(?:\*\*|__):?$|[:：]$/.test(line);
  return isMarked || (!/[.!;,。]$/.test(line) && headingKindOf(line) !== null);
}

/** Divides a paragraph at the ends of sentences, but not after an abbreviation of one or two letters. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?]["”»)]?(?<!\b\p{L}{1,2}\.))\s+(?=[^\p{Ll}\s])|(?<=[。！？])/u);

/**
 * Returns the requirements in a job's text: the list items and sentences under headings for requirements, and sentences
 * elsewhere that say what an applicant should have. If the text has neither, returns the tasks.
 */
export function requirementsOf(text: string): string[] {
  const required: string[] = [];
  const tasks: string[] = [];
  let section: SectionKind = 'unknown';
  let before: Block['kind'] = 'blank';
  let hasItems = false;
  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') {
      section = headingKindOf(block.text) ?? 'unknown';
      hasItems = false;
    } else if (block.kind === 'item') {
      hasItems = true;
      if (section === 'requirements') required.push(block.text);
      else if (section === 'unknown' && isRequirementSentence(block.text)) required.push(block.text);
      else if (section === 'tasks') tasks.push(block.text);
    } else if (block.kind === 'prose') {
      // A paragraph after a list belongs to no section any more.
      if (section === 'requirements' && hasItems && before === 'blank') section = 'unknown';
      for (const sentence of sentencesOf(block.text))
        if (section === 'requirements' || (section !== 'other' && isRequirementSentence(sentence)))
          required.push(sentence);
        else if (section === 'tasks') tasks.push(sentence);
    }
    before = block.kind;
  }
  return (required.length > 0 ? required : tasks)
    .map((each) =>
      each
        .slice(0, maxLength)
        .replace(/\p{Cs}$/u, '')
        .trim(),
    )
    .filter((each) => /[\p{L}\p{N}]/u.test(each))
    .slice(0, maxRequirements);
}
