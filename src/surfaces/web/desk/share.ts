import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { publicView, wholeView } from 'resume-profile/view-fields';
import { calendarOf } from '../../../model/calendar.ts';
import { Failure } from '../../../model/failure.ts';
import { linkNameFault, maxLinkName } from '../../../model/link.ts';
import { loopbackNames } from '../../../model/oauth.ts';
import { valueAt } from '../../../model/profile/patch.ts';
import { toViewName } from '../../../model/profile/view-name.ts';
import { endLink, getLink, listLinks, listLinkViews, makeLink, renameLink } from '../../../operations/owner/links.ts';
import type { OutputOf } from '../../../operations/owner/operation.ts';
import { changeWorkingCopy, getWorkingCopy } from '../../../operations/owner/working-copy.ts';
import { codeBlock, copyButton, type Html, inDetails, type Site, statusMessage } from '../page.ts';
import { qrCodeOf } from '../public/public.ts';
import { timesOf } from '../visit-words.ts';
import { askInPlace, head } from './elements.ts';
import type { Desk, DeskForm, DeskPage, DeskRequest, DeskRouter } from './router.ts';
import type { Times } from './time.ts';

const path = '/desk/share';

/** For how long a link works, unless the owner chooses another day. */
const usualDays = 60;

type LinkSummary = OutputOf<typeof listLinks>[number];
type Link = LinkSummary['link'];

export function addShareTo(desk: DeskRouter, { site, run }: Desk): void {
  async function listPage(request: Omit<SharePage, 'views'>, fault?: Failure): Promise<DeskPage> {
    const { query, times } = request;
    const links = await run(listLinks, {});
    const page = { ...request, views: await run(listLinkViews, {}) };
    const [open, ended] = [links.filter(({ isOpen }) => isOpen), links.filter(({ isOpen }) => !isOpen)];
    const made = open.find(({ link }) => link.id === query.get('made'));
    return {
      title: fault === undefined ? 'Share' : 'Error: Share',
      section: 'Share',
      status: fault?.status ?? 200,
      body: html`${head('Share', pluralize(open.length, 'link'))}
${query.get('done') === 'ended' ? statusMessage('good', 'The link has ended, and so has the access of those who opened it. They can still open your page with an e-mail address, as everybody can.') : ''}
<p>A link opens the profile without asking for an address. You see when it is opened and what is read, and end it when you like. Who holds it can pass it on.</p>
${isLocal(site) ? html`<div class="small attention">${localWords(site)}</div>` : ''}
${made === undefined ? '' : madeOf(made, page)}
${open.length === 0 ? html`<p class="empty">${links.length === 0 ? 'There is no link yet' : 'No link is open'}. Make one for a company, for a card, or for a page on the web.</p>` : linksTable(open, page)}
${newForm(page, fault)}
${
  ended.length === 0
    ? ''
    : html`<details class="ended"><summary>${pluralize(ended.length, 'link')} that ended within 90 days</summary>
${linksTable(ended, page)}
</details>`
}
${times.zoneNote()}`,
    };
  }

  /** Adds an empty view for a link to the working copy of the profile; returns its name. */
  async function addView(linkName: string, session: string): Promise<string> {
    const { values, revision } = await run(getWorkingCopy, {});
    if (values === null) throw new Failure('BAD_REQUEST', 'the file of your profile cannot be read; correct it first');
    const views = (valueAt(values, ['views']) ?? null) as object | null;
    const name = toViewName(linkName, views ?? {});
    const added = views === null ? { path: '/views', value: { [name]: {} } } : { path: `/views/${name}`, value: {} };
    const [id, step] = [crypto.randomUUID(), crypto.randomUUID()];
    const { isStale, failed } = await run(changeWorkingCopy, {
      ...{ revision, session, events: [{ id, step, patch: [{ op: 'add', ...added }] }] },
    });
    if (isStale || failed !== null)
      throw new Failure('UNAVAILABLE', 'the profile was changed at the same moment; try again');
    return name;
  }

  desk.action(`${path}/new`, async (form) => {
    const { fields, times, session } = form;
    const day = fields.get('until') ?? '';
    try {
      const name = fields.get('name') ?? '';
      const view = fields.get('view') ?? wholeView;
      const { link } = await run(makeLink, {
        name,
        until: day === '' ? null : endOfDay(day, times),
        // A refused name must not leave a view behind.
        view: view === newView && linkNameFault(name) === null ? await addView(name, session.id) : view,
        may_write: fields.has('may_write'),
      });
      return `${path}?made=${link.id}`;
    } catch (error) {
      if (!(error instanceof Failure) || !['BAD_REQUEST', 'UNAVAILABLE'].includes(error.code)) throw error;
      return listPage(form, error);
    }
  });

  desk.page(path, (request) => listPage(request));

  desk.page(`${path}/:id`, async (request) => {
    const { params, query, formToken, times } = request;
    const { link, address, readerId } = await run(getLink, { id: params.id! });
    const own = site.path(`${path}/${link.id}`);
    return {
      title: `Share: ${link.name}`,
      section: 'Share',
      body: html`<p class="small"><a href="${site.path(path)}">Share</a></p>
<div class="head spread">
<h1 dir="auto">${toVisible(link.name)}</h1>
<p class="soft small">${link.endedAt === null && link.until !== null ? 'until ' : ''}${endWords(link, times)}</p>
</div>
${query.get('done') === 'renamed' ? statusMessage('good', 'The link has the new name. Its address is the same.') : ''}
<p>Shows: ${shownWords(link, { site, views: await run(listLinkViews, {}) })}${link.mayWrite ? '' : ', without writing to you'}. ${
        readerId === null
          ? 'Not opened yet.'
          : html`<a href="${site.path(`/desk/readers/${readerId}`)}">What was done through it</a>`
      }</p>
${
  address === null
    ? html`<p class="notice">This link has ended, and opens nothing any more.</p>`
    : html`${codeBlock('address', address)}
<p class="qr"><img src="${own}/qr.svg" alt="QR code of the link" width="240" height="240"></p>
<div class="at-start">${endForm(link, request)}</div>`
}
<h2>Name</h2>
<form class="form" method="post" action="${own}/rename">
${formToken}
<label for="name">For whom</label>
<input id="name" name="name" required maxlength="${maxLinkName}" value="${link.name}" dir="auto">
<p class="small soft">Only you see this name.</p>
<p><button class="secondary">Rename</button></p>
</form>
${times.zoneNote()}`,
    };
  });

  desk.page(`${path}/:id/qr.svg`, async ({ params }) => {
    const { address } = await run(getLink, { id: params.id! });
    if (address === null) throw new Failure('NOT_FOUND');
    const { type, body } = qrCodeOf(address);
    return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  });

  desk.action(`${path}/:id/rename`, async ({ params, fields }) => {
    await run(renameLink, { id: params.id!, name: fields.get('name') ?? '' });
    return `${path}/${params.id}?done=renamed`;
  });

  desk.action(`${path}/:id/end`, async ({ params }) => {
    await run(endLink, { id: params.id! });
    return `${path}?done=ended`;
  });
}

export const localWords = (site: Site): Html =>
  html`Only this computer can open ${site.baseUrl}. ${inDetails(html`<p>The file README.md of this program says how, under “On the open internet”.</p>`, 'How to put your page on the internet')}`;

/** Whether only this computer can open the service, as far as its address says. */
export const isLocal = ({ baseUrl }: Pick<Site, 'baseUrl'>): boolean => loopbackNames.has(new URL(baseUrl).hostname);

/** Returns the last instant of a day such as 2027-01-21, in the time zone of a page. Throws `BAD_REQUEST`. */
function endOfDay(day: string, times: Times): Date {
  const { zone, now } = times;
  const days = (Date.parse(`${day}T00:00Z`) - Date.parse(`${dateOf(now, times)}T00:00Z`)) / dayMilliseconds;
  if (!Number.isInteger(days) || days < 0 || days > 36_500)
    throw new Failure('BAD_REQUEST', 'the day under Until must be today or later');
  const next = calendarOf(zone).startOfDay(now, days + 1);
  return new Date(next.getTime() - 1);
}

const dayMilliseconds = 86_400_000;

/** Returns the day of an instant such as 2027-01-21. */
const dateOf = (instant: Date, { zone }: Times): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(instant);

interface SharePage extends DeskRequest, Partial<Pick<DeskForm, 'fields'>> {
  readonly views: OutputOf<typeof listLinkViews>;
}

/** The choice of a view that is made for the link. */
const newView = '+';

const linksTable = (links: readonly LinkSummary[], page: SharePage): Html => html`<table class="links stacked">
<thead><tr><th scope="col">For</th><th scope="col">Shows</th><th scope="col">Read</th><th scope="col">Until</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>
${links.map((summary) => linkRow(summary, page))}
</tbody>
</table>`;

function linkRow(summary: LinkSummary, page: SharePage): Html {
  const { link, address, isOpen } = summary;
  const { times } = page;
  const own = page.site.path(`${path}/${link.id}`);
  return html`<tr>
<th scope="row"><a href="${own}" dir="auto">${toVisible(link.name)}</a></th>
<td>${shownWords(link, page)}</td>
<td>${readWords(summary, times)}</td>
<td>${endWords(link, times)}</td>
<td class="end"><div class="actions">${
    isOpen && address !== null
      ? html`<span hidden id="address-${link.id}">${address}</span>${copyButton(`address-${link.id}`)} <a href="${own}">QR</a> ${endForm(link, page)}`
      : ''
  }</div></td>
</tr>
`;
}

const viewWords = (view: string): string =>
  view === wholeView ? 'everything' : view === publicView ? 'public part' : toVisible(view);

const choiceWords = (view: string, { unpublished }: SharePage['views']): string =>
  view === newView
    ? 'a new version for this one'
    : `${viewWords(view)}${unpublished.includes(view) ? ', not published yet' : ''}`;

function shownWords({ view }: Link, { views, site }: Pick<SharePage, 'views' | 'site'>): Html {
  if (views.published.includes(view)) return html`${viewWords(view)}`;
  if (!views.unpublished.includes(view))
    return html`${viewWords(view)} <span class="attention small">gone: shows the public part</span>`;
  const version = site.path(`/desk/profile#version=${view}`);
  return html`<a href="${version}">${view}</a> <span class="attention small">not published yet: shows the public part. <a href="${site.path('/desk/profile#publish')}">Publish</a></span>`;
}

/** Describes the use of a link, with the number of people if there were several. */
function readWords({ link, people, visits, pdfs, messages, lastAt }: LinkSummary, { timeElement }: Times): Html {
  if (link.openedAt === null || lastAt === null) return html`<span class="soft">not opened yet</span>`;
  const acts = [
    people > 1 ? `${people} people` : `opened${visits > 1 ? ` ${visits} times` : ''}`,
    ...(pdfs === 0 ? [] : [`PDF${timesOf(pdfs)}`]),
    ...(messages === 0 ? [] : [people > 1 ? `${messages} wrote` : `wrote${timesOf(messages)}`]),
  ];
  return html`${acts.join(', ')}; last ${timeElement(lastAt)}`;
}

function endWords({ until, endedAt }: Link, { timeElement, toShortDay }: Times): Html {
  if (endedAt !== null) return html`ended ${timeElement(endedAt)}`;
  return until === null ? html`does not end` : timeElement(until, toShortDay(until));
}

const endForm = ({ id, name }: Link, { site, formToken }: DeskRequest): Html =>
  askInPlace({
    action: site.path(`${path}/${id}/end`),
    label: 'End',
    fields: formToken,
    question: html`Ends the link for <bdi>${toVisible(name)}</bdi>, and the access of those who opened it. It cannot be undone.`,
    button: 'End the link',
  });

const madeOf = ({ link, address }: LinkSummary, page: SharePage): Html => html`<div class="made">
<p><strong>The link for <bdi>${toVisible(link.name)}</bdi>.</strong></p>
${page.views.unpublished.includes(link.view) ? html`<p>It shows the version ${shownWords(link, page)}</p>` : ''}
${codeBlock('made-address', address!)}
</div>`;

/** The form for a link, with what was typed and refused. */
function newForm({ site, formToken, times, views, fields, query }: SharePage, fault: Failure | undefined): Html {
  const chosen = fields?.get('view') ?? query.get('view') ?? wholeView;
  return html`<h2 id="new">A new link</h2>
${fault === undefined ? '' : statusMessage('bad', `No link was made: ${fault.message}`)}
<form class="form" method="post" action="${site.path(`${path}/new`)}">
${formToken}
<label for="name">For whom</label>
<input id="name" name="name" required maxlength="${maxLinkName}" value="${fields?.get('name') ?? ''}" dir="auto"${fault === undefined ? '' : html` autofocus`}>
<p class="small soft">Only you see this name.</p>
<div class="pair">
<p><label for="view">What they see</label>
<select id="view" name="view">${[
    wholeView,
    ...views.published.filter((view) => view !== wholeView),
    ...views.unpublished,
    newView,
  ].map(
    (view) =>
      html`<option value="${view}"${view === chosen ? html` selected` : ''}>${choiceWords(view, views)}</option>`,
  )}</select></p>
<p><label for="until">Until</label>
<input type="date" id="until" name="until" value="${fields?.get('until') ?? dateOf(new Date(times.now.getTime() + usualDays * dayMilliseconds), times)}">
<span class="small soft">Empty if it does not end.</span></p>
</div>
<p class="small"><label class="choice"><input type="checkbox" name="may_write"${fields?.has('may_write') === false ? '' : html` checked`}> They can write to me and connect an assistant from it</label></p>
<p><button>Make the link</button></p>
</form>`;
}
