import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  LevelFormat,
  LineRuleType,
  Packer,
  PageNumber,
  type Paragraph,
  TextRun,
} from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { nonEmpty } from 'resume-profile/non-empty';
import type { Outline } from '../outline/outline.ts';
import type { Photo } from './head.ts';
import { em, nameSize, printable, setterOf, size, toRuns } from './text.ts';

export interface Page {
  readonly paper: 'a4' | 'us-letter';
  readonly photo: Photo | null;
}

const papers = { a4: { width: 11_906, height: 16_838 }, 'us-letter': { width: 12_240, height: 15_840 } };
const margin = { x: 1_190, y: 1_077 };
const [accent, quiet] = ['1F3B5C', '595959'];

/** The faces of Word by script; where one is not installed, Word takes another. */
function facesOf({ language, region }: Intl.Locale) {
  const chinese = region === 'TW' || region === 'HK' ? 'PMingLiU' : 'SimSun';
  const eastAsia = language === 'ja' ? 'Yu Mincho' : language === 'ko' ? 'Batang' : chinese;
  const cs = language === 'hi' ? 'Nirmala UI' : 'Times New Roman';
  return { ascii: 'Cambria', hAnsi: 'Cambria', eastAsia, cs };
}

interface Content extends Page {
  readonly title: string;
  readonly content: readonly Paragraph[];
}

/** Makes a document in the style of the theme `classic`. */
export async function toDocument(
  { language, direction, author, words }: Pick<Outline, 'language' | 'direction' | 'author' | 'words'>,
  { title, paper, content }: Content,
): Promise<Uint8Array<ArrayBuffer>> {
  // Word identifies languages by their regions, so a language without one gets the region of most of its speakers.
  const locale = new Intl.Locale(language).maximize();
  const tag = `${locale.language}-${locale.region}`;
  const isEastAsian = ['ja', 'ko', 'zh'].includes(locale.language);
  const spoken = {
    value: tag,
    ...(isEastAsian && { eastAsia: tag }),
    ...(direction === 'rtl' && { bidirectional: tag }),
  };
  const dates = { rightTabStop: papers[paper].width - 2 * margin.x };
  const keepTogether = { keepNext: true, keepLines: true };
  const centred = { alignment: AlignmentType.CENTER };
  const document = new Document({
    title: printable(title),
    creator: printable(author),
    lastModifiedBy: printable(author),
    styles: {
      default: {
        document: {
          run: { font: facesOf(locale), size, language: spoken },
          paragraph: { spacing: { line: 259, lineRule: LineRuleType.AUTO } },
        },
        heading1: {
          run: { size: nameSize, bold: true, color: accent },
          paragraph: { ...keepTogether, ...centred, spacing: { after: em(0.35) } },
        },
        heading2: {
          run: { size: 30, bold: true, color: accent, smallCaps: true },
          paragraph: {
            ...keepTogether,
            spacing: { before: em(0.95), after: em(0.4) },
            border: { bottom: { style: BorderStyle.SINGLE, size: 5, color: accent, space: 1 } },
          },
        },
        heading3: { run: { size: 23, bold: true }, paragraph: { ...keepTogether, ...dates } },
        heading4: { run: { bold: true, color: accent }, paragraph: { ...keepTogether, ...dates } },
        hyperlink: { run: { color: accent } },
        listParagraph: { paragraph: { keepLines: true } },
      },
      paragraphStyles: [
        {
          id: 'Headline',
          name: 'Headline',
          basedOn: 'Normal',
          run: { size: 25 },
          paragraph: { ...centred, spacing: { after: em(0.15) } },
        },
        { id: 'Contacts', name: 'Contacts', basedOn: 'Normal', paragraph: centred },
        { id: 'Entry', name: 'Entry', basedOn: 'Normal', paragraph: { ...keepTogether, ...dates } },
        { id: 'Date', name: 'Date', basedOn: 'Normal', paragraph: { alignment: AlignmentType.END } },
        { id: 'Footer', name: 'footer', basedOn: 'Normal', run: { size: 17, color: quiet }, paragraph: centred },
      ],
      characterStyles: [
        { id: 'Aside', name: 'Aside', run: { color: quiet } },
        // LibreOffice prints no link for a hyperlink whose text has no style.
        { id: 'Linked', name: 'Linked' },
      ],
    },
    numbering: {
      config: [
        {
          reference: 'bullets',
          levels: [0, 1].map((level) => ({
            level,
            format: LevelFormat.BULLET,
            text: '•',
            // In text from right to left, Word counts it from the right.
            style: { paragraph: { indent: { left: em(1.1 * (level + 1)), hanging: em(0.85) } } },
          })),
        },
      ],
    },
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: papers[paper],
            margin: { top: margin.y, bottom: margin.y, left: margin.x, right: margin.x, footer: 500 },
          },
        },
        footers: { default: new Footer({ children: [toFooter(direction, author, words.page)] }) },
        children: [...content],
      },
    ],
  });
  return toReproducible(await Packer.toBuffer(document));
}

/** The footer of all pages but the first: the name and the page number. */
function toFooter(direction: Outline['direction'], author: string, pattern: string): Paragraph {
  const { paragraph, joined } = setterOf(direction);
  const fields = { '{page}': PageNumber.CURRENT, '{pages}': PageNumber.TOTAL_PAGES };
  const number = pattern.split(/(\{pages?\})/).flatMap((part) => {
    const field = fields[part as keyof typeof fields];
    return field === undefined ? toRuns(part) : [new TextRun({ children: [field] })];
  });
  return paragraph(joined([...nonEmpty(author).map((name) => toRuns(name)), number], ' · '), { style: 'Footer' });
}

/** Numbers the ids that the library draws at random, and leaves out when the document was made. */
function toReproducible(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const ids = new Map<string, number>();
  const toNumber = (id: string) => ids.get(id) ?? ids.set(id, ids.size + 1).size;
  const files = Object.entries(unzipSync(file)).map(([path, bytes]) => {
    if (!/\.(xml|rels)$/.test(path)) return [path, bytes] as const;
    const text = strFromU8(bytes)
      .replace(/<dcterms:(?:created|modified)[^<>]*>[^<]*<\/dcterms:(?:created|modified)>/g, '')
      .replace(/"rId([a-z\d_-]{21})"/g, (_, id: string) => `"link${toNumber(id)}"`);
    return [path, strToU8(text)] as const;
  });
  return zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0) });
}
