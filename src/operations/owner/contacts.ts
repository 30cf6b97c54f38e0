import { z } from 'zod';
import { ContactState, type InboxView, type StoredContact } from '../../model/contact.ts';
import { Failure } from '../../model/failure.ts';
import { ReplyText } from '../../model/reply.ts';
import { byAddress, isSameVisitor, toOwnersText, Visitor } from '../../model/visitor.ts';
import { toReplyNotice } from '../notices.ts';
import { actionCharges } from '../quotas.ts';
import { linkNamesOf } from './link-names.ts';
import { ownerOperation } from './operation.ts';
import type { OwnerServices } from './services.ts';

/** Throws `NOT_FOUND` if no contact request has the id. */
export async function findContact(id: string, { store }: OwnerServices): Promise<StoredContact> {
  const contact = await store.contacts.find(id);
  if (contact === null) throw new Failure('NOT_FOUND');
  return contact;
}

/** Returns the visitor with the reply address and, if it is another, the visitor of the token. */
export function visitorsIn({ email, subject }: StoredContact): readonly Visitor[] {
  const sender = byAddress(email);
  return subject === null || isSameVisitor(subject, sender) ? [sender] : [sender, subject];
}

export const listContacts = ownerOperation({
  name: 'list_contacts',
  summary: 'Contact requests, the latest first: all, those of a visitor, or those whose id begins with a text.',
  input: z.object({ visitor: Visitor.optional(), id_prefix: z.string().optional() }),
  async handle({ visitor, id_prefix }, services: OwnerServices) {
    const { contacts } = services.store;
    const { ofContact } = await linkNamesOf(services);
    const listed = await (id_prefix === undefined ? contacts.list(visitor) : contacts.listByIdPrefix(id_prefix));
    return listed.map(ofContact);
  },
});

const View = z.object({ states: z.array(ContactState), search: z.string() });

/** Returns a view whose search also finds requests through a link by the name or the key of the link. */
async function withLinks(view: z.output<typeof View>, services: OwnerServices): Promise<InboxView> {
  return { ...view, links: (await linkNamesOf(services)).keysFor(view.search) };
}

export const listInbox = ownerOperation({
  name: 'list_inbox',
  summary: 'A page of the contact requests that have one of the states and a text in them.',
  input: View.extend({ offset: z.int(), limit: z.int() }),
  handle: async ({ offset, limit, ...view }, services: OwnerServices) =>
    services.store.contacts.listIn(await withLinks(view, services), { offset, limit }),
});

export const openContact = ownerOperation({
  name: 'open_contact',
  summary:
    'One contact request, marked as read if the owner sees it, with the replies to it and how much is stored of each visitor in it.',
  input: z.object({ id: z.string(), is_seen: z.boolean() }),
  async handle({ id, is_seen }, services: OwnerServices) {
    const { store } = services;
    let contact = await findContact(id, services);
    if (is_seen && contact.state === 'unread')
      try {
        await store.contacts.setState(id, 'read', 'unread');
        contact = { ...contact, state: 'read' };
      } catch (error) {
        // A message can be read although the store cannot be written.
        if (!(error instanceof Failure)) throw error;
      }
    const { named, ofContact } = await linkNamesOf(services);
    const counted = visitorsIn(contact).map(async (visitor) => ({
      visitor: named(visitor),
      ...(await store.visitors.count(visitor)),
    }));
    return {
      contact: ofContact(contact),
      replies: await store.replies.listOf(id),
      has_mail_server: services.hasMailServer,
      visitors: await Promise.all(counted),
    };
  },
});

export const setContactState = ownerOperation({
  name: 'set_contact_state',
  summary: 'Marks a contact request as read, unread, replied, archived or spam.',
  // Any text, because an unknown message is reported before an unknown state.
  input: z.object({ id: z.string(), state: z.string() }),
  async handle({ id, state }, services: OwnerServices) {
    await findContact(id, services);
    const { data: known } = ContactState.safeParse(state);
    if (known === undefined) throw new Failure('BAD_REQUEST');
    await services.store.contacts.setState(id, known);
    return known;
  },
});

export const replyToContact = ownerOperation({
  name: 'reply_to_contact',
  summary:
    'Mails a reply to the address of a contact request, and keeps it there. The same text with the same key is sent once.',
  input: z.object({ id: z.string(), reply: ReplyText, key: z.string() }),
  audits: ['contact_replied'],
  async handle({ id, reply: text, key }, services: OwnerServices) {
    const { store, now, hash, limits, audit } = services;
    const contact = await findContact(id, services);
    if (!services.hasMailServer)
      throw new Failure('UNAVAILABLE', 'Replies are sent by a mail server, and none is set up.');
    // As long as the id of any other mail, by which the file of the mail is found.
    const replyId = hash(JSON.stringify([key, id, text])).slice(0, 36);
    const reply = { id: replyId, contactId: id, text, writtenAt: now() };
    const isNew = await store.replies.add(
      reply,
      toReplyNotice(contact, text),
      limits.toStored(actionCharges('contact_reply', { from: null })),
    );
    if (isNew) audit({ event: 'contact_replied', subject: byAddress(contact.email) });
    services.wakeOutbox();
    return { address: contact.email };
  },
});

export const toRecord = ({ receivedAt, ...rest }: StoredContact) => ({
  ...rest,
  subject: rest.subject && toOwnersText(rest.subject),
  received_at: receivedAt.toISOString(),
});

export const exportContacts = ownerOperation({
  name: 'export_contacts',
  summary: 'Contact requests with all their data: all, those of a visitor, those of a view of the inbox, or one.',
  input: z.object({ visitor: Visitor.optional(), view: View.optional(), id: z.string().optional() }),
  audits: ['contacts_exported'],
  async handle({ visitor, view, id }, services: OwnerServices) {
    const { contacts } = services.store;
    const { ofContact } = await linkNamesOf(services);
    const listed = async () =>
      view === undefined ? contacts.list(visitor) : contacts.listIn(await withLinks(view, services));
    const exported = id === undefined ? await listed() : [await findContact(id, services)];
    const detail = String(exported.length);
    services.audit({ event: 'contacts_exported', detail, ...(visitor && { subject: visitor }) });
    return exported.map(ofContact).map(toRecord);
  },
});
