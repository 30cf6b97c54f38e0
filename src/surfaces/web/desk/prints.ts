import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { publicView } from 'resume-profile/view-fields';
import type { FailedPrint } from '../../../model/profile/print-state.ts';
import { retryPrints } from '../../../operations/owner/desk.ts';
import { capitalize } from '../format.ts';
import type { Html, Site } from '../page.ts';
import type { Desk, DeskRouter } from './router.ts';

/** The pages that list failed prints; their forms post to paths below them. */
type FaultPage = '/desk' | '/desk/profile';

/** Adds the form that tries failed prints again. */
export function addPrintsTo(desk: DeskRouter, { run }: Desk): void {
  for (const page of ['/desk', '/desk/profile'] satisfies FaultPage[])
    desk.action(`${page}/print-again`, async () => {
      await run(retryPrints, {});
      return page;
    });
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
