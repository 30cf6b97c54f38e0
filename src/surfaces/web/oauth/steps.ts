import { longestAddress } from '../../../model/email-address.ts';
import { Failure } from '../../../model/failure.ts';
import type { PendingRequest } from '../../../model/oauth/pending-request.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { cutField } from '../form.ts';
import { redirectTo, type Site } from '../page.ts';
import { notSent, wrongAddress } from '../visitor/outcomes.ts';
import { codeNotSent, toOutcome, wrongDigits } from './code-page.ts';
import type { OauthPorts, Outcome } from './ports.ts';

interface Options extends OauthPorts {
  readonly site: Site;
  show(id: string, pending: PendingRequest, outcome?: Outcome): Promise<Response>;
}

/** A form of one of the pages, for a request that has not ended. */
interface SentForm {
  readonly request: Request;
  readonly id: string;
  readonly pending: PendingRequest;
  readonly fields: URLSearchParams;
  /** The network address of the visitor. */
  readonly from: string | null;
}

type Step = (form: SentForm) => Promise<Response>;

/** Returns what each button of the pages does, by the value of its field `step`. */
export function stepsOf({ site, server, grants, codes, show }: Options): Partial<Record<string, Step>> {
  const goOn = (id: string, query = '') => redirectTo(site.path(`/oauth/consent/${id}${query}`));

  /** Shows the page that `pending` leads to, with what it says of a failure. */
  function showFailure(error: unknown, id: string, pending: PendingRequest, say: (failure: Failure) => Outcome) {
    if (!(error instanceof Failure) || error.code === 'NOT_FOUND') throw error;
    const { status, retryAfterSeconds: seconds } = error;
    const headers = seconds === null ? {} : { 'retry-after': String(seconds) };
    return show(id, pending, { status, headers, ...say(error) });
  }

  return {
    async address({ request, id, pending, fields, from }) {
      const typed = fields.get('email') ?? '';
      try {
        const address = await grants.enterAddress(typed, from);
        // A form that is sent twice sends one code.
        if (address === pending.address) return goOn(id);
        await codes?.send({ id: pending.requestId, clientName: pending.clientName }, address, from);
        await server.keepAddress(request, id, address, false);
        return goOn(id);
      } catch (error) {
        return showFailure(error, id, { ...pending, address: null }, (failure) => ({
          typed: cutField(typed, longestAddress),
          ...(failure.code === 'BAD_REQUEST' ? { fault: wrongAddress } : { notice: notSent(failure) }),
        }));
      }
    },

    async code({ request, id, pending, fields, from }) {
      const { requestId, address, isVerified } = pending;
      if (codes === null || address === null || isVerified) return goOn(id);
      const code = toDigits(fields.get('code') ?? '');
      if (!/^\d{6}$/.test(code)) return show(id, pending, { fault: wrongDigits, status: 400 });
      const fault = await codes.confirm(requestId, address, code, from);
      if (fault !== null) return show(id, pending, { ...toOutcome(fault), status: 400 });
      await server.keepAddress(request, id, address, true);
      return goOn(id);
    },

    async new_code({ id, pending, from }) {
      const { requestId, clientName, address, isVerified } = pending;
      if (codes === null || address === null || isVerified) return goOn(id);
      try {
        await codes.send({ id: requestId, clientName }, address, from);
        return goOn(id, '?code=new');
      } catch (error) {
        return showFailure(error, id, pending, (failure) => ({ notice: codeNotSent(failure) }));
      }
    },

    async back({ request, id }) {
      await server.keepAddress(request, id, null, false);
      return goOn(id);
    },

    async allow({ request, id, pending, fields, from }) {
      const { address, isVerified } = pending;
      if (address === null || (codes !== null && !isVerified)) return goOn(id);
      // Another tab of this request may have typed another address since this one was shown.
      if (fields.get('address') !== address) return goOn(id);
      await grants.allow(toConsent(pending, address, server), from);
      return redirectTo(await server.finish(request, id, { address, id: pending.grantId }));
    },

    deny: async ({ request, id }) => redirectTo(await server.finish(request, id, null)),
  };
}

const toConsent = (
  { grantId, clientId, clientName, redirectUri, scopes, isForMcp, isVerified }: PendingRequest,
  subject: string,
  server: Pick<AuthorizationServer, 'grantExpiry'>,
) => ({
  id: grantId,
  subject,
  isVerified,
  clientId,
  clientName,
  redirectUri,
  scopes,
  isForMcp,
  expiresAt: server.grantExpiry(),
});

/** Returns the digits of a code as typed: in any width, in Arabic or Persian digits, in groups. */
const toDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[\s-]/g, '');
