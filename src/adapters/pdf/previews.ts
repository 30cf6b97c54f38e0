import type { Profile } from 'resume-profile/profile-document';
import { BoundedMap } from '../../model/bounded-map.ts';
import { type PrintedPreview, previewWidth as width } from '../../model/profile/printed-preview.ts';
import { openSvgRenderer } from '../svg-renderer.ts';
import { cutToPage, pageBackgrounds, toPng } from './design-picture.ts';
import type { Printer, Prints } from './printer.ts';
import { toFault } from './prints.ts';

type Printing = Promise<PrintedPreview | { readonly fault: string } | null>;

interface Preview {
  readonly profile: Profile;
  printed: PrintedPreview | null;
  printing: Printing | null;
  /** Whether it is printed even if another preview is requested in the meantime. */
  isNeeded: boolean;
}

const maxPreviews = 20;

/** Keeps the owner's latest profiles by the revisions of their texts, and prints one at a time. */
export function openPreviews(print: Printer['preview']) {
  const previews = new BoundedMap<string, Preview>(maxPreviews);
  let printing: Promise<unknown> = Promise.resolve();
  let asked = 0;

  async function printInTurn(preview: Preview, before: Promise<unknown>): Printing {
    const turn = ++asked;
    await before;
    // Only the last waiting preview is current; an earlier one is printed if a page shows its picture.
    if (turn !== asked && !preview.isNeeded) return null;
    try {
      preview.printed = await print(preview.profile);
      return preview.printed;
    } catch (error) {
      return { fault: toFault(error) };
    }
  }

  return {
    keep(revision: string, profile: Profile): void {
      const known = previews.get(revision);
      // The missing photo may exist by now.
      const isCurrent = known !== undefined && known.printed?.lacksPhoto !== true;
      previews.set(revision, isCurrent ? known : { profile, printed: null, printing: null, isNeeded: false });
    },
    profileOf: (revision: string): Profile | null => previews.get(revision)?.profile ?? null,
    /** Returns the finished preview; null if there is none. */
    printedOf: (revision: string): PrintedPreview | null => previews.get(revision)?.printed ?? null,
    /** Prints a kept profile; null if it is not kept, or not needed and another was requested while it waited. */
    async print(revision: string, isNeeded = false): Printing {
      const preview = previews.get(revision);
      if (preview === undefined || preview.printed !== null) return preview?.printed ?? null;
      preview.isNeeded ||= isNeeded;
      if (preview.printing === null) {
        preview.printing = printInTurn(preview, printing).finally(() => {
          preview.printing = null;
        });
        printing = preview.printing;
      }
      return preview.printing;
    },
  };
}

/** Only the first pages have a picture, because more would take long, and memory. */
const maxPictures = 5;

/** Draws the first pages of a document that Typst has converted to SVG, which has all pages below each other. */
export async function toPictures(svg: string): Promise<Pick<PrintedPreview, 'pictures' | 'height' | 'pages'>> {
  const renderer = await openSvgRenderer();
  const pages = svg.match(pageBackgrounds)?.length ?? 1;
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)" width="[^"]+" height="[^"]+"/;
  const [, points, allPoints] = size.exec(svg)!.map(Number) as [number, number, number];
  const pagePoints = allPoints / pages;
  const height = Math.round((width * pagePoints) / points);
  // All backgrounds are at the position of the first one.
  const paper = `<rect width="${points}" height="${allPoints}" fill="#ffffff"/>\n`;
  const toPage = (index: number) =>
    cutToPage(svg, index)
      .replace(pageBackgrounds, paper)
      .replace(size, `viewBox="0 ${index * pagePoints} ${points} ${pagePoints}" width="${width}" height="${height}"`);
  // A photo needs all colours.
  const toPicture = svg.includes('<image')
    ? renderer.toPng
    : (page: string) => toPng(renderer.toPixels(page), { width, height, maxColours: 16 });
  const pictures: Prints['picture'][] = [];
  for (let index = 0; index < Math.min(pages, maxPictures); index += 1) pictures.push(await toPicture(toPage(index)));
  return { pictures, height, pages };
}

/** Returns the texts of a printed PDF at their places in its pictures; none if it has none. */
export async function textsOf(pdf: Uint8Array, svg: string): Promise<PrintedPreview['texts']> {
  const { readPdf } = await import('resume-import/source/pdf-document');
  const document = await readPdf(pdf).catch(() => null);
  if (document?.kind !== 'PDF') return [];
  const scale = width / Number(/viewBox="0 0 ([\d.]+) /.exec(svg)![1]);
  const toPixels = (points: number) => Math.round(points * scale);
  return document.pages.flatMap(({ runs }, page) =>
    runs.reduce(joined, []).map(({ text, ...at }) => ({
      ...{ text, page, x: toPixels(at.x), y: toPixels(at.y), width: toPixels(at.width), size: toPixels(at.size) },
    })),
  );
}

type Run = Pick<PrintedPreview['texts'][number], 'text' | 'x' | 'y' | 'width' | 'size'> & { readonly font: string };

/** Adds a run to the one before it if they are parts of one text: a PDF has them apart at each hyphen. */
function joined(runs: Run[], run: Run): Run[] {
  const before = runs.at(-1);
  const gap = before === undefined ? 0 : run.x - before.x - before.width;
  const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);
  const isNext =
    before?.y === run.y &&
    before.font === run.font &&
    Math.abs(gap) < run.size / 2 &&
    isWord(before.text) &&
    isWord(run.text);
  if (!isNext) return [...runs, run];
  const text = before.text + (gap > run.size / 10 ? ' ' : '') + run.text;
  return [...runs.slice(0, -1), { ...before, text, width: run.x + run.width - before.x }];
}
