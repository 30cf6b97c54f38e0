import { html } from 'hono/html';
import { type Outline, toOutline } from 'resume-documents/outline/outline';
import { worded } from 'resume-documents/outline/part';
import { shownIn } from 'resume-profile/hides';
import type { Profile } from 'resume-profile/profile-document';
import { toVisible } from 'resume-profile/text';
import { hidden } from '../form.ts';
import { capitalize, formatDay } from '../format.ts';
import { type Html, type Page, pageResponse, type Site } from '../page.ts';
import { linkHeaderOf } from '../public/discovery.ts';
import { useIt } from './connections.ts';
import { type DraftFaults, faultSummary, formLines, type MessageDraft, messageForm } from './message-form.ts';
import { columnsOf, contactsOf } from './resume.ts';
import type { ShownVisit } from './visitor-sessions.ts';
import { fillHtml, type Wording, wordingOf } from './wording.ts';

/** The paths of files that anybody with the link can read. */
export interface VisitorFiles {
  /** Null if the owner does not offer it. */
  readonly docx: string | null;
  readonly contact: string;
  /** Null if the resume has no photo. */
  readonly photo: string | null;
}

/** The page of the profile for a visitor with access; framed if it is a preview for the owner. */
export interface ProfilePage extends Pick<Page, 'framed'> {
  readonly profile: Profile;
  readonly files: VisitorFiles;
  readonly visit: ShownVisit;
  /** Null until the visitor has asked to see it. */
  readonly token: string | null;
  readonly idempotencyKey: string;
  readonly draft: MessageDraft;
  readonly faults: DraftFaults;
  /** A line about the last action or its refusal. */
  readonly notice?: Html;
  readonly status: number;
  /** The program whose tab is open; by default the first one. */
  readonly program?: string | undefined;
  /** Whether what visitors read is recorded. */
  readonly isRecorded: boolean;
}

/** Responds with the content of the PDF, the form for a message, and how to use the profile from programs. */
export function profileResponse(page: ProfilePage, site: Site): Promise<Response> {
  const { profile, visit, draft, faults, notice, status, idempotencyKey, framed } = page;
  const wording = wordingOf(profile.resume.language);
  const { words } = wording;
  const { name } = profile.candidate;
  const outline = toOutline(shownIn('page', profile));
  const { mayWrite, token: sessionToken } = visit.session;
  const { story, facts, isBrief } = columnsOf(outline, mayWrite ? formLines : 0);
  const heading = worded(outline.names[0]!);
  return pageResponse(
    {
      title: `${faults.size === 0 ? '' : `${words.problem}: `}${heading}`,
      layout: 'visitor',
      language: outline.language,
      direction: outline.direction,
      skip: words.skip,
      scripts: framed ? [] : ['page.js'],
      ...(framed && { framed }),
      hasCode: page.token !== null,
      status,
      headers: { link: linkHeaderOf(site) },
      body: html`<div class="profile${isBrief ? ' brief' : ''}">
${headOf(page, outline, wording, site)}
<main id="main">
${faults.size === 0 ? '' : faultSummary(faults, words)}
${notice ?? ''}
${nowOf(profile, wording)}
<div class="story">${story}</div>
<div class="look-up">
${facts}
${
  mayWrite
    ? messageForm({
        action: site.path('/profile/write'),
        hidden: html`${visit.formToken}${hidden('idempotency_key', idempotencyKey)}`,
        ...{ draft, faults, name, words, asksEmail: sessionToken.subject.kind === 'link' },
      })
    : ''
}
</div>
</main>
${footOf(page, wording, site)}
</div>`,
    },
    site,
  );
}

/** The head of the page: the candidate's name and contacts, and the PDF and the vCard to download. */
function headOf({ profile, files, visit }: ProfilePage, outline: Outline, { words }: Wording, site: Site): Html {
  const { name } = profile.candidate;
  const headline = outline.blocks.find(({ key }) => key === 'headline')?.items[0]?.text;
  const photo = profile.resume.hides?.page?.includes('photo') ? null : files.photo;
  // A button must fit on one line, even on a phone.
  const isLong = name.length > 24;
  return html`<header class="masthead">
${photo === null ? '' : html`<img class="photo" src="${photo}" alt="" width="112" height="112">`}
<div class="person"><h1 dir="auto">${toVisible(worded(outline.names[0]!))}</h1>
${headline === undefined ? '' : html`<p class="title" dir="auto">${toVisible(headline)}</p>`}
${contactsOf(outline)}</div>
<div class="actions no-print">
<a class="button" href="${site.path('/profile/pdf')}">${words.download}</a>
${visit.session.mayWrite ? html`<a class="button secondary" href="#write">${name === '' || isLong ? words.write : fillHtml(words.writeTo, { name: nameOf(name) })}</a>` : ''}
<span class="cluster small files">
${files.docx === null ? '' : html`<a href="${site.path('/profile/docx')}">${words.downloadWord}</a>`}
<a href="${files.contact}">${words.saveContact}</a>
</span>
</div>
</header>`;
}

const nameOf = (name: string): Html => html`<bdi>${toVisible(name)}</bdi>`;

/** The candidate's availability and years of work. */
function nowOf({ candidate, availability }: Profile, { words, counted }: Wording): Html {
  const { years_experience: years } = candidate;
  const lines = [
    ...(availability.status === '' ? [] : [capitalize(toVisible(availability.status))]),
    ...(years ? [counted(words.years, years)] : []),
  ];
  return lines.length === 0
    ? html``
    : html`<section class="now" aria-labelledby="now">
<h2 id="now">${words.now}</h2>
${lines.map((line) => html`<p dir="auto">${line}</p>`)}
</section>`;
}

/** How to use the profile from programs, and beside it the visitor's identity here. */
function footOf(page: ProfilePage, { words }: Wording, site: Site): Html {
  const { profile, visit, token, isRecorded, program } = page;
  const { name } = profile.candidate;
  const { session } = visit;
  const { subject } = session.token;
  const who = name === '' ? html`${words.candidate}` : nameOf(name);
  return html`<footer class="foot spread small no-print">
${
  session.mayWrite
    ? html`<details class="for-programs" id="use-it"${token === null ? '' : html` open`}><summary>${words.forPrograms}</summary>
<div lang="en" dir="ltr">
${useIt(site, name, { ...visit, token, isRecorded, program })}
<p class="soft">The profile stays open in this browser until ${session.isRemembered ? formatDay(session.expiresAt) : 'you close it'}.</p>
${documentLinks(site)}
</div>
</details>`
    : ''
}
<div class="visit cluster soft">
<span>${subject.kind === 'link' ? words.hereByLink : fillHtml(words.hereAs, { email: html`<bdi>${toVisible(subject.address)}</bdi>` })}</span>
<a href="${site.path('/profile/record')}">${fillHtml(words.seenOfYou, { name: who })}</a>
<a href="${site.path('/privacy')}">${words.kept}</a>
<form method="post" action="${site.path('/profile/leave')}">${visit.formToken}<button class="plain">${words.leave}</button></form>
</div>
</footer>`;
}

export const documentLinks = (site: Site): Html =>
  html`<nav class="cluster" aria-label="Documents">${links(site, documents)}</nav>`;

/** The footer of the other pages for visitors: links to the pages, then to the documents for programs. */
export const footer = (site: Site): Html => html`<footer class="foot spread small no-print">
<nav class="cluster" aria-label="Pages">${links(site, [['/', 'Profile'], ['/privacy', 'Privacy'], ...documents])}</nav></footer>`;

type Link = readonly [path: string, title: string];

const documents: readonly Link[] = [
  ['/docs', 'Reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/docs/mcp', 'MCP'],
  ['/llms.txt', 'llms.txt'],
];

const links = (site: Site, all: readonly Link[]): Html =>
  html`${all.map(([path, title]) => html`<a href="${site.path(path)}">${title}</a>\n`)}`;
