import { html } from 'hono/html';
import { Failure } from '../../model/failure.ts';
import { acceptsHost, type HostPolicy } from '../host-policy.ts';
import { readBytes } from '../request-body.ts';
import type { Html } from './page.ts';

/** Issues and verifies the tokens of forms; the session is the id of the owner's, or `noSession`. */
export interface FormTokens {
  issue(session: string): string;
  isValid(text: string, session: string): boolean;
}

/** What the forms of visitors, and those for signing in, have in place of a session. */
export const noSession = '';

/** What the forms of pages are guarded with. */
export interface FormGuard {
  readonly policy: HostPolicy;
  readonly tokens: FormTokens;
}

// A message of 10,000 characters may take 12 bytes each.
const form = { type: 'application/x-www-form-urlencoded', limitBytes: 256 * 1024 };

// More than a page of ours has. The page that shows a form again would repeat each, and 256 KiB hold 131,072.
const maxFields = 100;

const fieldName = 'form_token';

/** Returns the hidden field with the token, which every form needs. */
export const formTokenField = ({ tokens }: FormGuard, session: string): Html =>
  html`<input type="hidden" name="${fieldName}" value="${tokens.issue(session)}">`;

/**
 * Reads the form of a page of ours. Throws `FORBIDDEN` if another site may have sent it: `Sec-Fetch-Site` must be `same-origin`
 * or, without that header, the Origin must be ours. Throws `PAYLOAD_TOO_LARGE` above 256 KiB or 100 fields. `isFresh` is false if
 * the page was open for too long or the session has ended, and then nothing may be done but to show the form again. The fields are
 * without the token.
 */
export async function readForm(
  request: Request,
  { policy, tokens }: FormGuard,
  session: string,
): Promise<{ readonly fields: URLSearchParams; readonly isFresh: boolean }> {
  if (!isSameOrigin(request, policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const body = new TextDecoder().decode(await readBytes(request, form));
  if (body.split('&', maxFields + 1).length > maxFields) throw new Failure('PAYLOAD_TOO_LARGE');
  const fields = new URLSearchParams(body);
  const token = fields.get(fieldName) ?? '';
  fields.delete(fieldName);
  return { fields, isFresh: tokens.isValid(token, session) };
}

function isSameOrigin(request: Request, policy: HostPolicy): boolean {
  const url = new URL(request.url);
  if (!acceptsHost(policy, url)) return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return URL.canParse(origin ?? '') && (new URL(origin!).host === url.host || policy.origins.includes(origin!));
}
