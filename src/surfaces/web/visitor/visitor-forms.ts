import type { Context, Hono } from 'hono';
import { contactLimits } from '../../../model/contact.ts';
import { Failure } from '../../../model/failure.ts';
import { toVisible } from '../../../model/text.ts';
import { type Connection, type Peer, peerOf } from '../../request.ts';
import { faultResponse } from '../fault-page.ts';
import { chargeRefused, type FormGuard, type KeptFields, takeForm } from '../form.ts';
import { formatWait } from '../format.ts';
import { type Site, statusMessage } from '../page.ts';
import type { Calls, Visitor } from './calls.ts';
import type { Landing } from './landing.ts';
import { draftOf, isTyped } from './profile-page.ts';

interface Sent {
  readonly fields: URLSearchParams;
  readonly peer: Peer;
}

interface Options {
  readonly http: Hono<{ Bindings: Connection }>;
  readonly site: Site;
  readonly guard: FormGuard;
  readonly calls: Calls;
  /** Responds with the first page, which keeps the typed fields. */
  showLanding(fields: URLSearchParams, state: Partial<Landing>): Promise<Response>;
}

/** A longer token is not valid. */
const maxTokenLength = 4_096;

/** The length of the keys that forms are given. */
export const maxKeyLength = 32;

const kept: KeptFields = {
  name: { limit: contactLimits.name },
  company: { limit: contactLimits.company },
  email: { limit: contactLimits.email },
  message: { limit: contactLimits.message },
  token: { limit: maxTokenLength, isHidden: true },
  idempotency_key: { limit: maxKeyLength, isHidden: true },
};

/** Returns the token of a form, to be shown again; none if it cannot be one. */
function tokenOf(fields: URLSearchParams): { readonly token?: string } {
  const token = fields.get('token') ?? '';
  return token === '' || token.length > maxTokenLength ? {} : { token };
}

/** Routes the forms of visitors. A refused form is answered with the first page, which keeps the typed fields. */
export function visitorFormsOf({ http, site, guard, calls, showLanding }: Options) {
  /** Handles a form of ours. */
  function onForm(path: string, respond: (sent: Sent) => Promise<Response>): void {
    http.post(path, ({ req, env }: Context<{ Bindings: Connection }>) => {
      const explain = async (failure: Failure, fields: URLSearchParams) => {
        const isShownTooOften = failure.code === 'RATE_LIMITED' && guard.limitRefused(env.address) !== null;
        return isShownTooOften ? faultResponse(failure, site) : showFailure(failure, fields);
      };
      return takeForm(req.raw, env.address, { site, guard, kept, explain }, (fields) =>
        respond({ fields, peer: peerOf(req.raw, env) }),
      );
    });
  }

  async function showFailure(failure: Failure, fields: URLSearchParams): Promise<Response> {
    const { code, status, retryAfterSeconds } = failure;
    const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
    if (code === 'BAD_REQUEST') return showLanding(fields, { fault: wrongAddress, status });
    if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE')
      return showLanding(fields, { notice: notSent(failure), status, headers, ...tokenOf(fields) });
    return faultResponse(failure, site);
  }

  return {
    onForm,

    /** Handles a form that holds the visitor's token. */
    onVisitorsForm: (
      path: string,
      respond: (sent: Sent & { token: string; visitor: Visitor }) => Promise<Response>,
    ): void =>
      onForm(path, async ({ fields, peer }) => {
        // Pasted, perhaps with the scheme in front of it.
        const token = (fields.get('token') ?? '').trim().replace(/^bearer +/i, '');
        const visitor = await calls.visitorOf(token, peer);
        if (visitor === null) {
          chargeRefused(guard, peer.address);
          return showLanding(fields, { notice: accessEnded(isTyped(draftOf(fields))), status: 401 });
        }
        return await respond({ fields, peer, token, visitor });
      }),

    /** Returns a handler of failures after a completed action: the first page, if no read is left to show more. */
    orShowLanding: (fields: URLSearchParams, state: Partial<Landing>) => (failure: unknown) => {
      if (!(failure instanceof Failure)) throw failure;
      return showLanding(fields, state);
    },
  };
}

// The messages of pages for visitors about the form that was sent.

export const wrongAddress = 'Enter one e-mail address, such as ada@example.com.';

export function notSent({ code, message, retryAfterSeconds: seconds }: Failure) {
  const isLimit = code === 'RATE_LIMITED' && seconds !== null;
  const reason = isLimit ? `There were too many requests. Try again in ${formatWait(seconds)}.` : message;
  return statusMessage('bad', `Nothing was sent. ${reason}`);
}
export const notYetSent = statusMessage(
  'attention',
  'Your message is not sent yet: it waits below for you to send it.',
);
export const sent = (email: string) =>
  statusMessage('good', `Your message was sent. The answer will come to ${toVisible(email)}.`);
export const recordErased = statusMessage('good', 'The record was erased.');
const accessEnded = (hasMessage: boolean) =>
  statusMessage(
    'attention',
    `This token is not valid: it has expired, was revoked, or was copied in part. Get access again${
      hasMessage ? '; your message is kept' : ''
    }.`,
  );
