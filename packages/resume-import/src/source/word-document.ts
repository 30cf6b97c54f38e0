import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';
import type { Paragraph, TextDocument } from './document.ts';
import { pageNumber } from './layout.ts';

/** A node of a document as mammoth reads it. */
interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
  readonly value?: string;
  readonly href?: string;
  readonly styleName?: string | null;
  readonly numbering?: object | null;
  readonly isBold?: boolean;
  readonly fontSize?: number | null;
}

/** Reads the paragraphs of a DOCX file. Throws a reason to stand after the path of the file. */
export async function readWord(file: Uint8Array): Promise<TextDocument> {
  const paragraphs = await readAll(file).catch((error: Error) => {
    throw new Error('is a damaged Word document', { cause: error });
  });
  if (!paragraphs.some((paragraph) => /\S/.test(textOf(paragraph))))
    throw new Error('is a Word document without text, such as pictures of pages; import one that has text');
  return { kind: 'DOCX', paragraphs };
}

/** The paragraphs of the headers, the body and the footers. Text repeated at the edges of pages is included once. */
async function readAll(file: Uint8Array): Promise<Paragraph[]> {
  const body = await readBody(file);
  const known = new Set(body.map(textOf));
  const edge = async (kind: string) => {
    const all = (await Promise.all(edgesOf(file, kind).map(readBody))).flat().map(withoutPageNumber);
    return all.filter((paragraph) => {
      const text = textOf(paragraph);
      return !known.has(text) && known.add(text);
    });
  };
  const headers = await edge('header');
  const footers = await edge('footer');
  return [...headers, ...body, ...footers.map((paragraph) => ({ ...paragraph, isFooter: true }))];
}

/** A character that is in no text, before the number that a field for pages shows. */
const pageField = '\uFDD0';

function withoutPageNumber(paragraph: Paragraph): Paragraph {
  const [run] = paragraph.runs;
  const text = textOf(paragraph);
  if (!run || !text.includes(pageField)) return paragraph;
  const kept = text
    .split(/\t| [|·•–—-] /)
    .filter((part) => !pageNumber.test(part.replace(/\uFDD0\d*/g, '1')))
    .map((part) => part.replace(/\uFDD0\d*/g, ''));
  return { ...paragraph, runs: [{ ...run, text: kept.join('\t') }] };
}

const textOf = ({ runs }: Paragraph) =>
  runs
    .map(({ text }) => text)
    .join('')
    .trim();

async function readBody(file: Uint8Array): Promise<Paragraph[]> {
  let paragraphs: Paragraph[] = [];
  const transformDocument = (document: Node) => {
    paragraphs = paragraphsIn(document);
    // Nothing is left to be converted.
    return { ...document, children: [] };
  };
  await mammoth.convertToHtml({ buffer: Buffer.from(file) }, { externalFileAccess: false, transformDocument });
  return paragraphs;
}

/** The headers or footers of a document, each as the body of a document, because mammoth reads no other part. */
function edgesOf(file: Uint8Array, kind: string): Uint8Array[] {
  // Without the relationships of the package, the main part is `word/document.xml`.
  const { '_rels/.rels': _, ...parts } = unzipSync(file, { filter: ({ name }) => /\.(xml|rels)$/.test(name) });
  const names = Object.keys(parts).filter((name) => name.startsWith(`word/${kind}`));
  return names.toSorted().map((name) => {
    const body = strFromU8(parts[name]!)
      .replace(/<(\w{1,9}:)(?:hdr|ftr)\b[^<>]*>/, '$&<$1body>')
      .replace(/<\/(\w{1,9}:)(?:hdr|ftr)>/, '</$1body>$&')
      .replace(/<(\w{1,9}:)(fldSimple|instrText)\b[^<]*/g, (field, prefix, kind) => {
        if (!/PAGE/.test(field)) return field;
        const text = `<${prefix}t>${pageField}</${prefix}t>`;
        return `${kind === 'instrText' ? text : `<${prefix}r>${text}</${prefix}r>`}${field}`;
      });
    const links = parts[`${name.replace('/', '/_rels/')}.rels`];
    return zipSync(
      { ...parts, 'word/document.xml': strToU8(body), ...(links && { 'word/_rels/document.xml.rels': links }) },
      { level: 0 },
    );
  });
}

function paragraphsIn(node: Node): Paragraph[] {
  if (node.type !== 'paragraph') return (node.children ?? []).flatMap(paragraphsIn);
  const style = node.styleName ?? '';
  const level = /^title$/i.test(style) ? '0' : /^heading (\d)/i.exec(style)?.[1];
  const runs = runsIn(node, { font: style, size: 0, isBold: false });
  const [typed = ''] = typedBullet.exec(runs.map(({ text }) => text).join('')) ?? [];
  return [
    {
      runs: withoutFirst(runs, typed.length),
      ...(level !== undefined && { level: Number(level) }),
      isBullet: Boolean(node.numbering) || /^list/i.test(style) || typed !== '',
    },
  ];
}

/** A bullet that is typed, not set by Word, before a word. */
const typedBullet = /^\s*(?:[•◦▪▫‣●○∙■□➢✓]|[-–—*](?=\s))\s*(?=[\p{L}“"„«(])/u;

/** Leaves out the first characters of a paragraph. */
function withoutFirst(runs: readonly WordRun[], count: number): WordRun[] {
  let left = count;
  return runs.flatMap((run) => {
    const text = run.text.slice(left);
    left = Math.max(0, left - run.text.length);
    return text === '' && count > 0 ? [] : [{ ...run, text }];
  });
}

type WordRun = Paragraph['runs'][number];

function runsIn(node: Node, style: Omit<WordRun, 'text'>): WordRun[] {
  const { type, value, children = [] } = node;
  if (type === 'text') return [{ ...style, text: value ?? '' }];
  if (type === 'tab') return [{ ...style, text: '\t' }];
  if (type === 'break') return [{ ...style, text: '\n' }];
  const inner = {
    ...{ ...style, size: node.fontSize ?? style.size, isBold: node.isBold ?? style.isBold },
    ...(type === 'hyperlink' && node.href !== undefined && { url: node.href }),
  };
  return children.flatMap((child) => runsIn(child, inner));
}
