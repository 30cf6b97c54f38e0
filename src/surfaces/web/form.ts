import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { Failure } from '../../model/failure.ts';
import { acceptsHost, type HostPolicy, readBytes } from '../request.ts';
import { faultResponse } from './fault-page.ts';
import { capitalize } from './format.ts';
import { type Html, pageResponse, type Site } from './page.ts';
import { cookieOf } from './session-cookie.ts';

/** Issues and verifies the tokens of forms; the session is its id, or `noSession`. */
interface FormTokens {
  issue(session: string): string;
  isValid(text: string, session: string): boolean;
}

/** The session of forms that open one: those for access, of clients, and for signing in. */
export const noSession = '';

/** The checks of the forms of pages. */
export interface FormGuard {
  readonly policy: HostPolicy;
  readonly tokens: FormTokens;
  /** Charges a refused form to a network address; returns `RATE_LIMITED` if it has sent too many, otherwise null. */
  limitRefused(from: string | null): Failure | null;
}

/**
 * The number of characters of each field that are shown again; other fields are left out. So is a hidden field that is
 * longer, because it is not from a page of ours.
 */
export type KeptFields = Readonly<Record<string, { readonly limit: number; readonly isHidden?: boolean }>>;

/** How large a form may be. */
export interface FormLimits {
  readonly bytes: number;
  readonly fields: number;
}

/** How a form is taken. */
export interface FormRules {
  readonly site: Site;
  readonly guard: FormGuard;
  /** The session that the form belongs to, null if it has ended; absent for forms that need none. */
  readonly session?: { readonly id: string } | null;
  /** All fields, as they were sent, if it is absent. */
  readonly kept?: KeptFields;
  /** 256 KiB and 100 fields if it is absent. Without the session that the form belongs to, 256 KiB and 2,000 at most. */
  readonly limits?: FormLimits | undefined;
  /** The label of a field on a page that shows it again; its name with a capital letter if it is absent. */
  readonly nameInWords?: (name: string) => string;
  /** Responds to a failure after the form was accepted; a fault page does if it is absent. */
  explain?(failure: Failure, fields: URLSearchParams): Promise<Response>;
}

// A message of 10,000 characters may take 12 bytes each. A page has fewer fields; the page that shows a form again would
// repeat each, and 256 KiB hold 131,072.
const usualLimits: FormLimits = { bytes: 256 * 1024, fields: 100 };

/** Anybody can send a form without a session, and the page that shows it again is several times as large. */
const limitsWithout = ({ fields }: FormLimits): FormLimits => ({
  bytes: usualLimits.bytes,
  fields: Math.min(fields, 2_000),
});

/** The name of the field with the token. */
export const tokenName = 'form_token';

/** Returns the hidden field with the token, which every form needs. */
export const formTokenField = ({ tokens }: FormGuard, session: string): Html =>
  hidden(tokenName, tokens.issue(session));

/** A hidden field of a form. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** How a form is taken that belongs to a session, or to none without `sessionOf`. */
type TakingRules<Session> = Omit<FormRules, 'session'> & {
  /** Returns the session as it is now; null if it has ended. */
  sessionOf?(): Promise<Session | null>;
};

/**
 * Takes the form of a page of ours: `act` gets its fields, without the token, and the session as it is once they have
 * arrived. Refused with 403 if another site may have sent it (`Sec-Fetch-Site` must be `same-origin` or, without that
 * header, the Origin ours), and with 413 above the limits. If the page was open for too long or the session has ended,
 * nothing is done, and the form is shown again with what was typed. That is charged to `from`, the network address, and
 * refused with 429 if it was too often.
 */
export async function takeForm<Session extends { readonly id: string }>(
  request: Request,
  from: string | null,
  { sessionOf, ...rules }: TakingRules<Session>,
  act: (fields: URLSearchParams, session: Session) => Promise<Response>,
): Promise<Response> {
  const { site, guard, limits = usualLimits, explain } = rules;
  let session = await sessionOf?.();
  let accepted: URLSearchParams | null = null;
  try {
    const fields = await readFields(request, guard, session === null ? limitsWithout(limits) : limits);
    // It may have ended while the form was being received.
    session = await sessionOf?.();
    const token = fields.get(tokenName) ?? '';
    fields.delete(tokenName);
    const now = session === undefined ? rules : { ...rules, session };
    if (isAccepted(token, request, now)) {
      accepted = fields;
      return await act(fields, session!);
    }
    chargeRefused(guard, from);
    return await keptFormResponse(request, fields, now);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (accepted !== null && explain) return explain(error, accepted);
    return session === null && error.code === 'PAYLOAD_TOO_LARGE'
      ? unkeptFormResponse(site)
      : faultResponse(error, site);
  }
}

function isAccepted(token: string, request: Request, { site, guard: { tokens }, session }: FormRules): boolean {
  // A form token for no session is on pages that anybody may open.
  if (session === null) return false;
  if (tokens.isValid(token, session?.id ?? noSession)) return true;
  const browser = keptIn(request, site);
  return session !== undefined && browser !== null && tokens.isValid(token, browser);
}

/** The cookie of a browser in which a form is kept while its owner signs in. */
const keptCookieOf = ({ baseUrl }: Site) => cookieOf(baseUrl, 'kept');

/** Returns the session of form tokens for the browser of a request alone; null if it does not have the cookie. */
function keptIn(request: Request, site: Site): string | null {
  const secret = keptCookieOf(site).read(request);
  return /^[\da-f-]{36}$/.test(secret) ? `kept ${secret}` : null;
}

/** Charges a form that is shown again to a network address. Throws `RATE_LIMITED` if it has sent too many of them. */
export function chargeRefused({ limitRefused }: FormGuard, from: string | null): void {
  const failure = limitRefused(from);
  if (failure !== null) throw failure;
}

/** Returns the beginning of a field's text, for a page that shows it again. */
export const cutField = (text: string, limit: number): string =>
  text.length <= limit ? text : [...text.slice(0, 2 * limit)].slice(0, limit).join('');

async function readFields(request: Request, { policy }: FormGuard, limits: FormLimits): Promise<URLSearchParams> {
  if (!isSameOrigin(request, policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const rules = { type: 'application/x-www-form-urlencoded', limitBytes: limits.bytes };
  const body = new TextDecoder().decode(await readBytes(request, rules));
  if (body.split('&', limits.fields + 1).length > limits.fields) throw new Failure('PAYLOAD_TOO_LARGE');
  return new URLSearchParams(body);
}

/** Whether a form comes from a page of ours. */
export function isSameOrigin(request: Request, policy: HostPolicy): boolean {
  const url = new URL(request.url);
  if (!acceptsHost(policy, url)) return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return URL.canParse(origin ?? '') && (new URL(origin!).host === url.host || policy.origins.includes(origin!));
}

/** How a form with a file is shown again. */
export interface WithoutFile extends Pick<FormRules, 'nameInWords'> {
  /** The path that takes the form without its file, which is not kept. */
  readonly pathWithoutFile: string;
}

/** Shows a form again. If nobody is signed in, its token is for this browser, which can send it after signing in. */
export function keptFormResponse(
  request: Request,
  fields: URLSearchParams,
  rules: FormRules & Partial<WithoutFile>,
): Promise<Response> {
  const { site, guard, session, kept, nameInWords, pathWithoutFile } = rules;
  const title = session === null ? signedOutTitle : 'Send this again';
  const known = keptIn(request, site);
  const secret = session === null && known === null ? crypto.randomUUID() : null;
  const tokenFor = session === null ? (known ?? `kept ${secret}`) : (session?.id ?? noSession);
  return pageResponse(
    {
      title,
      layout: 'visitor',
      status: 403,
      ...(secret !== null && { headers: { 'set-cookie': keptCookieOf(site).write(secret) } }),
      body: html`<main id="main" class="column sign-in">
<h1>${title}</h1>
<p>${adviceOf(site, session)}${pathWithoutFile === undefined ? '' : ' A file that you chose is not kept: choose it again afterwards.'}</p>
<form method="post" action="${site.path(pathWithoutFile ?? new URL(request.url).pathname)}">
${formTokenField(guard, tokenFor)}
${kept === undefined ? keptControls(fields, nameInWords) : cutFields(fields, kept)}
${sendAgain(fields)}
</form>
</main>`,
    },
    site,
  );
}

const buttonWords = new Map([
  ['draft', 'Save as draft'],
  ['publish', 'Publish'],
]);

/** The button of a form that is shown again, called as the one that sent it if that was one of several. */
export const sendAgain = (fields: URLSearchParams): Html =>
  html`<p><button>${buttonWords.get(fields.get('do') ?? '') ?? 'Send again'}</button></p>`;

/** Responds to a form that is too large to be shown again while nobody is signed in. */
const unkeptFormResponse = (site: Site): Promise<Response> =>
  pageResponse(
    {
      title: signedOutTitle,
      layout: 'visitor',
      status: 413,
      body: html`<main id="main" class="column sign-in">
<h1>${signedOutTitle}</h1>
<p>Nothing was changed, and what you sent is too long for this page to keep. ${signInLink(site)}, then reload this page: your browser sends it again.</p>
</main>`,
    },
    site,
  );

const signedOutTitle = 'You have been signed out';

const signInLink = (site: Site): Html =>
  html`<a href="${site.path('/desk/sign-in')}" target="_blank">Sign in in another tab</a>`;

function adviceOf(site: Site, session: FormRules['session']): Html | string {
  if (session === undefined)
    return 'Nothing was sent: the page was open for more than a day, or the form came incomplete. If this is still what you want, send it.';
  if (session === null)
    return html`Nothing was changed, and this page keeps what you sent. ${signInLink(site)}, then come back and send it again.`;
  if (session.id === noSession)
    return 'Nothing was sent, because your access from this browser has ended. If this is still what you want, send it again: the next page keeps it, and opens the profile.';
  return 'Nothing was changed, because the page was opened before this session began, or more than a day ago. If this is still what you want, send it.';
}

const cutFields = (fields: URLSearchParams, kept: KeptFields): readonly Html[] =>
  Object.entries(kept).flatMap(([name, { limit, isHidden }], index) => {
    // Forms send every line break as two characters, but limits count one (HTML, form control value).
    const value = (fields.get(name) ?? '').replaceAll('\r\n', '\n');
    if (value === '' || (isHidden && value.length > limit)) return [];
    return [isHidden ? hidden(name, value) : toControl([name, cutField(value, limit)], index)];
  });

/** The names of fields that a page fills in itself, so that nobody typed or chose them. */
const madeByPages = ['key', 'revision', 'begun', 'draft', 'draft_revision', 'do'];

/** Whether a page fills in a field itself: in forms of the profile, those of the entries of lists, of boxes, and of a removed entry. */
const isMadeByPage = (name: string): boolean => madeByPages.includes(name) || /([#@~]|\.in)$|^removed:/.test(name);

/** The fields of a form as controls, for a page that shows it again; but for the token. */
export const keptControls = (fields: URLSearchParams, nameInWords?: FormRules['nameInWords']): readonly Html[] =>
  [...fields].map(([name, value], index) =>
    isMadeByPage(name) ? hidden(name, value) : toControl([name, value], index, nameInWords),
  );

const longestLine = 60;

/** Returns the attributes of a control with a fault, and the line above it; both are empty if `fault` is. */
export const faultOf = (id: string, fault: string | undefined) => ({
  line: fault === undefined ? '' : html`<p class="bad small" id="${id}-fault">${fault}</p>`,
  attributes: fault === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-fault" autofocus`,
});

/** A control with a label, from the name and value of a field. */
function toControl(
  [name, value]: readonly [string, string],
  index: number,
  nameInWords = (name: string) => name.replaceAll('_', ' '),
): Html {
  const id = `kept-${index}`;
  const isLong = value.includes('\n') || value.length > longestLine;
  return html`<p><label for="${id}">${capitalize(toVisible(nameInWords(name)))}</label>
${
  isLong
    ? html`<textarea id="${id}" name="${name}" rows="8">\n${value}</textarea>` // HTML drops the first line break
    : html`<input id="${id}" name="${name}" value="${value}">`
}</p>`;
}
