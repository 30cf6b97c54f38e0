import mammoth from 'mammoth';
import type { Paragraph, TextDocument } from '../../formats/import/source/document.ts';

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
  let root: Node = { type: 'document' };
  try {
    await mammoth.convertToHtml(
      { buffer: Buffer.from(file) },
      {
        externalFileAccess: false,
        transformDocument: (document: Node) => {
          root = document;
          // Nothing is left to be converted.
          return { ...document, children: [] };
        },
      },
    );
  } catch (error) {
    throw new Error('is a damaged Word document', { cause: error });
  }
  const paragraphs = paragraphsIn(root);
  if (!paragraphs.some(({ runs }) => runs.some(({ text }) => /\S/.test(text))))
    throw new Error('is a Word document without text, such as pictures of pages; import one that has text');
  return { kind: 'DOCX', paragraphs };
}

function paragraphsIn(node: Node, place: Pick<Paragraph, 'row' | 'cell'> = {}, rows = { count: 0 }): Paragraph[] {
  const { type, children = [] } = node;
  if (type === 'paragraph') return [toParagraph(node, place)];
  if (type !== 'tableRow') return children.flatMap((child) => paragraphsIn(child, place, rows));
  const row = rows.count++;
  return children.flatMap((child, cell) => paragraphsIn(child, { row, cell }, rows));
}

function toParagraph(node: Node, place: Pick<Paragraph, 'row' | 'cell'>): Paragraph {
  const style = node.styleName ?? '';
  const level = /^title$/i.test(style) ? '0' : /^heading (\d)/i.exec(style)?.[1];
  return {
    runs: runsIn(node, { font: style, size: 0, isBold: false }),
    ...(level !== undefined && { level: Number(level) }),
    isBullet: Boolean(node.numbering) || /^list/i.test(style),
    ...place,
  };
}

type WordRun = Paragraph['runs'][number];

function runsIn(node: Node, style: Omit<WordRun, 'text'>): WordRun[] {
  const { type, value, children = [] } = node;
  if (type === 'text') return [{ ...style, text: value ?? '' }];
  if (type === 'tab') return [{ ...style, text: '\t' }];
  if (type === 'break') return [{ ...style, text: '\n' }];
  const inner = {
    ...style,
    size: node.fontSize ?? style.size,
    isBold: node.isBold ?? style.isBold,
    ...(type === 'hyperlink' && node.href !== undefined && { url: node.href }),
  };
  return children.flatMap((child) => runsIn(child, inner));
}
