import { html } from 'hono/html';
import { Failure } from '../../../../model/failure.ts';
import type { DocumentFault } from '../../../../model/profile/document-state.ts';
import { type PrintedPreview, previewWidth } from '../../../../model/profile/printed-preview.ts';
import type { Profile } from '../../../../model/profile/profile-document.ts';
import { pluralize, toVisible } from '../../../../model/text.ts';
import { findPreview, previewAnswers, previewProfile, printPreview } from '../../../../operations/owner/preview.ts';
import { getDraft, getProfileDocument } from '../../../../operations/owner/profile.ts';
import type { Html } from '../../page.ts';
import { draftOf } from '../../visitor/message-form.ts';
import { profileResponse } from '../../visitor/profile-page.ts';
import type { Desk, DeskRouter } from '../router.ts';
import { fieldAt } from './fields.ts';
import { toFaultLine } from './form-faults.ts';
import { labelOf, optionOf } from './labels.ts';

type Services = Pick<Desk, 'site' | 'run'>;

const tabs = [
  { name: 'pdf', title: 'PDF' },
  { name: 'page', title: 'Page' },
  { name: 'assistant', title: 'As an assistant reads it' },
] as const;

type Tab = (typeof tabs)[number]['name'];

const toTab = (asked: string | null): Tab => tabs.find(({ name }) => name === asked)?.name ?? 'pdf';

/** A text to be looked at. */
interface Looked {
  readonly text: string;
  /** The tab that was asked for; null without one. */
  readonly asked: string | null;
  /** The draft that the text is of; null if it is of the document. */
  readonly draftId: string | null;
}

/** Adds what the previews beside the forms consist of: pictures, and the page of visitors in a frame. */
export function addPreviewTo(desk: DeskRouter, services: Desk): void {
  const { site, run } = services;
  const path = '/desk/profile/preview/:revision';

  /** Returns a profile that was looked at; also in another process than this one, if its text is saved. */
  async function find({ revision = '' }: Readonly<Record<string, string>>, query: URLSearchParams): Promise<Profile> {
    const { profile } = await run(findPreview, { revision });
    if (profile !== null) return profile;
    const id = query.get('draft');
    const { text } = id === null ? await run(getProfileDocument, {}) : await run(getDraft, { id });
    const saved = await run(previewProfile, { text: text ?? '' });
    if (saved.profile === null || saved.revision !== revision) throw new Failure('NOT_FOUND');
    return saved.profile;
  }

  async function print({ revision = '' }: Readonly<Record<string, string>>): Promise<PrintedPreview | null> {
    const { printed } = await run(printPreview, { revision });
    return printed === null || 'fault' in printed ? null : printed;
  }

  desk.page(`${path}/page`, async ({ params, query, formToken }) => {
    const profile = await find(params, query);
    const { photo, downloads } = profile.resume;
    const hasPhoto = photo !== undefined && (await print(params))?.photo != null;
    const expiresAt = new Date(8.64e15);
    return profileResponse(
      {
        profile,
        files: {
          docx: downloads?.includes('docx') ? '#docx' : null,
          contact: '#contact',
          photo: hasPhoto ? site.path(`/desk/profile/preview/${params.revision}/photo`) : null,
        },
        visit: {
          formToken,
          session: { isRemembered: false, expiresAt, token: { subject: 'visitor@example.org', expiresAt } },
        },
        token: null,
        idempotencyKey: '',
        draft: draftOf(new URLSearchParams()),
        faults: new Map(),
        status: 200,
        isRecorded: false,
        isPreview: true,
      },
      site,
    );
  });

  desk.page(`${path}/photo`, async ({ params, query }) => {
    await find(params, query);
    const photo = (await print(params))?.photo ?? notFound();
    return pictureResponse(new Uint8Array(photo.bytes), photo.format === 'jpg' ? 'image/jpeg' : 'image/png');
  });

  desk.page(`${path}/:number`, async ({ params, query }) => {
    await find(params, query);
    const pictures = (await print(params))?.pictures ?? notFound();
    return pictureResponse(pictures[Number(params.number) - 1] ?? notFound(), 'image/png');
  });
}

function notFound(): never {
  throw new Failure('NOT_FOUND');
}

const pictureResponse = (bytes: Uint8Array<ArrayBuffer>, type: string): Response =>
  new Response(bytes, { headers: { 'content-type': type, 'cache-control': 'no-store' } });

interface Panel extends Looked {
  /** The address of the form. */
  readonly path: string;
  /** The text as it is saved. */
  readonly saved: string;
  /** Whether the form beside it holds something else than the text. */
  readonly isOutdated: boolean;
}

/** The preview beside a form: of a text, or of what is saved if the text has a fault; a script then follows what is typed. */
export async function previewPanel(services: Services, panel: Panel): Promise<Html> {
  const { path, asked, draftId, text, saved, isOutdated } = panel;
  const { site } = services;
  const shown = toTab(asked);
  const query = draftId === null ? '?' : `?draft=${draftId}&`;
  // A tab that was chosen waits for the pictures; a form that is opened does not.
  const waits = asked !== null;
  const { note, ...known } = await partsOf(services, { ...panel, isSaved: text === saved, waits });
  const { view, isLater } =
    known.view === '' && text !== saved
      ? await partsOf(services, { ...panel, text: saved, isSaved: true, waits })
      : known;
  return html`<aside class="preview" aria-label="Preview" data-preview="${site.path(`${path}/preview`)}">
<nav class="preview-tabs" aria-label="Previews">${tabs.map(
    ({ name, title }) =>
      html`<a href="${site.path(`${path}${query}preview=${name}`)}" data-tab="${name}"${name === shown ? html` aria-current="true"` : ''}>${title}</a>`,
  )}</nav>
<div class="preview-note" role="status">${note}</div>
<div class="preview-view"${isLater || isOutdated ? ' data-later' : ''}>${view}</div>
</aside>`;
}

/** Responds with the preview of a text that is typed, for the script of the page. */
export async function previewResponse(
  services: Services,
  looked: Looked & { readonly isSaved: boolean },
): Promise<Response> {
  const { note, view } = await partsOf(services, { ...looked, waits: true });
  const parts = await html`<div class="preview-note">${note}</div><div class="preview-view">${view}</div>`;
  return htmlResponse(String(parts));
}

/** Responds with why there is nothing to be looked at. */
export const noPreviewResponse = async (reason: string): Promise<Response> =>
  htmlResponse(String(await html`<div class="preview-note">${noteOf('printed', [`it ${toVisible(reason)}.`])}</div>`));

const htmlResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } });

interface Parts {
  readonly note: Html | '';
  /** Empty if there is nothing to see. */
  readonly view: Html | '';
  /** Whether more will be known of it when it is printed. */
  readonly isLater?: boolean;
}

async function partsOf(
  { site, run }: Services,
  { text, asked, draftId, isSaved, waits }: Looked & { readonly isSaved: boolean; readonly waits: boolean },
): Promise<Parts> {
  const tab = toTab(asked);
  const { revision, profile, faults, printed: before } = await run(previewProfile, { text });
  if (profile === null) return { note: faultNote(tab, faults), view: '' };
  const state = isSaved ? (draftId === null ? 'As it is saved.' : 'As the draft is saved.') : unsaved;
  const addressOf = (name: string) =>
    site.path(`/desk/profile/preview/${revision}/${name}${draftId === null ? '' : `?draft=${draftId}`}`);
  if (tab === 'page')
    return {
      note: '',
      view: html`<iframe src="${addressOf('page')}" title="The page that visitors get"></iframe>
<p class="small soft">${state} Its links and forms do not work here.</p>`,
    };
  if (tab === 'assistant') {
    const answers = await run(previewAnswers, { revision });
    return {
      note: '',
      view: html`${content('The answers of its tools', html`${answers.map(({ name, json }) => html`<h2><code>${name}</code></h2><pre>${toVisible(json)}</pre>`)}`)}
<p class="small soft">${state} What the first three tools answer.</p>`,
    };
  }
  const printed = before ?? (waits ? (await run(printPreview, { revision })).printed : null);
  if (printed !== null && 'fault' in printed) return { note: noteOf('printed', [toVisible(printed.fault)]), view: '' };
  // Without pictures yet, the first is printed when the browser asks for it.
  const { pictures, pages, warnings, paper } = printed ?? { pictures: [null], pages: null, warnings: [], paper: null };
  const length = pages === null ? '' : `${pages === 1 ? 'One page' : pluralize(pages, 'page')}, ${optionOf(paper)}.`;
  const rest = pages !== null && pages > pictures.length ? ` The first ${pictures.length} are shown.` : '';
  return {
    note: '',
    view: html`${content(
      'The pages',
      html`${pictures.map(
        (_, index) =>
          html`<img src="${addressOf(String(index + 1))}" alt="Page ${index + 1} of the resume" width="${previewWidth}" height="${printed?.height ?? Math.round(previewWidth * Math.SQRT2)}" loading="lazy">`,
      )}`,
    )}
<p class="small soft">${state} ${length}${rest}</p>
${warnings.map((warning) => html`<p class="small attention">${toVisible(warningLine(warning))}</p>`)}
${profile.resume.pdf_url === undefined ? '' : html`<p class="small attention">Visitors get another PDF, the one at <a href="${profile.resume.pdf_url}">${toVisible(profile.resume.pdf_url)}</a>.</p>`}`,
    isLater: printed === null,
  };
}

/** Content that may be longer than the screen is high, and scrolls. */
const content = (name: string, inner: Html): Html =>
  html`<div class="preview-content" tabindex="0" role="group" aria-label="${name}">${inner}</div>`;

const unsaved = 'With the change that is not saved yet.';

function warningLine({ path, message }: PrintedPreview['warnings'][number]): string {
  const field = fieldAt(path.join('.'));
  return `${field === undefined ? '' : `“${labelOf(field.path).label}”: `}${message}.`;
}

const maxFaults = 3;

function faultNote(tab: Tab, faults: readonly DocumentFault[]): Html {
  const lines = faults.slice(0, maxFaults).map((fault) => toVisible(toFaultLine(fault)));
  const more = faults.length - lines.length;
  return noteOf(tab === 'pdf' ? 'printed' : 'shown', more > 0 ? [...lines, `And ${more} more.`] : lines);
}

const noteOf = (done: 'printed' | 'shown', reasons: readonly string[]): Html =>
  html`<p class="notice bad">This text cannot be ${done}: ${reasons.join(' ')}</p>`;
