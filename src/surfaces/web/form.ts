import { html } from 'hono/html';
import { Failure } from '../../model/failure.ts';
import { acceptsHost, type HostPolicy, readBytes } from '../request.ts';
import { faultResponse } from './fault-page.ts';
import { capitalize } from './format.ts';
import { columnPage, type Html, pageResponse, type Site } from './page.ts';

/** The session of forms that open a session: for access, for clients, and for signing in. */
export const noSession = '';

export interface FormGuard {
  readonly policy: HostPolicy;
  /** Issues and verifies the tokens of forms; the session is its id, or `noSession`. */
  readonly tokens: { issue(session: string): string; isValid(text: string, session: string): boolean };
  /** Charges a refused form to a network address; returns `RATE_LIMITED` if it has sent too many, otherwise null. */
  limitRefused(from: string | null): Failure | null;
}

/**
 * The maximum number of characters of each field that is shown again; other fields are left out. A longer hidden field is left
 * out, too, because it does not come from our page.
 */
export type KeptFields = Readonly<Record<string, { readonly limit: number; readonly isHidden?: boolean }>>;

export interface FormLimits {
  readonly bytes: number;
  readonly fields: number;
}

/** How to handle a form that belongs to a session; without `sessionOf`, to none. */
interface FormRules<Session> {
  readonly site: Site;
  readonly guard: FormGuard;
  /** Returns the current session; null if it has ended. */
  sessionOf?(): Promise<Session | null>;
  /** The fields of a refused form that are shown again; without it, `refuse` responds. */
  readonly keptFields?: KeptFields;
  refuse?(session: Session | null): Promise<Response>;
  /** By default 256 KiB and 100 fields. */
  readonly limits?: FormLimits | undefined;
  /** Responds to a failure after the form was accepted; by default with a fault page. */
  explain?(failure: Failure, fields: URLSearchParams): Promise<Response>;
}

// A message of 10,000 characters may take 12 bytes each. A page has fewer fields.
const usualLimits: FormLimits = { bytes: 256 * 1024, fields: 100 };

export const tokenName = 'form_token';

/** Returns the hidden field with the token, which every form needs. */
export const formTokenField = ({ tokens }: FormGuard, session: string): Html =>
  hidden(tokenName, tokens.issue(session));

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/**
 * Handles a form from our page: `act` gets its fields, without the token, and the current session. Responds with 403 if another
 * site may have sent it (`Sec-Fetch-Site` must be `same-origin` or, without that header, the Origin ours), and with 413 above
 * the limits. If the page was open for too long or the session has ended, nothing is done, and the form is refused, or shown
 * again with the typed text. That is charged to `from`, the network address, and refused with 429 if it happens too often.
 */
export async function takeForm<Session extends { readonly id: string }>(
  request: Request,
  from: string | null,
  rules: FormRules<Session>,
  act: (fields: URLSearchParams, session: Session) => Promise<Response>,
): Promise<Response> {
  const { site, guard, sessionOf, keptFields, refuse, limits = usualLimits, explain } = rules;
  let accepted: URLSearchParams | null = null;
  try {
    if (refuse && (await sessionOf?.()) === null) return await refuse(null);
    const fields = await readFields(request, guard, limits);
    // It may have ended while the form was being received.
    const session = await sessionOf?.();
    const token = fields.get(tokenName) ?? '';
    fields.delete(tokenName);
    // A form token for no session is on pages that anybody may open.
    if (session !== null && guard.tokens.isValid(token, session?.id ?? noSession)) {
      accepted = fields;
      return await act(fields, session!);
    }
    chargeRefused(guard, from);
    return await (refuse ? refuse(session!) : shownAgain(request, fields, { site, guard, session, keptFields }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return accepted !== null && explain ? explain(error, accepted) : faultResponse(error, site);
  }
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

/** Whether a form was sent from our page. */
export function isSameOrigin(request: Request, policy: HostPolicy): boolean {
  const url = new URL(request.url);
  if (!acceptsHost(policy, url)) return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return URL.canParse(origin ?? '') && (new URL(origin!).host === url.host || policy.origins.includes(origin!));
}

interface ShownAgain extends Pick<FormRules<unknown>, 'site' | 'guard'> {
  readonly keptFields: KeptFields | undefined;
  /** Null if it has ended; undefined for forms that need none. */
  readonly session: { readonly id: string } | null | undefined;
}

/** Shows a form again, bound to the current session. */
function shownAgain(request: Request, fields: URLSearchParams, { site, guard, session, keptFields = {} }: ShownAgain) {
  const title = session === null ? 'You have been signed out' : 'Send this again';
  const content = html`<p>${adviceOf(site, session)}</p>
<form method="post" action="${site.path(new URL(request.url).pathname)}">
${formTokenField(guard, session?.id ?? noSession)}
${cutFields(fields, keptFields)}
<p><button>Send again</button></p>
</form>`;
  return pageResponse({ ...columnPage(title, content, ' sign-in'), status: 403 }, site);
}

function adviceOf(site: Site, session: ShownAgain['session']): Html | string {
  if (session === undefined)
    return 'Nothing was sent: the page was open for more than a day, or the form came incomplete. If this is still what you want, send it.';
  if (session === null)
    return html`Nothing was sent, and this page keeps what you typed. <a href="${site.path('/desk/sign-in')}" target="_blank">Sign in in another tab</a>, then come back and send it again.`;
  if (session.id === noSession)
    return 'Nothing was sent, because your access from this browser has ended. If this is still what you want, send it again: the next page keeps it, and opens the profile.';
  return 'Nothing was sent, because the page was opened before this session began, or more than a day ago. If this is still what you want, send it.';
}

const cutFields = (fields: URLSearchParams, keptFields: KeptFields): readonly Html[] =>
  Object.entries(keptFields).flatMap(([name, { limit, isHidden }], index) => {
    // Forms send every line break as two characters, but limits count one (HTML, form control value).
    const value = (fields.get(name) ?? '').replaceAll('\r\n', '\n');
    if (value === '' || (isHidden && value.length > limit)) return [];
    return [isHidden ? hidden(name, value) : toControl(name, cutField(value, limit), index)];
  });

const longestLine = 60;

/** Returns the attributes of a control with a fault, and the line above it; both are empty if `fault` is undefined. */
export const faultOf = (id: string, fault: string | undefined) => ({
  line: fault === undefined ? '' : html`<p class="bad small" id="${id}-fault">${fault}</p>`,
  attributes: fault === undefined ? '' : html` aria-invalid="true" aria-describedby="${id}-fault" autofocus`,
});

/** A control with a label, from the name and value of a field. */
function toControl(name: string, value: string, index: number): Html {
  const id = `kept-${index}`;
  const isLong = value.includes('\n') || value.length > longestLine;
  return html`<p><label for="${id}">${capitalize(name)}</label>
${
  isLong
    ? html`<textarea id="${id}" name="${name}" rows="8">\n${value}</textarea>` // HTML drops the first line break
    : html`<input id="${id}" name="${name}" value="${value}">`
}</p>`;
}
