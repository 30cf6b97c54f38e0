import { getDocumentProxy } from 'unpdf';
import { attachmentName, type Page, type Run, type TextDocument } from './document.ts';

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

const maxPages = 100;

/**
 * Reads the texts of a PDF at their places, and the profile attached to it. Its scripts are not run, its other
 * attachments and its links not opened. Throws a reason to stand after the path of the file.
 */
export async function readPdf(file: Uint8Array): Promise<TextDocument> {
  const document = await readAll(file).catch((error: Error) => {
    throw error instanceof Unreadable ? error : new Error('is a damaged PDF', { cause: error });
  });
  if (document.pages.some(({ runs }) => runs.length > 0)) return document;
  throw new Error(
    'is a PDF without text, such as a scan; import the file that it was printed from, or let a program for text recognition (OCR) add the text',
  );
}

/** A reason that pdf.js does not give. */
class Unreadable extends Error {}

async function readAll(file: Uint8Array) {
  const pdf = await open(file);
  try {
    if (pdf.numPages > maxPages)
      throw new Unreadable(`is a PDF of ${pdf.numPages} pages; at most ${maxPages} are read`);
    const pages: Page[] = [];
    for (let number = 1; number <= pdf.numPages; number++) pages.push(await readPage(await pdf.getPage(number)));
    const attachments = await pdf.getAttachments();
    const attached = attachments?.has(attachmentName) ? await pdf.getAttachmentContent(attachmentName) : null;
    const { Producer: producer, Creator: creator } = (await pdf.getMetadata()).info as Record<string, unknown>;
    const program = [producer, creator].filter((name) => typeof name === 'string').join(' ');
    const attachedProfile = attached ? new TextDecoder().decode(attached) : null;
    return { kind: 'PDF' as const, program, pages, attachedProfile };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

const open = (file: Uint8Array) =>
  // A copy, because pdf.js refuses a Buffer, and takes the memory that it is given.
  getDocumentProxy(new Uint8Array(file), {
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    maxImageSize: 0,
    verbosity: 0,
  }).catch((error: Error) => {
    if (error.name !== 'PasswordException') throw error;
    throw new Unreadable('is a PDF that asks for a password; save it without one, and import that file');
  });

async function readPage(page: PdfPage): Promise<Page> {
  const { height, transform } = page.getViewport({ scale: 1 });
  // The fonts are known by their names once the page is interpreted.
  await page.getOperatorList();
  const { items } = await page.getTextContent();
  const links = (await page.getAnnotations()).flatMap(toLink);
  const runs = items.flatMap((item): Run[] => {
    if (!('str' in item) || !/\S/.test(item.str)) return [];
    const [a, b, c, d, e, f] = item.transform as number[];
    const [ta, tb, tc, td, te, tf] = transform as number[];
    const x = ta! * e! + tc! * f! + te!;
    const y = tb! * e! + td! * f! + tf!;
    const { url } = links.find(({ rect: [left, bottom, right, top] }) => {
      const [middle, line] = [e! + item.width / 2, f! + Math.hypot(c!, d!) / 4];
      return left <= middle && middle <= right && bottom <= line && line <= top;
    }) ?? { url: undefined };
    const size = Math.hypot(c!, d!) || Math.hypot(a!, b!);
    return [{ text: item.str, x, y, width: item.width, size, ...fontOf(page, item.fontName), url }];
  });
  return { runs: runs.filter(({ y }) => y > 0 && y < height) };
}

function toLink({ subtype, url, rect }: { subtype?: string; url?: string; rect?: readonly number[] }) {
  if (subtype !== 'Link' || typeof url !== 'string' || rect?.length !== 4) return [];
  return [{ url, rect: rect as [number, number, number, number] }];
}

/** The name and weight of a font, which the page knows by another name. */
function fontOf({ commonObjs }: PdfPage, key: string): Pick<Run, 'font' | 'isBold'> {
  const font: { name?: string; bold?: boolean; black?: boolean } = (commonObjs.has(key) && commonObjs.get(key)) || {};
  const name = font.name ?? key;
  return { font: name, isBold: font.bold || font.black || /bold|black|heavy|demi|medium$|CMBX|-Bd/i.test(name) };
}
