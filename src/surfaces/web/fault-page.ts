import { html } from 'hono/html';
import type { Failure, FailureCode } from '../../model/failure.ts';
import { formatWait } from './format.ts';
import { columnPage, type Html, pageResponse, type Site, statusOf } from './page.ts';

interface Fault {
  readonly title: string;
  readonly advice: Html | string;
}

const faults: Partial<Record<FailureCode, Fault>> = {
  NOT_FOUND: {
    title: 'There is no page at this address',
    advice: 'What was here may have been removed, or the address may have been cut off when it was copied.',
  },
  RATE_LIMITED: {
    title: 'Too many requests',
    advice: 'There is a limit for each person and each network. Go back in a while, and send the form again.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'What you sent is too long',
    advice: 'Go back, shorten it, and send it again.',
  },
  UNAVAILABLE: {
    title: 'Nothing can be stored at the moment',
    advice: 'This is a fault of this site, not of yours. Nothing was sent. Go back, and try again in a few minutes.',
  },
};

/** The fault of a form from another site, or from this one under a name that is not its address. */
const notSameOrigin = ({ baseUrl }: Site): Fault => ({
  title: 'This was not sent from a page of this site',
  advice: html`For your safety, forms are accepted only from pages at <a href="${baseUrl}">${baseUrl}</a>. Open the page there, and send the form again.`,
});

const unforeseen: Fault = {
  title: 'Something went wrong',
  advice:
    'This is a fault of this site, not of yours. Go back, and try again; if it stays, write to the person who sent you here.',
};

const faultsOfLinks: Partial<Record<FailureCode, Fault>> = {
  NOT_FOUND: {
    title: 'This link has expired',
    advice:
      'Links to files work for a limited time, and only if they are copied whole. Open the profile to see what it offers now.',
  },
  RATE_LIMITED: {
    title: 'Too many downloads',
    advice: 'There is a limit for each network. Try again in a while.',
  },
};

interface FaultPageOptions {
  /** A message about what was done despite the fault. */
  readonly notice?: Html | undefined;
  /** Whether the page is for the owner, and links back to the desk. */
  readonly isAtDesk?: boolean;
}

/** Responds with a page that names the fault and gives advice. */
export function faultResponse(failure: Failure, site: Site, { notice, isAtDesk }: FaultPageOptions = {}) {
  if (failure.code === 'FORBIDDEN') return respond(notSameOrigin(site), html``, failure, site, { notice });
  const link = isAtDesk ? linkTo(site.path('/desk'), 'To your desk') : firstPageLink(site);
  return respond(faults[failure.code] ?? unforeseen, link, failure, site, { notice });
}

export const firstPageLink = (site: Site): Html => linkTo(site.path('/'), 'To the first page');

const linkTo = (path: string, words: string): Html => html`<p class="small"><a href="${path}">${words}</a></p>`;

/** Responds to a signed link whose file cannot be sent because the link expired or was altered, or the file is not offered. */
export const linkFaultResponse = (failure: Failure, site: Site): Promise<Response> =>
  respond(faultsOfLinks[failure.code] ?? unforeseen, toProfile(site), failure, site);

const toProfile = (site: Site): Html => html`<p><a class="button" href="${site.path('/')}">Open the profile</a></p>`;

export interface Unprinted {
  readonly failure: Failure;
  readonly isFaulty: boolean;
}

/** Responds to a link to an unprinted resume with a page that reloads itself. */
export function unprintedResponse({ failure, isFaulty }: Unprinted, site: Site): Promise<Response> {
  const seconds = failure.retryAfterSeconds!;
  const fault = isFaulty
    ? {
        title: 'The resume cannot be printed at the moment',
        advice: `This is a fault of this site, not of yours. It is tried again, and this page looks again in ${formatWait(seconds)}. Until then, you can read the profile.`,
      }
    : {
        title: 'The resume is being printed',
        advice: `It is printed anew after each change, which takes a moment. This page looks again in ${formatWait(seconds)}, and shows the resume as soon as it is there.`,
      };
  return respond(fault, toProfile(site), failure, site, { refreshSeconds: seconds });
}

const respond = (
  { title, advice }: Fault,
  link: Html,
  failure: Failure,
  site: Site,
  { notice, refreshSeconds }: { readonly notice?: Html | undefined; readonly refreshSeconds?: number } = {},
) => {
  const content = html`${notice ?? ''}
<p>${advice}</p>
${link}`;
  return pageResponse({ ...columnPage(title, content), ...statusOf(failure), refreshSeconds }, site);
};
