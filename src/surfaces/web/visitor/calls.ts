import type { z } from 'zod';
import { Failure } from '../../../model/failure.ts';
import { Project } from '../../../model/profile/profile.ts';
import { createAuthToken } from '../../../operations/auth.ts';
import { getBackground } from '../../../operations/background.ts';
import type { Caller } from '../../../operations/call.ts';
import { getCandidate } from '../../../operations/candidate.ts';
import { createContact, getAvailability } from '../../../operations/contact.ts';
import { listExperience } from '../../../operations/experience.ts';
import { invoke } from '../../../operations/invoke.ts';
import { eraseMyReads, getMyReads } from '../../../operations/me.ts';
import { isOffered, type Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import { listProjects } from '../../../operations/projects.ts';
import { limitRead } from '../../../operations/quotas.ts';
import { getResume } from '../../../operations/resume.ts';
import type { Peer } from '../../request.ts';
import type { MessageDraft } from './profile-page.ts';
import type { ShownProfile } from './resume.ts';

/** A visitor with a token that is valid. */
export type Visitor = Caller & { readonly token: NonNullable<Caller['token']> };

export type Calls = ReturnType<typeof callsOf>;

/** The calls of operations by the visitor's pages, with the same quotas and records as on every surface (ADR 13). */
export function callsOf(services: Services) {
  const call = async <Each extends Operation>(
    operation: Each,
    caller: Caller,
    input: z.input<Each['input']>,
    options: { quotaFailure?: null; idempotencyKey?: string | null } = {},
  ): Promise<z.output<Each['output']>> => {
    const { data } = await invoke(operation, { surface: 'web', caller, input: () => input, ...options }, services);
    return data as z.output<Each['output']>;
  };

  return {
    /** Issues a token for an address. Throws `BAD_REQUEST`, `RATE_LIMITED` or `UNAVAILABLE`. */
    async issue(email: string, peer: Peer): Promise<string> {
      const { access_token: token } = await call(
        createAuthToken,
        { kind: 'anonymous', token: null, ...peer },
        { email },
      );
      return token;
    },

    /** Returns the visitor of a token; null if it is not valid. */
    async visitorOf(text: string, peer: Peer): Promise<Visitor | null> {
      const token = await services.tokens.verify(text);
      if (token !== null) return { kind: 'visitor', token, ...peer };
      services.audit({ event: 'token_refused', from: peer.address });
      return null;
    },

    /** Reads the content of the page, and charges it as one read. Throws `RATE_LIMITED`. */
    async readProfile(visitor: Visitor): Promise<ShownProfile> {
      const refusal = limitRead('page', visitor, services);
      if (refusal !== null) throw refusal;
      const charged = { quotaFailure: null };
      const [candidate, experience, availability, resume, background] = await Promise.all([
        call(getCandidate, visitor, {}, charged),
        call(listExperience, visitor, {}, charged),
        call(getAvailability, visitor, {}, charged),
        call(getResume, visitor, { format: 'json' }, charged),
        isOffered(getBackground, services) ? call(getBackground, visitor, {}, charged) : {},
        call(listProjects, visitor, {}, charged),
      ]);
      // With tags and links, which the list lacks, but without fields that are printed only.
      const projects = services.edition().profile.projects.map((project) => Project.parse(project));
      const skills = 'skills' in resume ? resume.skills : [];
      return { candidate, experience, availability, projects, skills, background };
    },

    /** Returns the link to the PDF. Throws `RATE_LIMITED`. */
    async pdfUrl(visitor: Visitor): Promise<string> {
      const link = await call(getResume, visitor, { format: 'pdf' });
      if (!('url' in link)) throw new Failure('INTERNAL_ERROR');
      return link.url;
    },

    readsOf: (visitor: Visitor) => call(getMyReads, visitor, {}),

    eraseReads: (visitor: Visitor) => call(eraseMyReads, visitor, {}),

    /** Sends a message; the same one from the same form is stored once. Throws as the operation. */
    async send(visitor: Visitor, draft: MessageDraft, form: string): Promise<void> {
      // With the message, because visitors go back and write another one in the same form.
      const idempotencyKey = services.hash(`${form} ${JSON.stringify(draft)}`);
      await call(createContact, visitor, draft, { idempotencyKey });
    },
  };
}
