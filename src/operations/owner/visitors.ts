import { z } from 'zod';
import type { AuditEntry } from '../../model/log-entry.ts';
import { failures, findContact, toRecord } from './contacts.ts';
import { noun, ownerOperation } from './operation.ts';
import type { ErasedRows, OwnerServices, OwnerStore } from './services.ts';

const Visitor = z.object({ email: z.string() });
type Traces = Awaited<ReturnType<OwnerStore['visitors']['traces']>>;

export const exportVisitor = ownerOperation({
  kind: 'owner',
  name: 'export_visitor',
  summary: 'All that is kept of a visitor, except what repeats it: notices and idempotency keys.',
  input: Visitor,
  output: noun<Traces & { readonly contacts: readonly unknown[] }>(),
  audits: ['contacts_exported'],
  async handle({ email }, { store, audit }: OwnerServices) {
    const contacts = await store.contacts.list(email);
    const traces = await store.visitors.traces(email);
    audit({ event: 'contacts_exported', detail: String(contacts.length), subject: email });
    return { contacts: contacts.map(toRecord), ...traces };
  },
});

const Counts = z.object({
  contacts: z.int(),
  /** The tokens that have not expired if they are counted, all of them if they are erased. */
  tokens: z.int(),
  grants: z.int(),
  reads: z.int(),
  notes: z.int(),
});

export const countVisitor = ownerOperation({
  kind: 'owner',
  name: 'count_visitor',
  summary: 'How much is kept of a visitor.',
  input: Visitor,
  output: Counts,
  async handle({ email }, { store, now }: OwnerServices) {
    const contacts = await store.contacts.list(email);
    const { tokens, grants, reads, notes } = await store.visitors.traces(email);
    const at = now().toISOString();
    return {
      contacts: contacts.length,
      tokens: tokens.filter(({ expires_at }) => expires_at > at).length,
      grants: grants.length,
      reads: reads.length,
      notes: notes.length,
    };
  },
});

/** How much was erased. `left` says why bytes of it are left in the files of the database, from which its rows are gone; null if none are. */
const Erased = Counts.extend({ files: z.int(), left: z.string().nullable() });

async function eraseBytes({ mails, ...counts }: ErasedRows, entry: AuditEntry, services: OwnerServices) {
  const files = await services.removeMailFiles(mails);
  services.audit(entry);
  const left = await services.scrub();
  await services.removeMailFiles(mails); // a file may have been written since
  return { ...counts, files, left };
}

export const eraseVisitor = ownerOperation({
  kind: 'owner',
  name: 'erase_visitor',
  summary: 'Erases all that a visitor has caused, whichever way the address is spelled, and ends their tokens.',
  input: Visitor,
  output: Erased,
  audits: ['visitor_erased'],
  async handle({ email }, services: OwnerServices) {
    // First of all: from then on nothing can be added with a token that the visitor still has.
    await services.tokens.revoke({ kind: 'subject', subject: email });
    const erased = await services.store.visitors.erase(email);
    return eraseBytes(erased, { event: 'visitor_erased', subject: email }, services);
  },
});

export const eraseContact = ownerOperation({
  kind: 'owner',
  name: 'erase_contact',
  summary: 'Erases one contact request and its notice.',
  input: z.object({ id: z.string() }),
  output: Erased,
  failures,
  audits: ['contact_erased'],
  async handle({ id }, services: OwnerServices) {
    const { email } = await findContact(id, services);
    return eraseBytes(
      await services.store.visitors.eraseContact(id),
      { event: 'contact_erased', subject: email },
      services,
    );
  },
});

export const scrub = ownerOperation({
  kind: 'owner',
  name: 'scrub',
  summary: 'Rewrites the database again if bytes of what was erased were left in its files.',
  input: z.object({}),
  output: Erased.pick({ left: true }),
  handle: async (_input, services: OwnerServices) => ({ left: await services.scrub() }),
});
