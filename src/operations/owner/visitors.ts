import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import type { AuditEntry } from '../../model/log-entry.ts';
import { byAddress, isSameVisitor, Visitor, visitorKeyOf } from '../../model/visitor.ts';
import { findContact, toRecord, visitorsIn } from './contacts.ts';
import { linkNamesOf } from './link-names.ts';
import { ownerOperation } from './operation.ts';
import { NamedVisitor, visitorOf } from './readers.ts';
import type { OwnerServices } from './services.ts';

export const exportVisitor = ownerOperation({
  name: 'export_visitor',
  summary: 'All that is kept of a visitor, except what repeats it: notices and idempotency keys.',
  input: z.object({ visitor: Visitor }),
  audits: ['contacts_exported'],
  async handle({ visitor }, services: OwnerServices) {
    const { store, audit } = services;
    const { ofContact } = await linkNamesOf(services);
    const contacts = await store.contacts.list(visitor);
    const traces = await store.visitors.traces(visitor);
    audit({ event: 'contacts_exported', detail: String(contacts.length), subject: visitor });
    return { contacts: contacts.map(ofContact).map(toRecord), ...traces };
  },
});

export const countVisitor = ownerOperation({
  name: 'count_visitor',
  summary: 'How much is kept of a visitor, with the tokens that have not expired.',
  input: z.object({ visitor: Visitor }),
  async handle({ visitor }, { store, now }: OwnerServices) {
    const tokens = await store.tokens.listUnexpired(now(), { canonical_subject: visitorKeyOf(visitor) });
    return { ...(await store.visitors.count(visitor)), tokens: tokens.length };
  },
});

/** Returns how much was erased; `left` says why bytes of it are left in the files of the database, null if none are. */
async function eraseBytes(
  { mails, ...counts }: Awaited<ReturnType<OwnerServices['store']['visitors']['erase']>>,
  entry: AuditEntry,
  services: OwnerServices,
) {
  const files = await services.removeMailFiles(mails);
  services.audit(entry); // before the scrub, which may take long, because the rows are gone
  const left = await services.scrub();
  await services.removeMailFiles(mails); // a file may have been written meanwhile, also if bytes are left
  return { ...counts, files, left };
}

export const eraseVisitor = ownerOperation({
  name: 'erase_visitor',
  summary:
    'Erases all that a visitor has caused, whichever way the address is spelled, and ends their tokens. With the id of a contact ' +
    'request, only if the visitor is in it.',
  input: NamedVisitor.extend({ contact: z.string().optional() }),
  audits: ['visitor_erased'],
  async handle({ contact, ...named }, services: OwnerServices) {
    const visitors = contact === undefined ? null : visitorsIn(await findContact(contact, services));
    const visitor = await visitorOf(named, services);
    if (visitors?.some((one) => isSameVisitor(one, visitor)) === false) throw new Failure('BAD_REQUEST');
    // First, so that no token of the visitor can add anything after this.
    await services.tokens.revoke({ kind: 'subject', subject: visitor });
    const erased = await services.store.visitors.erase(visitor);
    return eraseBytes(erased, { event: 'visitor_erased', subject: visitor }, services);
  },
});

export const eraseContact = ownerOperation({
  name: 'erase_contact',
  summary: 'Erases one contact request and its notice.',
  input: z.object({ id: z.string() }),
  audits: ['contact_erased'],
  async handle({ id }, services: OwnerServices) {
    const { email } = await findContact(id, services);
    const erased = await services.store.visitors.eraseContact(id);
    return eraseBytes(erased, { event: 'contact_erased', subject: byAddress(email) }, services);
  },
});

export const scrub = ownerOperation({
  name: 'scrub',
  summary: 'Rewrites the database again if bytes of what was erased were left in its files.',
  handle: async (_input, services: OwnerServices) => ({ left: await services.scrub() }),
});
