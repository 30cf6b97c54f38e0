import { strFromU8, unzipSync } from 'fflate';
import { parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: object }>;

const elementsOf = (node: Node, name: string): Element[] =>
  'children' in node
    ? node.children.flatMap((child) => [
        ...('attribs' in child && child.name === name ? [child] : []),
        ...elementsOf(child, name),
      ])
    : [];

/** Reads a document of Word: its paragraphs as lines such as `Heading2: Skills`, and its parts as they are. */
export function readDocx(file: Uint8Array) {
  const parts = Object.fromEntries(Object.entries(unzipSync(file)).map(([path, bytes]) => [path, strFromU8(bytes)]));
  const links = new Map(
    [...parts['word/_rels/document.xml.rels']!.matchAll(/ Id="([^"]*)"[^>]* Target="(http|mailto|tel)([^"]*)"/g)].map(
      ([, id, scheme, rest]) => [id!, `${scheme}${rest}`.replaceAll('&amp;', '&')],
    ),
  );

  function textOf(node: Node): string {
    if (node.type === 'text') return node.data;
    if (!('attribs' in node)) return '';
    if (node.name === 'w:tab') return '\t';
    if (node.name === 'w:br') return '\n';
    const text = node.children.map(textOf).join('');
    return node.name === 'w:hyperlink' ? `[${text}](${links.get(node.attribs['r:id']!)})` : text;
  }

  const [document] = parseDocument(parts['word/document.xml']!, { xmlMode: true }).children.slice(-1);
  const paragraphs = elementsOf(document!, 'w:p').map((paragraph) => {
    const [style] = elementsOf(paragraph, 'w:pStyle');
    const name = style === undefined ? '' : `${style.attribs['w:val']}: `;
    return name + paragraph.children.map(textOf).join('');
  });
  return { parts, paragraphs };
}
