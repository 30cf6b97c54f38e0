import { html } from 'hono/html';
import { lint } from '../../../../formats/profile/lint.ts';
import { readProfileText } from '../../../../formats/profile/profile-reader.ts';
import { Failure } from '../../../../model/failure.ts';
import { type DocumentDraft, type DocumentFault, maxDrafts } from '../../../../model/profile/document-state.ts';
import type { Profile } from '../../../../model/profile/profile-document.ts';
import { type ImportAccount, maxResumeMebibytes } from '../../../../model/profile/read-resume.ts';
import { countCodePoints, pluralize, toVisible } from '../../../../model/text.ts';
import {
  getDraft,
  getProfileDocument,
  importResume,
  openUpload,
  removeDraft,
} from '../../../../operations/owner/profile.ts';
import { cutField } from '../../form.ts';
import type { Html, Site } from '../../page.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { fieldOf, toFaultLine } from './form-faults.ts';
import { parts } from './parts.ts';
import { obstacleNotice } from './yaml.ts';

const path = '/desk/profile/import';

/** Adds the page on which a resume becomes a draft of the profile. */
export function addImportTo(desk: DeskRouter, { site, run, commands }: Desk): void {
  /** Of the drafts that this process made last, by their ids; of others, the page tells what the draft itself says. */
  const accounts = new Map<string, ImportAccount>();

  desk.page(path, async ({ query, formToken }) => {
    const id = query.get('draft');
    return page(formToken, id === null ? {} : { draft: await run(getDraft, { id }) });
  });

  desk.upload(`${path}/read`, maxResumeMebibytes * 1024 ** 2, async ({ receive, formToken }) => {
    const upload = await run(openUpload, {});
    try {
      const uploaded = await receive(upload.write);
      if (uploaded === null)
        return page(formToken, { status: 403, refusal: 'The page was open for too long. Choose the file again.' });
      const { name, bytes, isTooLarge } = uploaded;
      const shown = cutField(name, maxNameLength);
      if (name === '') return page(formToken, { status: 422, refusal: 'Choose a file first.' });
      if (isTooLarge)
        return page(formToken, { status: 413, refusal: `${shown} is larger than ${maxResumeMebibytes} MiB.` });
      if (bytes === 0) return page(formToken, { status: 422, refusal: `${shown} is empty.` });
      const { id, account, message } = await run(importResume, { upload, name: shown });
      if (id === null) return page(formToken, { status: 422, refusal: message ?? '' });
      if (account !== null) accounts.set(id, account);
      for (const oldest of [...accounts.keys()].slice(0, -maxDrafts)) accounts.delete(oldest);
      return account === null ? `/desk/profile/yaml?draft=${id}` : `${path}?draft=${id}`;
    } finally {
      await upload.close();
    }
  });

  desk.action(`${path}/remove`, async ({ fields }) => {
    const id = fields.get('draft');
    if (id === null) throw new Failure('NOT_FOUND');
    await run(removeDraft, { id });
    accounts.delete(id);
    return path;
  });

  async function page(
    formToken: DeskRequest['formToken'],
    { draft, refusal, status = 200 }: { draft?: DocumentDraft; refusal?: string; status?: number },
  ): Promise<DeskPage> {
    const document = await run(getProfileDocument, {});
    const isSample = document.place === 'sample';
    return {
      title: refusal === undefined ? 'Put your profile here' : 'Not read: put your profile here',
      section: 'Profile',
      status,
      body: html`<p class="small"><a href="${site.path('/desk/profile')}">Profile</a></p>
<div class="head"><h1>Put your profile here</h1></div>
<p>${document.place === 'none' ? 'There is nothing at this address yet.' : isSample ? 'This address shows a sample now.' : 'This makes a draft beside the profile that is here now, which stays until you publish.'} Start from the resume you have; you look at everything before anybody sees it.</p>
${refusal === undefined ? '' : html`<p class="notice bad" role="alert">${toVisible(refusal)} Nothing is stored.</p>`}
${document.obstacle === null ? '' : obstacleNotice(document)}
${draft === undefined ? chooser(formToken) : found({ draft, account: accounts.get(draft.id) ?? null, formToken, site })}`,
    };
  }

  const chooser = (
    formToken: Html,
  ): Html => html`<form class="upload" method="post" action="${site.path(`${path}/read`)}" enctype="multipart/form-data">
${formToken}<label for="resume">Choose your resume, or drop it here</label>
<input type="file" id="resume" name="resume" required aria-describedby="resume-hint">
<p class="small soft" id="resume-hint">PDF, Word (DOCX), LinkedIn’s export (ZIP), JSON Resume, RenderCV, Reactive Resume, or a profile that you have already; ${maxResumeMebibytes} MiB at most. It is read on this machine and sent nowhere.</p>
<p class="found-actions"><button>Read it</button></p>
</form>
<details class="own-editor"><summary>I edit YAML in my own editor</summary><p>This writes a file for you to fill in, which is served as soon as it exists:</p><pre>${commands.init}</pre></details>`;
}

const maxNameLength = 200;

interface Shown {
  readonly draft: DocumentDraft;
  readonly account: ImportAccount | null;
  readonly formToken: Html;
  readonly site: Site;
}

/** What a draft has, by section, and what in it to look at. */
function found({ draft, account, formToken, site }: Shown): Html {
  const { profile, locatedFaults } = readProfileText(draft.text);
  const findings: Finding[] = [
    ...locatedFaults,
    ...(profile === null ? [] : lint(profile, draft.savedAt)),
    ...(account?.filledIn ?? []),
  ];
  const placed = findings.map((finding) => ({ finding, field: fieldOf(finding.path, draft.id) }));
  const counted = parts
    .map(({ title, name }) => ({
      title,
      content: profile === null ? '' : contentOf(name, profile),
      own: placed.filter(({ field }) => field?.part.name === name),
    }))
    .filter(({ content, own }) => content !== '' || own.length > 0);
  const first = placed.find(({ field }) => field !== null)?.field?.address;
  return html`<h2><bdi>${toVisible(draft.name)}</bdi></h2>
<p>${account === null ? 'It is kept as a draft.' : `Read as ${account.format}.`}</p>
<table class="found">
<thead><tr><th scope="col">Section</th><th scope="col">Found</th><th scope="col">To look at</th></tr></thead>
<tbody>${counted.map(
    ({ title, content, own }) => html`
<tr><th scope="row">${title}</th><td>${toVisible(content)}</td><td class="attention">${own.length === 0 ? '' : list(own.map(({ finding, field }) => html`<a href="${site.path(field!.address)}">${toVisible(lineOf(finding, field!.label))}</a>`))}</td></tr>`,
  )}
</tbody>
</table>
${placed.some(({ field }) => field === null) ? list(placed.filter(({ field }) => field === null).map(({ finding }) => html`${toVisible(lineOf(finding, ''))}`)) : ''}
${account === null ? '' : accountLines(account)}
<div class="actions found-actions"><a class="button" href="${site.path(first ?? `/desk/profile/edit/contact?draft=${draft.id}`)}">Look through it</a>
<form method="post" action="${site.path(`${path}/remove`)}">${formToken}<input type="hidden" name="draft" value="${draft.id}"><button class="secondary">Use another file</button></form></div>
<p class="small soft">Nothing is published until you publish it.</p>`;
}

/** Something that the owner should look at: a fault, or something that is only worth a look. */
type Finding = DocumentFault | Pick<DocumentFault, 'path' | 'message'>;

function lineOf(finding: Finding, label: string): string {
  if ('line' in finding) return toFaultLine(finding);
  return label === '' ? finding.message : `“${label}”: ${finding.message}`;
}

const maxListed = 5;

const list = (lines: readonly Html[]): Html =>
  html`<ul class="unmarked">${lines.slice(0, maxListed).map((line) => html`<li>${line}</li>`)}${
    lines.length > maxListed ? html`<li>and ${lines.length - maxListed} more</li>` : ''
  }</ul>`;

const accountLines = ({ values, kept, losses }: ImportAccount): Html =>
  html`<p>${kept} of the ${pluralize(values, 'value')} of the file are in the draft. Nothing was added that it does not say, but for what is above.</p>
${losses.length === 0 ? '' : html`<h3>Left out</h3>${list(losses.map((loss) => html`${toVisible(loss)}`))}`}`;

/** Returns what a profile has for a form, in words; '' for nothing. */
function contentOf(name: string, profile: Profile): string {
  const { candidate, experience, projects, notes = [], resume } = profile;
  const roles = experience.flatMap((company) => company.roles);
  const achievements = roles.flatMap(({ accomplishments }) => accomplishments).length;
  const counts: Record<string, readonly (readonly [count: number | undefined, noun: string])[]> = {
    contact: [[resume.links?.length, 'link']],
    experience: [
      [experience.length, 'employer'],
      [roles.length, 'role'],
      [achievements, 'achievement'],
    ],
    projects: [[projects.length, 'project']],
    education: [[resume.education?.length, 'school']],
    skills: [[resume.skills.length, 'skill']],
    certifications: [[resume.certifications?.length, 'certification']],
    languages: [[resume.languages?.length, 'language']],
    publications: [[resume.publications?.length, 'publication']],
    awards: [[resume.awards?.length, 'award']],
    volunteer: [[resume.volunteer?.length, 'volunteer role']],
    interests: [[resume.interests?.length, 'interest']],
    references: [[resume.references?.entries.length, 'reference']],
    sections: [[resume.sections?.length, 'section']],
    notes: [[notes.length, 'note']],
  };
  const counted = (counts[name] ?? []).flatMap(([count = 0, noun]) => (count === 0 ? [] : pluralize(count, noun)));
  const texts = name === 'contact' ? [candidate.name, candidate.location].filter((text) => text !== '') : [];
  if (name === 'summary' && candidate.summary !== '') return pluralize(countCodePoints(candidate.summary), 'character');
  return [...texts, ...counted].join(', ') + (name === 'notes' && notes.length > 0 ? ' for you, shown to nobody' : '');
}
