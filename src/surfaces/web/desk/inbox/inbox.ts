import { ContactState, type InboxView, type StoredContact } from '../../../../model/contact.ts';
import { Failure } from '../../../../model/failure.ts';
import { toRecord } from '../../../../operations/contact-record.ts';
import type { Site } from '../../page.ts';
import { addScrubTo, erased } from '../erasure.ts';
import type { DeskRouter } from '../router.ts';
import { listPage, pageSize } from './list-page.ts';
import { addressesOf, messagePage } from './message-page.ts';
import { readListQuery, viewOf } from './view.ts';

/** The contact requests, as the owner works through them. */
export interface Inbox {
  /** Returns those of a view, the latest first; all of them unless a part is given. */
  contactsIn(view: InboxView, part?: { readonly offset: number; readonly limit: number }): Promise<StoredContact[]>;
  findContact(id: string): Promise<StoredContact | null>;
  countUnread(): Promise<number>;
  /** Sets the state; with `from`, only if it is that one. */
  setContactState(id: string, state: ContactState, from?: ContactState): Promise<void>;
  /** Returns how much is stored of a visitor. */
  countOfVisitor(email: string): Promise<{ readonly contacts: number; readonly tokens: number }>;
  /** Erases one, or all of a visitor; returns why bytes of it are left in the files of the database, null if none are. */
  eraseContact(contact: StoredContact): Promise<string | null>;
  eraseVisitor(email: string): Promise<string | null>;
  /** Rewrites the database to remove such bytes; returns why some are left, null if none are. */
  scrub(): Promise<string | null>;
  /** Records in the audit log that so many were exported. */
  recordExport(count: number): void;
}

interface Options {
  readonly site: Site;
  readonly inbox: Inbox;
  readonly now: () => Date;
}

const notices: Readonly<Record<string, string>> = {
  erased,
  unread: 'Marked as unread.',
  archived: 'Archived. You find it under Archived.',
  spam: 'Marked as spam. You find it under Spam.',
};

/** Adds the section Inbox. */
export function addInboxTo(desk: DeskRouter, { site, inbox, now }: Options): void {
  const afterErasing = addScrubTo(desk, { site, section: 'Inbox', path: '/desk/inbox', scrub: inbox.scrub });

  async function find(id: string | undefined): Promise<StoredContact> {
    const contact = await inbox.findContact(id ?? '');
    if (contact === null) throw new Failure('NOT_FOUND');
    return contact;
  }

  function exported(contacts: readonly StoredContact[]): Response {
    inbox.recordExport(contacts.length);
    return new Response(`${JSON.stringify(contacts.map(toRecord), null, 2)}\n`, {
      headers: {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="contact-requests.json"',
        'cache-control': 'no-store',
      },
    });
  }

  desk.page('/desk/inbox', async ({ query: parameters }) => {
    const query = readListQuery(parameters);
    const part = { offset: (query.page - 1) * pageSize, limit: pageSize + 1 };
    const contacts = await inbox.contactsIn(viewOf(query), part);
    const done = Object.entries(notices).find(([name]) => name === parameters.get('done'))?.[1];
    return listPage({ query, contacts, unread: await inbox.countUnread(), now: now(), done }, site);
  });

  desk.page('/desk/inbox/export', async ({ query }) => exported(await inbox.contactsIn(viewOf(readListQuery(query)))));

  desk.page('/desk/inbox/:id', async ({ params, formToken, isOpened }) => {
    const found = await find(params.id);
    const contact = isOpened && found.state === 'unread' ? await markRead(found) : found;
    const counted = addressesOf(contact).map(async (email) => ({ email, ...(await inbox.countOfVisitor(email)) }));
    const visitors = await Promise.all(counted);
    return messagePage({ contact, visitors, now: now(), formToken }, site);
  });

  /** A message can be read while the store cannot be written. */
  async function markRead(contact: StoredContact): Promise<StoredContact> {
    try {
      await inbox.setContactState(contact.id, 'read', 'unread');
      return { ...contact, state: 'read' };
    } catch (error) {
      if (error instanceof Failure) return contact;
      throw error;
    }
  }

  desk.page('/desk/inbox/:id/export', async ({ params }) => exported([await find(params.id)]));

  desk.action('/desk/inbox/:id/state', async ({ params, fields }) => {
    const { id } = await find(params.id);
    const { data: state } = ContactState.safeParse(fields.get('state'));
    if (state === undefined) throw new Failure('BAD_REQUEST');
    await inbox.setContactState(id, state);
    return state === 'replied' ? `/desk/inbox/${id}` : `/desk/inbox?done=${state}`;
  });

  desk.action('/desk/inbox/:id/erase', async ({ params, fields, formToken }) => {
    const contact = await find(params.id);
    const what = fields.get('what');
    const address = addressesOf(contact).find((one) => one === what);
    if (address === undefined && what !== 'message') throw new Failure('BAD_REQUEST');
    const fault = address === undefined ? await inbox.eraseContact(contact) : await inbox.eraseVisitor(address);
    return afterErasing(fault, formToken);
  });
}
