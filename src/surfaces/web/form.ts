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
  /** Charges a form that is not accepted to a network address; returns `RATE_LIMITED` if it has sent too many, otherwise null. */
  limitRefused(from: string | null): Failure | null;
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
 * the page was open for too long or the session has ended, and then nothing may be done but to show the form again; that is charged
 * to `from`, the network address, and throws `RATE_LIMITED` if it was too often. The fields are without the token.
 */
export async function readForm(
  request: Request,
  guard: FormGuard,
  session: string,
  from: string | null,
): Promise<{ readonly fields: URLSearchParams; readonly isFresh: boolean }> {
  if (!isSameOrigin(request, guard.policy)) throw new Failure('FORBIDDEN', 'This form was sent from another site.');
  const body = new TextDecoder().decode(await readBytes(request, form));
  if (body.split('&', maxFields + 1).length > maxFields) throw new Failure('PAYLOAD_TOO_LARGE');
  const fields = new URLSearchParams(body);
  const isFresh = guard.tokens.isValid(fields.get(fieldName) ?? '', session);
  if (!isFresh) refuseForm(guard, from);
  fields.delete(fieldName);
  return { fields, isFresh };
}

/** Charges a form that is shown again to a network address. Throws `RATE_LIMITED` if it has sent too many of them. */
export function refuseForm({ limitRefused }: FormGuard, from: string | null): void {
  const failure = limitRefused(from);
  if (failure !== null) throw failure;
}

/** Returns what a page shows again of a field: at most so many characters. */
export const cutField = (text: string, limit: number): string =>
  text.length <= limit ? text : [...text.slice(0, 2 * limit)].slice(0, limit).join('');

function isSameOrigin(request: Request, policy: HostPolicy): boolean {
  const url = new URL(request.url);
  if (!acceptsHost(policy, url)) return false;
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return URL.canParse(origin ?? '') && (new URL(origin!).host === url.host || policy.origins.includes(origin!));
}
