import type { z } from 'zod';
import { openAccess } from '../../../operations/auth.ts';
import type { Call, Caller } from '../../../operations/call.ts';
import { createContact } from '../../../operations/contact.ts';
import { invoke } from '../../../operations/invoke.ts';
import { eraseMyReads, getMyReads } from '../../../operations/me.ts';
import type { Operation } from '../../../operations/operation.ts';
import { docxRead, pageRead, pdfRead } from '../../../operations/page.ts';
import type { Services } from '../../../operations/ports.ts';
import { limitRead } from '../../../operations/quotas.ts';
import type { Peer } from '../../request.ts';
import type { MessageDraft } from './message-form.ts';
import type { VisitorCaller } from './visitor-sessions.ts';

export type Calls = ReturnType<typeof callsOf>;

/** The calls of operations by the visitor's pages, with the same quotas as on every surface (ADR 13). */
export function callsOf(services: Services) {
  const call = async <Each extends Operation>(
    operation: Each,
    caller: Caller,
    input: z.input<Each['input']>,
    options: Pick<Call, 'idempotencyKey' | 'isRecorded'> = {},
  ): Promise<z.output<Each['output']>> => {
    const { data } = await invoke(operation, { surface: 'web', caller, input: () => input, ...options }, services);
    return data as z.output<Each['output']>;
  };

  return {
    /** Returns the visitor of a token; null if it is not valid, or one of a client, which may open less. */
    async visitorOf(text: string, peer: Peer): Promise<VisitorCaller | null> {
      const token = await services.tokens.verify(text);
      if (token !== null && token.access === undefined) return { kind: 'visitor', token, ...peer };
      services.audit({ event: 'token_refused', from: peer.address });
      return null;
    },

    /** Stores a token for an address. Throws `BAD_REQUEST`, `RATE_LIMITED` or `UNAVAILABLE`. */
    async issue(email: string, peer: Peer): Promise<VisitorCaller> {
      const token = await call(openAccess, { kind: 'anonymous', token: null, ...peer }, { email });
      return { kind: 'visitor', token, ...peer };
    },

    /** Charges a session that is opened, or a draft that it keeps, as a read, because each is stored. Throws `RATE_LIMITED`. */
    chargeSession(visitor: VisitorCaller): void {
      const failure = limitRead(pageRead.name, visitor, services);
      if (failure !== null) throw failure;
    },

    /** Charges the page as one read, and records it if the page is opened. Throws `RATE_LIMITED`. */
    readPage: (visitor: VisitorCaller, { isOpened }: { readonly isOpened: boolean }) =>
      call(pageRead, visitor, {}, { isRecorded: isOpened }),

    /** Returns the link to the PDF, and records that it is followed. Throws `RATE_LIMITED`, or `UNAVAILABLE` without a PDF. */
    pdfUrl: async (visitor: VisitorCaller, { isOpened }: { readonly isOpened: boolean }): Promise<string> =>
      (await call(pdfRead, visitor, {}, { isRecorded: isOpened })).url,

    /** Charges and records that the link to the resume for Word is followed. Throws `RATE_LIMITED`. */
    readDocx: (visitor: VisitorCaller, { isOpened }: { readonly isOpened: boolean }) =>
      call(docxRead, visitor, {}, { isRecorded: isOpened }),

    readsOf: (visitor: VisitorCaller) => call(getMyReads, visitor, {}),

    eraseReads: (visitor: VisitorCaller) => call(eraseMyReads, visitor, {}),

    /** Sends a message, and returns its id; a form that is sent twice is stored once. Throws what the operation throws. */
    async send(visitor: VisitorCaller, draft: MessageDraft, form: string): Promise<string> {
      // With the message, because visitors go back and write another one in the same form.
      const idempotencyKey = services.hash(`${form} ${JSON.stringify(draft)}`);
      return (await call(createContact, visitor, draft, { idempotencyKey })).id;
    },
  };
}
