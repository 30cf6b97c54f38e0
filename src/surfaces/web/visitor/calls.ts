import type { z } from 'zod';
import { openAccess } from '../../../operations/auth.ts';
import type { Call, Caller } from '../../../operations/call.ts';
import { createContact } from '../../../operations/contact.ts';
import { invoke } from '../../../operations/invoke.ts';
import { eraseMyReads, getMyReads } from '../../../operations/me.ts';
import type { Operation } from '../../../operations/operation.ts';
import { docxRead, pageRead, pdfRead } from '../../../operations/page.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Peer } from '../../request.ts';
import type { MessageDraft } from './message-form.ts';
import type { VisitorCaller } from './visitor-sessions.ts';

export type Calls = ReturnType<typeof callsOf>;

type Recording = Pick<Call, 'isRecorded'>;

/** Calls operations for the visitor's pages, with the same quotas as on every surface (ADR 13). */
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
    issue: (email: string, peer: Peer) => call(openAccess, { kind: 'anonymous', token: null, ...peer }, { email }),
    readPage: (visitor: VisitorCaller, recording: Recording) => call(pageRead, visitor, {}, recording),
    linkToPdf: (visitor: VisitorCaller, recording: Recording) => call(pdfRead, visitor, {}, recording),
    readDocx: (visitor: VisitorCaller, recording: Recording) => call(docxRead, visitor, {}, recording),
    readsOf: (visitor: VisitorCaller) => call(getMyReads, visitor, {}),
    eraseReads: (visitor: VisitorCaller) => call(eraseMyReads, visitor, {}),
    send: (visitor: VisitorCaller, draft: MessageDraft, idempotencyKey: string) =>
      call(createContact, visitor, draft, { idempotencyKey }),
  };
}
