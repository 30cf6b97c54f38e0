import type { Source, Typst } from './typst.ts';

/** The end of a document: its number of pages, and the filled part of the last page, 0 to 1. */
interface End {
  readonly pages: number;
  readonly filled: number;
  /** The number of lines above the end on the last page, and of lines on a page; a template may not report it. */
  readonly lines?: readonly [above: number, perPage: number];
}

interface Fitted {
  readonly source: Source;
  /** Null if a template does not report its end. */
  readonly pages: number | null;
  /** The number of lines beyond the page limit at the tightest setting; null if the document fits. */
  readonly linesOver: number | null;
}

/** The steps in which space shrinks, and then the size of the text by quarters of a point. */
const steps = [
  ...['0', '1', '2', '3'].map((tightness) => ({ tightness, shrink: '0' })),
  ...Array.from({ length: 12 }, (_, index) => ({ tightness: '3', shrink: String(index + 1) })),
];

/**
 * Returns a source in at most `limit` pages, as large as possible, and its pages. Without a limit, or if it cannot be met,
 * space shrinks only if that saves a last page less than a third full.
 */
export function fitted(typst: Typst, { path, inputs }: Source, limit?: number): Fitted {
  const sourceAt = (step: number): Source => ({ path, inputs: { ...inputs, ...steps[step]! } });
  const endOf = (step: number) => (typst.valuesOf(sourceAt(step), '<end>') as End[])[0];
  const resultAt = (step: number, pages: number | null): Fitted => ({ source: sourceAt(step), pages, linesOver: null });
  const end = endOf(0);
  if (end === undefined) return resultAt(0, null);
  if (limit === undefined || end.pages <= limit) return withoutShortPage();
  const most = steps.length - 1;
  const tightest = endOf(most)!;
  if (tightest.pages > limit) return { ...withoutShortPage(), linesOver: linesOverOf(tightest, limit) };
  let [fits, pages] = [most, tightest.pages];
  for (let low = 1; low < fits; ) {
    const middle = Math.floor((low + fits) / 2);
    const tried = endOf(middle)!;
    if (tried.pages <= limit) [fits, pages] = [middle, tried.pages];
    else low = middle + 1;
  }
  return resultAt(fits, pages);

  function withoutShortPage(): Fitted {
    const { pages, filled } = end!;
    const asItIs = resultAt(0, pages);
    if (filled > Math.min(1 / 3, savedOfPage * (pages - 1))) return asItIs;
    const savesPage = (step: number) => endOf(step)!.pages < pages;
    if (!savesPage(3)) return asItIs;
    const step = [1, 2].find(savesPage) ?? 3;
    return resultAt(step, endOf(step)!.pages);
  }
}

// Less space saves at most about this part of each page; each try costs a layout.
const savedOfPage = 0.22;

function linesOverOf({ pages, filled, lines: [above, perPage] = [50 * filled, 50] }: End, limit: number): number {
  return Math.max(1, Math.ceil((pages - limit - 1) * perPage + above));
}
