import { html } from 'hono/html';
import type { PendingRequest } from '../../../model/oauth/pending-request.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { formatDuration } from '../format.ts';
import type { Html, Page } from '../page.ts';
import type { PublicProfile } from '../public/public-profile.ts';

/** What the pages of a request of a client show. */
export interface RequestPage {
  readonly pending: PendingRequest;
  readonly profile: PublicProfile;
  /** How long reads are kept, in seconds; null if they are not recorded. */
  readonly keepReads: number | null;
  readonly action: string;
  readonly privacyPath: string;
  readonly formToken: Html;
  readonly notice?: Html;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** The client by the name that it has chosen, which may be in another direction than the text around it. */
export const clientOf = ({ pending }: RequestPage): Html => html`<bdi>${toVisible(pending.clientName)}</bdi>`;

/** The candidate by name, if it is public. */
export const candidateOf = ({ profile }: RequestPage, unnamed = 'the candidate'): Html =>
  profile.name === undefined ? html`${unnamed}` : html`<bdi>${toVisible(profile.name)}</bdi>`;

/** How long the candidate sees what a client reads. */
export const keptFor = (keepReads: number): string => `for ${formatDuration(keepReads)}`;

/** Returns the page of a request, with whose profile it is about above its heading. */
export function toPage(
  shown: RequestPage,
  { title, heading, body }: { readonly title: string; readonly heading: Html; readonly body: Html },
): Page {
  const { profile, status = 200, headers = {}, notice = '' } = shown;
  const about = [profile.name, profile.title].filter((text) => text !== undefined);
  return {
    title,
    layout: 'visitor',
    status,
    headers,
    body: html`<main id="main" class="column request">
${about.length === 0 ? '' : html`<p class="small soft" dir="auto">${toVisible(about.join(', '))}</p>`}
<h1>${heading}</h1>
${notice}
${body}
</main>`,
  };
}
