import { publicView, wholeView } from 'resume-profile/view-fields';
import { type Visitor, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import type { OwnerServices } from './services.ts';

/** Returns functions that look up the links that visitors came through, as the owner named them. */
export async function linkNamesOf({ store }: Pick<OwnerServices, 'store'>) {
  const links = await store.links.list();
  const byId = new Map(links.map((link) => [link.id, link]));

  function named(visitor: Visitor): Visitor {
    const link = visitor.kind === 'link' ? byId.get(visitor.id) : undefined;
    return visitor.kind === 'address' || link === undefined ? visitor : { ...visitor, name: link.name };
  }

  return {
    named,

    ofContact: <Contact extends { readonly subject: Visitor | null }>(contact: Contact): Contact => ({
      ...contact,
      subject: contact.subject && named(contact.subject),
    }),

    /** Returns a token or grant with the name of its link, and the view that it reads; null for the whole profile. */
    ofAccess<Access extends { readonly subject: Visitor; readonly view: string | null }>(access: Access): Access {
      const { subject } = access;
      const usual = subject.kind === 'link' ? (byId.get(subject.id)?.view ?? publicView) : wholeView;
      const view = access.view ?? usual;
      return { ...access, subject: named(subject), view: view === wholeView ? null : view };
    },

    /** Returns the keys of the links whose name contains a text, in any case, or whose key it is. */
    keysFor(text = ''): VisitorKey[] {
      if (text === '') return [];
      const searched = text.toLowerCase();
      return links.flatMap(({ id, name }) => {
        const key = visitorKeyOf({ kind: 'link', id });
        return key === text || name.toLowerCase().includes(searched) ? [key] : [];
      });
    },
  };
}
