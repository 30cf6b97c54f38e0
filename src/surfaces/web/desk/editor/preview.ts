import { html } from 'hono/html';
import type { DocumentFault } from 'resume-profile/profile-reader';
import { wordsOf } from 'resume-profile/resume-language';
import { pluralize, toVisible } from 'resume-profile/text';
import { textsOf } from 'resume-profile/texts';
import { type PrintedPreview, previewWidth } from '../../../../model/profile/printed-preview.ts';
import { previewAnswers, previewProfile, printPreview } from '../../../../operations/owner/preview.ts';
import { capitalize } from '../../format.ts';
import type { Html } from '../../page.ts';
import type { Desk } from '../router.ts';
import { fieldAt } from './fields.ts';
import { withoutFollowing } from './form-faults.ts';
import { labelOf, optionOf } from './labels.ts';
import { previewId } from './outline.ts';
import { previewAddress, type SavedAt } from './preview-files.ts';

type Services = Pick<Desk, 'site' | 'run'>;

const tabs = [
  { name: 'pdf', title: 'PDF' },
  { name: 'page', title: 'Page' },
  { name: 'stranger', title: 'To a stranger' },
  { name: 'assistant', title: 'As an assistant reads it' },
] as const;

export type Tab = (typeof tabs)[number]['name'];

const toTab = (asked: string | null, usual: Tab = 'pdf'): Tab => tabs.find(({ name }) => name === asked)?.name ?? usual;

/** The tabs of each view of the profile, named `TAB.VIEW`. */
const tabsOfViews: readonly Tab[] = ['pdf', 'page', 'assistant'];

/** Returns the tab and its view; undefined is the whole profile. */
function readTab(
  asked: string | null,
  usual: Tab | undefined,
): { readonly tab: Tab; readonly view: string | undefined } {
  const [name = null, view] = asked?.split('.') ?? [];
  return { tab: toTab(name, usual), view };
}

/** A text to preview. */
interface Looked extends SavedAt {
  readonly draftId: string | null;
  readonly text: string;
  /** The tab that was asked for, or null. */
  readonly asked: string | null;
  /** The default tab; the PDF if absent. */
  readonly usual?: Tab | undefined;
}

interface Panel extends Looked {
  /** The address of the form. */
  readonly path: string;
  /** The saved text. */
  readonly saved: string;
  /** Whether the form beside it differs from the text. */
  readonly isOutdated: boolean;
}

/** The preview beside a form: of a text, or of the saved text if it has a fault; a script updates it while the owner types. */
export async function previewPanel(services: Services, panel: Panel): Promise<Html> {
  const { path, asked, usual, draftId, text, saved, isOutdated } = panel;
  const { site, run } = services;
  const { tab, view: ofView } = readTab(asked, usual);
  const shown = ofView === undefined ? tab : `${tab}.${ofView}`;
  const { views } = await run(previewProfile, { text });
  const linkTo = (name: string, title: string) =>
    html`<a href="${site.path(`${path}${query}preview=${name}`)}" data-tab="${name}"${name === shown ? html` aria-current="true"` : ''}>${title}</a>`;
  const query = draftId === null ? '?' : `?draft=${draftId}&`;
  // A tab that was chosen waits for the pictures; a form that is opened does not.
  const waits = asked !== null;
  const { note, ...known } = await partsOf(services, { ...panel, isSaved: text === saved, waits });
  const { view, isLater } =
    known.view === '' && text !== saved
      ? await partsOf(services, { ...panel, text: saved, isSaved: true, waits })
      : known;
  return html`<aside class="preview" id="${previewId}" aria-label="Preview" data-preview="${site.path(`${path}/preview`)}"${usual === undefined ? '' : ' data-usual'}>
<nav class="tabs" aria-label="Previews">${tabs.map(({ name, title }) => linkTo(name, title))}${
    views.length === 0
      ? ''
      : html`
<details${ofView === undefined ? '' : ' open'}><summary>Views</summary>${views.map(
          (view) =>
            html`<p><span class="soft">${toVisible(view)}</span> ${tabs
              .filter(({ name }) => tabsOfViews.includes(name))
              .map(({ name, title }) => linkTo(`${name}.${view}`, title))}</p>`,
        )}</details>`
  }</nav>
<div class="preview-note" role="status">${note}</div>
<div class="preview-view"${isLater || isOutdated ? ' data-later' : ''}>${view}</div>
</aside>`;
}

/** Responds with the preview of a text during typing, for the script of the page. */
export async function previewResponse(
  services: Services,
  looked: Looked & { readonly isSaved: boolean },
): Promise<Response> {
  const { note, view } = await partsOf(services, { ...looked, waits: true });
  const parts = await html`<div class="preview-note">${note}</div><div class="preview-view">${view}</div>`;
  return htmlResponse(String(parts));
}

/** Responds with the reason why there is no preview. */
export const noPreviewResponse = async (reason: string): Promise<Response> =>
  htmlResponse(String(await html`<div class="preview-note">${refusalNote(`it ${reason}.`)}</div>`));

const htmlResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } });

interface Parts {
  readonly note: Html | '';
  /** Empty if there is nothing to see. */
  readonly view: Html | '';
  /** Whether it is not printed yet: pages and warnings follow. */
  readonly isLater?: boolean;
}

async function partsOf(
  { site, run }: Services,
  {
    text,
    asked,
    usual,
    draftId,
    versionId = null,
    isSaved,
    waits,
  }: Looked & { readonly isSaved: boolean; readonly waits: boolean },
): Promise<Parts> {
  const { tab, view } = readTab(asked, usual);
  const looked = await run(previewProfile, { text, view });
  // The view may have been renamed.
  const isGone = view !== undefined && looked.profile === null && looked.faults.length === 0;
  const { revision, profile, faults, printed: before } = isGone ? await run(previewProfile, { text }) : looked;
  if (profile === null) return { note: faultNote(faults), view: '' };
  const saved =
    draftId !== null
      ? 'As the draft is saved.'
      : versionId !== null
        ? `As version ${versionId} has it.`
        : 'As it is saved.';
  const state = isSaved ? saved : unsaved;
  const addressOf = (name: string) => previewAddress(site, name, { revision, versionId });
  if (tab === 'page' || tab === 'stranger')
    return {
      note: '',
      view: html`<iframe src="${addressOf(tab)}" title="${tab === 'page' ? 'The page that visitors get' : 'The page of a stranger'}"></iframe>
<p class="small soft">${state} Its links and forms do not work here. <a href="${addressOf(tab)}" target="_blank">Larger</a></p>`,
    };
  if (tab === 'assistant') {
    const answers = await run(previewAnswers, { revision });
    return {
      note: '',
      view: html`${content('The answers of its tools', html`${answers.map(({ name, json }) => html`<h2><code>${name}</code></h2><pre>${toVisible(json)}</pre>`)}`)}
<p class="small soft">${state} What the first three tools answer. Assistants can also ask for your availability and for each job, project and section.</p>`,
    };
  }
  const printed = before ?? (waits ? (await run(printPreview, { revision, is_needed: false })).printed : null);
  if (printed !== null && 'fault' in printed) return { note: refusalNote(printed.fault), view: '' };
  // Before the first print, the browser's request for the first picture starts it.
  const { pictures, pages, warnings, paper } = printed ?? { pictures: [null], pages: null, warnings: [], paper: null };
  const length = pages === null ? '' : `${pages === 1 ? 'One page' : pluralize(pages, 'page')}, ${optionOf(paper)}.`;
  const rest = pages !== null && pages > pictures.length ? ` The first ${pictures.length} are shown.` : '';
  return {
    note: '',
    view: html`${content(
      'The pages',
      html`${pictures.map(
        (_, index) =>
          html`<a href="${addressOf(String(index + 1))}" target="_blank" title="Larger"><img src="${addressOf(String(index + 1))}" alt="Page ${index + 1} of the resume" width="${previewWidth}" height="${printed?.height ?? Math.round(previewWidth * Math.SQRT2)}" loading="lazy"></a>`,
      )}`,
    )}
<p class="small soft">${state} ${length}${rest}</p>
${warnings.map((warning) => html`<p class="small attention">${toVisible(warningLine(warning))}</p>`)}
${profile.resume.pdf_url === undefined ? '' : html`<p class="small attention">Visitors get another PDF, the one at <a href="${profile.resume.pdf_url}">${toVisible(profile.resume.pdf_url)}</a>.</p>`}`,
    isLater: printed === null,
  };
}

/** Whether the included fonts have all characters: Latin, Greek and Cyrillic with their punctuation. */
const isUsual = (text: string): boolean => /^[\t\n\r\x20-\x7e\xa0-\u052f\u1e00-\u1fff\u2010-\u2027\u20ac]*$/.test(text);

/** Returns the characters that the PDF of a text would leave out. It is printed only if it has unusual characters. */
export async function leftOutOf(run: Desk['run'], text: string): Promise<PrintedPreview['leftOut']> {
  const { revision, profile } = await run(previewProfile, { text });
  if (profile === null || profile.resume.pdf_url !== undefined) return [];
  const words = wordsOf(profile.resume.language);
  if (textsOf([profile, words]).every((one) => isUsual(one.text))) return [];
  const { printed } = await run(printPreview, { revision, is_needed: true });
  return printed === null || 'fault' in printed ? [] : printed.leftOut;
}

/** The field that confirms, when a form is sent again, which characters may be left out. */
export const leftOutField = 'left_out';
export const toLeftOutKey = (leftOut: PrintedPreview['leftOut']): string =>
  leftOut.flatMap(({ characters }) => characters).join('');

const maxCharacters = 60;

/** Asks whether to publish although the PDF leaves out characters; sending the form again confirms it. */
export function leftOutNotice(leftOut: PrintedPreview['leftOut']): Html {
  const characters = leftOut.flatMap((one) => one.characters);
  const more = characters.length - maxCharacters;
  return html`<div class="notice attention" role="alert"><p>Not published yet: the PDF would leave out ${pluralize(characters.length, 'character')}, because no font here has ${characters.length === 1 ? 'it' : 'them'}: <bdi>${toVisible(characters.slice(0, maxCharacters).join(' '))}</bdi>${more > 0 ? ` and ${more} more` : ''}. The page has them.</p>
<details><summary>Details</summary><ul>${leftOut.map(({ message }) => html`<li>${toVisible(capitalize(message))}.</li>`)}</ul><p>New fonts are used once the service is started again.</p></details></div>`;
}

/** Scrollable content, which may be longer than the screen is high. */
const content = (name: string, inner: Html): Html =>
  html`<div class="preview-content" tabindex="0" role="group" aria-label="${name}">${inner}</div>`;

const unsaved = 'With the change that is not saved yet.';

function warningLine({ path, message }: PrintedPreview['warnings'][number]): string {
  const field = fieldAt(path.join('.'));
  return `${field === undefined ? '' : `“${labelOf(field.path).label}”: `}${message}.`;
}

const maxNames = 3;
const list = new Intl.ListFormat('en-GB');

const others = 'something else';

/** Names the fields that have faults; the form shows the faults themselves. */
function faultNote(found: readonly DocumentFault[]): Html {
  const fields = withoutFollowing(found).map(({ path }) => fieldAt(path.join('.')));
  const names = [...new Set(fields.map((field) => (field === undefined ? others : `“${labelOf(field.path).label}”`)))];
  const [first] = names;
  if (names.length === 1 && first === others)
    return html`<p class="notice attention">This text is not shown while it has a fault.</p>`;
  const more = names.length - maxNames;
  const shown = more > 0 ? [...names.slice(0, maxNames), `${more} more`] : names;
  return html`<p class="notice attention">This text is not shown while ${list.format(shown)} ${names.length === 1 ? 'has a fault' : 'have faults'}.</p>`;
}

const refusalNote = (reason: string): Html =>
  html`<p class="notice bad">This text cannot be printed: ${toVisible(reason)}</p>`;
