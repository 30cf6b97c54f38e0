import { publicView, wholeView } from 'resume-profile/view-fields';
import { type Visitor, type VisitorKey, visitorKeyOf } from '../../model/visitor.ts';
import type { OwnerServices } from './services.ts';

/** A token or grant; `view` is null unless the owner has set one. */
interface Access {
  readonly subject: Visitor;
  readonly view: string | null;
}

/** Returns functions that look up what the owner knows of the links that visitors came through. */
export async function linkNamesOf({ store }: Pick<OwnerServices, 'store'>) {
  const links = (await store.links.list()).map((link) => ({
    ...link,
    key: visitorKeyOf({ kind: 'link', id: link.id }),
  }));
  const byId = new Map(links.map((link) => [link.id, link]));

  /** Returns a visitor, with the name of the link if there is one. */
  function named(visitor: Visitor): Visitor {
    const link = visitor.kind === 'link' ? byId.get(visitor.id) : undefined;
    return visitor.kind === 'address' || link === undefined ? visitor : { ...visitor, name: link.name };
  }

  return {
    named,

    /** Returns a contact request with the name of the link that it came through. */
    ofContact: <Given extends { readonly subject: Visitor | null }>(contact: Given): Given => ({
      ...contact,
      subject: contact.subject && named(contact.subject),
    }),

    /** Returns a token or grant with the name of its link, and with the view that it reads; null for the whole profile. */
    ofAccess<Given extends Access>(access: Given): Given {
      const { subject } = access;
      const usual = subject.kind === 'link' ? (byId.get(subject.id)?.view ?? publicView) : wholeView;
      const view = access.view ?? usual;
      return { ...access, subject: named(subject), view: view === wholeView ? null : view };
    },

    /** Returns the keys of the links that a search finds: those with the text in their names, in any case, or as key. */
    keysFor(text = ''): VisitorKey[] {
      if (text === '') return [];
      const searched = text.toLowerCase();
      const isFound = ({ name, key }: (typeof links)[number]) => key === text || name.toLowerCase().includes(searched);
      return links.filter(isFound).map(({ key }) => key);
    },
  };
}
