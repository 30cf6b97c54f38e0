import { html } from 'hono/html';
import { scrub } from '../../../operations/owner/visitors.ts';
import type { Html } from '../page.ts';
import type { Desk, DeskPage, DeskRouter, Section } from './router.ts';

/** The warning before an erasure; `erased` is the message after it. */
export const unreachable = 'Backups made before, and e-mails that were sent, still hold what they held.';
export const erased = `Erased. ${unreachable}`;

/**
 * Adds the form that rewrites the database again. Returns a function that responds to an erasure: with the path of the
 * section or, if bytes are left in the files of the database, with a page that says why and has that form.
 */
export function addScrubTo(
  desk: DeskRouter,
  { site, section, path, run }: Pick<Desk, 'site' | 'run'> & { readonly section: Section; readonly path: string },
) {
  function answer(fault: string | null, formToken: Html): string | DeskPage {
    if (fault === null) return `${path}?done=erased`;
    return {
      title: 'Not all is erased yet',
      section,
      status: 503,
      body: html`<div class="head spread"><h1>Not all is erased yet</h1></div>
<p class="notice attention">It is gone from the desk. ${fault}</p>
<form method="post" action="${site.path(`${path}/scrub`)}">${formToken}<button>Try again</button></form>`,
    };
  }
  desk.action(`${path}/scrub`, async ({ formToken }) => answer((await run(scrub, {})).left, formToken));
  return answer;
}
