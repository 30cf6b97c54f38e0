import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { publicView } from 'resume-profile/view-fields';
import type { FailedPrint, PdfState } from '../../../model/profile/print-state.ts';
import { getPdfState, retryPrints } from '../../../operations/owner/desk.ts';
import { capitalize } from '../format.ts';
import { type Html, type Site, statusMessage } from '../page.ts';
import type { Desk, DeskRouter } from './router.ts';

const statePath = '/desk/profile/print';

/** The pages that list failed prints; their forms post to paths below them. */
type FaultPage = '/desk' | '/desk/profile';

/** Adds the form that tries failed prints again, and the state of the PDF, which a script asks for after a publish. */
export function addPrintsTo(desk: DeskRouter, { run }: Desk): void {
  for (const page of ['/desk', '/desk/profile'] satisfies FaultPage[])
    desk.action(`${page}/print-again`, async () => {
      await run(retryPrints, {});
      return page;
    });

  desk.page(statePath, async () => {
    const state = await run(getPdfState, { waits: true });
    const status = state !== null && isUnderWay(state) ? 202 : 200;
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(state === null ? '' : wordsOf(state), { status, headers });
  });
}

const isUnderWay = ({ isPrinted, fault }: PdfState): boolean => !isPrinted && fault === null;

function wordsOf({ isPrinted, fault }: PdfState): string {
  if (isPrinted) return 'The PDF of it is printed.';
  if (fault === null) return 'The PDF of it is being printed.';
  return `The PDF of it cannot be printed: ${toVisible(fault)}. It is tried again, and visitors who ask for it are told so.`;
}

/**
 * The message after a change of the profile, and whether its PDF is there; `again` is the address of the page. A script
 * keeps it up to date.
 */
export async function publishedMessage(
  done: string,
  again: string,
  { site, run }: Pick<Desk, 'site' | 'run'>,
  more: Html | '' = '',
): Promise<Html> {
  const state = await run(getPdfState, { waits: false });
  if (state === null) return statusMessage('good', html`${done}${more}`);
  const note = isUnderWay(state)
    ? html`<span data-print="${site.path(statePath)}">${wordsOf(state)} <a href="${again}">Check again</a>.</span>`
    : wordsOf(state);
  return statusMessage(state.fault === null ? 'good' : 'attention', html`${done} ${note}${more}`);
}

const list = new Intl.ListFormat('en-GB');

const nameOf = ({ view, format }: FailedPrint): string => {
  const what = format === 'pdf' ? 'the PDF' : 'the document for Word';
  return view === null ? what : `${what} of ${view === publicView ? 'the public part' : `the view “${view}”`}`;
};

/** Returns for each fault a text with the prints it prevents and what visitors get, and a button that tries again. */
export const printFaults = (
  failed: readonly FailedPrint[],
  page: FaultPage,
  site: Site,
  formToken: Html,
): { readonly words: string; readonly remedy: Html }[] =>
  [...Map.groupBy(failed, ({ fault }) => fault)].map(([fault, prints]) => ({
    words: `${toVisible(capitalize(list.format(prints.map(nameOf))))} cannot be printed: ${toVisible(fault)}. Visitors who ask for ${prints.length === 1 ? 'it' : 'them'} are told so, and can read the profile.`,
    remedy: prints.some(({ isTriedNow }) => isTriedNow)
      ? html`<span class="soft">Printing again …</span>`
      : html`<form method="post" action="${site.path(`${page}/print-again`)}">${formToken}<button class="plain">Print again</button></form>`,
  }));
