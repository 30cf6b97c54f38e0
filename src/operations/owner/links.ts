import { publicView, wholeView } from 'resume-profile/view-fields';
import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import { isOpen, type Link, linkNameFault, maxLinks } from '../../model/link.ts';
import { visitorKeyOf } from '../../model/visitor.ts';
import { ownerOperation } from './operation.ts';
import { readerIdOf } from './readers.ts';
import type { OwnerServices } from './services.ts';
import { countActs, countPeople, eventsOfEach, toVisits } from './visits.ts';

const LinkName = z.string().refine((name) => linkNameFault(name) === null, {
  error: ({ input }) => linkNameFault(String(input))!,
});

const visitorOf = ({ id }: Pick<Link, 'id'>) => ({ kind: 'link', id }) as const;
const keyOf = (link: Link) => visitorKeyOf(visitorOf(link));

/** Returns the address that opens a link; null once it has ended, and without a key for codes. */
function addressOf(link: Link, { linkCodes, baseUrl, now }: OwnerServices): string | null {
  const code = isOpen(link, now()) ? linkCodes.codeOf(link.id) : null;
  return code === null ? null : `${baseUrl}/s/${code}`;
}

async function findLink(id: string, { store }: OwnerServices): Promise<Link> {
  const link = await store.links.find(id);
  if (link === null) throw new Failure('NOT_FOUND');
  return link;
}

const viewsOf = async ({ views }: OwnerServices) => [...(await views()), wholeView, publicView];

export const listLinkViews = ownerOperation({
  name: 'list_link_views',
  summary: 'The names of what a link can show: the views of the profile, the whole profile, and the public part.',
  handle: async (_input, services: OwnerServices) => viewsOf(services),
});

export const makeLink = ownerOperation({
  name: 'make_link',
  summary: 'Makes a link that opens a view of the profile without asking for an address, until it ends.',
  input: z.object({ name: LinkName, view: z.string(), until: z.date().nullish(), may_write: z.boolean() }),
  audits: ['link_made'],
  async handle({ name, view, until = null, may_write: mayWrite }, services: OwnerServices) {
    const { store, linkCodes, now, audit } = services;
    const names = await viewsOf(services);
    if (!names.includes(view)) throw new Failure('BAD_REQUEST', `There is no view ${view}; give ${names.join(', ')}`);
    const madeAt = now();
    if (until !== null && until <= madeAt) throw new Failure('BAD_REQUEST', 'until must be in the future');
    const link: Link = {
      ...{ id: await linkCodes.newId(), name: name.trim(), view, until, mayWrite, madeAt },
      ...{ openedAt: null, endedAt: null },
    };
    if (!(await store.links.add(link)))
      throw new Failure('BAD_REQUEST', `There are ${maxLinks} links already. End one, and make this one then.`);
    audit({ event: 'link_made', subject: visitorOf(link) });
    return { link, address: addressOf(link, services)! };
  },
});

export const listLinks = ownerOperation({
  name: 'list_links',
  summary: 'All links, also those that ended within 90 days, the latest first, with what was done through each.',
  async handle(_input, services: OwnerServices) {
    const links = await services.store.links.list();
    const eventsOf = await eventsOfEach(links.map(keyOf), new Date(0), services);
    return links.map((link) => {
      const events = eventsOf(keyOf(link));
      const { pdfs, messages } = countActs(events);
      return {
        link,
        isOpen: isOpen(link, services.now()),
        address: addressOf(link, services),
        people: countPeople(events),
        visits: toVisits(events).length,
        pdfs,
        messages,
        /** When somebody last read or wrote; when it was opened if nothing else is kept. */
        lastAt: events.at(-1)?.until ?? link.openedAt,
      };
    });
  },
});

export const getLink = ownerOperation({
  name: 'get_link',
  summary:
    'One link, with the address that opens it, null once it has ended, and the id of its reader, null until it is opened.',
  input: z.object({ id: z.string() }),
  async handle({ id }, services: OwnerServices) {
    const link = await findLink(id, services);
    return {
      link,
      address: addressOf(link, services),
      readerId: link.openedAt === null ? null : readerIdOf(keyOf(link), services),
    };
  },
});

export const renameLink = ownerOperation({
  name: 'rename_link',
  summary: 'Gives a link another name, which only the owner sees.',
  input: z.object({ id: z.string(), name: LinkName }),
  audits: ['link_renamed'],
  async handle({ id, name }, services: OwnerServices) {
    const link = await findLink(id, services);
    await services.store.links.rename(id, name.trim());
    services.audit({ event: 'link_renamed', subject: visitorOf(link) });
  },
});

/** Ends all access through a link, on all replicas, as the revocation of an address does. */
const revokeOpenings = (link: Link, { tokens }: OwnerServices) =>
  tokens.revoke({ kind: 'subject', subject: visitorOf(link) });

async function end(link: Link, services: OwnerServices): Promise<void> {
  // Marked first, so that no opening comes after the revocation. A link that has ended is revoked again: a process may
  // have been stopped between the two.
  const isNew = await services.store.links.end(link.id, services.now());
  await revokeOpenings(link, services);
  if (isNew) services.audit({ event: 'link_ended', subject: visitorOf(link), detail: 'owner' });
}

export const endLink = ownerOperation({
  name: 'end_link',
  summary: 'Ends a link with the sessions, tokens and grants that were opened through it.',
  input: z.object({ id: z.string() }),
  audits: ['link_ended'],
  handle: async ({ id }, services: OwnerServices) => end(await findLink(id, services), services),
});

export const endAllLinks = ownerOperation({
  name: 'end_all_links',
  summary: 'Ends every link, with what was opened through it; says how many there were.',
  audits: ['link_ended'],
  async handle(_input, services: OwnerServices) {
    const open = (await services.store.links.list()).filter((link) => isOpen(link, services.now()));
    for (const link of open) await end(link, services);
    return { ended: open.length };
  },
});

export const endPastLinks = ownerOperation({
  name: 'end_past_links',
  summary: 'Ends what was opened through the links whose time is over.',
  audits: ['link_ended'],
  async handle(_input, services: OwnerServices) {
    const { store, now, audit } = services;
    const past = (await store.links.list()).filter((link) => link.endedAt === null && !isOpen(link, now()));
    for (const link of past) {
      // Nobody can open it any more. Marked last, so that the next run completes what a stopped process began.
      await revokeOpenings(link, services);
      if (await store.links.end(link.id, link.until!))
        audit({ event: 'link_ended', subject: visitorOf(link), detail: 'time' });
    }
  },
});
