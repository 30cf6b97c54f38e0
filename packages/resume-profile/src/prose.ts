import MarkdownIt, { type MarkdownIt as Parser, type StateInline, type Token } from 'markdown-it';
import { toEmailAddress } from './email-address.ts';
import { HttpUrl } from './profile.ts';

/** Characters that have the same marks. */
export interface Run {
  readonly text: string;
  readonly isStrong?: true;
  readonly isEmphasis?: true;
  readonly isCode?: true;
  /** Its address, http, https or mailto, if it is a link. */
  readonly url?: string;
}

/** Some lines and the bullets below them, two levels at most. Bullets without lines above them have no runs. */
export interface Paragraph {
  /** The lines as they are written. */
  readonly text: string;
  readonly runs: readonly Run[];
  readonly bullets: readonly Paragraph[];
}

/** A text as written, and the paragraphs that its marks mean. */
export interface Prose {
  readonly text: string;
  readonly paragraphs: readonly Paragraph[];
}

/**
 * Reads the marks of a text: `**strong**`, `*emphasis*`, `` `code` ``, `[link](https://…)`, and lines that begin with
 * `- `. Returns undefined if it has none. Lines before `bulletsFrom` are not bullets: the first one of a text that is
 * itself a bullet, whose bullets have one level.
 */
export function toParagraphs(text: string, bulletsFrom = 0): readonly Paragraph[] | undefined {
  if (!/[*`]|\]\(|^[^\S\r\n\u2028\u2029]*- /m.test(text)) return undefined;
  const paragraphs: Open<Open<Paragraph>>[] = [];
  for (const { depth, text: lines } of toLines(text, bulletsFrom)) {
    const it = { text: lines, runs: toRuns(lines), bullets: [] };
    if (depth > 0 && paragraphs.length === 0) paragraphs.push({ text: '', runs: [], bullets: [] });
    const lists = [paragraphs, paragraphs.at(-1)?.bullets, paragraphs.at(-1)?.bullets.at(-1)?.bullets];
    lists[depth]!.push(it);
  }
  const isUnmarked = paragraphs.every(({ text, runs, bullets }) => bullets.length === 0 && isSame(runs, text));
  return isUnmarked ? undefined : paragraphs;
}

/** A paragraph to which bullets are added. */
type Open<Bullet> = Omit<Paragraph, 'bullets'> & { readonly bullets: Bullet[] };

/** Divides a text into its bullets, with their level, and the lines between them, which have level 0. */
function toLines(text: string, bulletsFrom: number): { depth: 0 | 1 | 2; text: string }[] {
  const parts: { depth: 0 | 1 | 2; text: string }[] = [];
  let top = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const last = parts.at(-1);
    const [, indent, content] = (index < bulletsFrom ? null : /^(\s*)- +(\S.*)$/.exec(line)) ?? [];
    if (indent !== undefined) {
      const isNested = bulletsFrom === 0 && last !== undefined && last.depth > 0 && indent.length > top;
      if (!isNested) top = indent.length;
      if (last?.depth === 0) last.text = last.text.trimEnd();
      parts.push({ depth: isNested ? 2 : 1, text: content! });
    } else if (last?.depth === 0) last.text += `\n${line}`;
    else if (last === undefined) parts.push({ depth: 0, text: line });
    else if (/^\s+\S/.test(line)) last.text += ` ${line.trim()}`;
    else if (/\S/.test(line)) parts.push({ depth: 0, text: line });
  }
  return parts;
}

/** A text without its marks, in one line for each of its lines. */
export function withoutMarks(text: string): string {
  const paragraphs = toParagraphs(text);
  if (paragraphs === undefined) return text;
  const lines = linesIn(paragraphs).map(({ runs }) => runs.map((run) => run.text).join(''));
  return lines.filter((line) => line !== '').join('\n');
}

/** Paragraphs and the bullets below them, each before those below it. */
export const linesIn = (paragraphs: readonly Paragraph[]): Paragraph[] =>
  paragraphs.flatMap((it) => [it, ...linesIn(it.bullets)]);

export const runsIn = (paragraphs: readonly Paragraph[]): Run[] => linesIn(paragraphs).flatMap(({ runs }) => runs);

/** Groups runs by their address: a link, or the runs between two links. */
export function toLinks(runs: readonly Run[]): { readonly url: string | undefined; readonly runs: readonly Run[] }[] {
  const links: { url: string | undefined; runs: Run[] }[] = [];
  for (const run of runs) {
    const last = links.at(-1);
    if (last !== undefined && last.url === run.url) last.runs.push(run);
    else links.push({ url: run.url, runs: [run] });
  }
  return links;
}

/** Whether runs have no marks and equal the written text. */
const isSame = (runs: readonly Run[], text: string) =>
  runs.every(isPlain) && runs.map((run) => run.text).join('') === text;

const isPlain = ({ text, ...marks }: Run) => Object.keys(marks).length === 0;

/** Reads the inline marks of a text. If it has some, a backslash keeps the mark that follows it as a character. */
export function toRuns(text: string): Run[] {
  const runs = runsOf(asWritten, text);
  if (runs.every(isPlain)) return text === '' ? [] : [{ text }];
  return text.includes('\\') ? runsOf(escaping, text) : runs;
}

const asWritten = openParser();
const escaping = openParser().enable('escape');

/** Opens a parser for inline marks only: no HTML, entities, images, references, titles or line breaks. */
function openParser(): Parser {
  const markdown = new MarkdownIt('zero').enable(['backticks', 'emphasis']);
  const { ruler } = markdown.inline;
  ruler.at('escape', readEscape);
  ruler.before('emphasis', 'underscore', readUnderscore);
  ruler.after('emphasis', 'link', readLink);
  return markdown;
}

function readEscape(state: StateInline, silent: boolean): boolean {
  const [backslash, mark = ''] = state.src.slice(state.pos, state.pos + 2);
  if (backslash !== '\\' || !/[*`[]/.test(mark)) return false;
  if (!silent) state.pending += mark;
  state.pos += 2;
  return true;
}

/** Consumes an underscore, which is not a mark here but would be read as emphasis. */
function readUnderscore(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '_') return false;
  if (!silent) state.pending += '_';
  state.pos += 1;
  return true;
}

const target = /\(((?:[^\s()<>]|\([^\s()<>]*\))+)\)/y;

/** Reads the address as written; the library's rule decodes entities and escapes in it. */
function readLink(state: StateInline, silent: boolean): boolean {
  // After an exclamation mark it is an image.
  if (state.src[state.pos] !== '[' || state.src[state.pos - 1] === '!' || state.linkLevel > 0) return false;
  const labelEnd = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (labelEnd < 0 || !/\S/.test(state.src.slice(state.pos + 1, labelEnd))) return false;
  target.lastIndex = labelEnd + 1;
  const url = target.exec(state.src)?.[1];
  if (url === undefined || linkFaultOf(url) !== null) return false;
  const [end, { posMax }] = [target.lastIndex, state];
  if (!silent) {
    state.pos += 1;
    state.posMax = labelEnd;
    state.push('link_open', 'a', 1).attrs = [['href', url]];
    state.linkLevel += 1;
    state.md.inline.tokenize(state);
    state.linkLevel -= 1;
    state.push('link_close', 'a', -1);
  }
  state.pos = end;
  state.posMax = posMax;
  return true;
}

/** Returns why an address cannot be linked in a text, as a predicate; null if it can. */
export function linkFaultOf(url: string): string | null {
  const [, address, query = ''] = /^mailto:([^?]*)(\?.*)?$/i.exec(url) ?? [];
  if (address === undefined) return HttpUrl.safeParse(url).error?.issues[0]?.message ?? null;
  const isLink = toEmailAddress(address) === address && /^[!-~]*$/.test(query);
  return isLink ? null : 'must have one e-mail address after mailto:, in ASCII';
}

/** Reads the inline marks that a parser knows. */
function runsOf(parser: Parser, text: string): Run[] {
  const marks: Omit<Run, 'text'>[] = [{}];
  return parser.parseInline(text, {})[0]!.children!.flatMap((token) => {
    if (token.nesting === -1) marks.pop();
    if (token.nesting === 1) marks.push({ ...marks.at(-1), ...markOf(token) });
    return token.content === '' ? [] : { text: token.content, ...marks.at(-1), ...markOf(token) };
  });
}

function markOf({ type, attrs }: Token): Omit<Run, 'text'> {
  if (type === 'strong_open') return { isStrong: true };
  if (type === 'em_open') return { isEmphasis: true };
  if (type === 'code_inline') return { isCode: true };
  return type === 'link_open' ? { url: String(attrs![0]![1]) } : {};
}
