import { html } from 'hono/html';
import { applyEdit } from '../../../../formats/profile/edit.ts';
import { readProfileText, toFaultText } from '../../../../formats/profile/profile-reader.ts';
import { Failure } from '../../../../model/failure.ts';
import type { DocumentFault, DocumentState } from '../../../../model/profile/document-state.ts';
import { pluralize, toVisible } from '../../../../model/text.ts';
import {
  getDraft,
  getProfileDocument,
  getTextOfRevision,
  publishProfile,
  saveDraft,
} from '../../../../operations/owner/profile.ts';
import { type FormLimits, hidden } from '../../form.ts';
import { type Html, type Site, statusMessage } from '../../page.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { controlsFor, controlsOfAll } from './controls.ts';
import { differences } from './differences.ts';
import { arranged, type FormEntries, maxFields } from './form-entries.ts';
import { entriesOf, outline, pathOf } from './outline.ts';
import { controlsOf, type DocumentValues, type Place, readValues, toFormEntries, withPart } from './part-values.ts';
import { parts } from './parts.ts';

const limits: FormLimits = { bytes: 3 * 1024 ** 2, fields: maxFields };
const maxCharacters = 20_000;

/** The text that a form edits: the document, or a draft of it. */
interface Source {
  readonly text: string;
  readonly values: DocumentValues;
  readonly document: DocumentState;
  /** The revision of the document that the text is of, or that the draft was begun with. */
  readonly baseRevision: string;
  readonly draft: { readonly id: string; readonly revision: string } | null;
}

/** Adds the forms of the profile document. */
export function addEditTo(desk: DeskRouter, { site, run }: Desk): void {
  for (const path of ['/desk/profile/edit/:part', '/desk/profile/edit/:part/:entry'] as const) {
    desk.action(`${path}/save`, (form) => save(form).catch(explained), limits);
    desk.page(path, (request) => show(request).catch(explained));
  }

  async function show({ params, query, formToken }: DeskRequest): Promise<DeskPage> {
    const source = await open(query.get('draft'));
    const place = placeOf(params, source.values);
    const entries = toFormEntries(place, source.values);
    return page({ site, formToken, source, place, entries, notice: doneNotice(query.get('done')) });
  }

  /** The page for a text that cannot be shown in forms. */
  function explained(error: unknown): DeskPage {
    if (!(error instanceof Unreadable)) throw error;
    return {
      title: 'Only as YAML',
      section: 'Profile',
      status: 409,
      body: html`<h1>Only as YAML</h1>
<p class="notice bad">The text has a fault for which it cannot be shown in forms. Mend it as text first.</p>
<p><a class="button" href="${site.path('/desk/profile/yaml')}">Edit as YAML</a></p>`,
    };
  }

  async function open(draftId: string | null): Promise<Source> {
    const document = await run(getProfileDocument, {});
    if (draftId === null) return sourceOf(document.text ?? '', document, document.revision, null);
    const draft = await run(getDraft, { id: draftId });
    return sourceOf(draft.text, document, draft.baseRevision, draft);
  }

  /** Opens the text that a form was made from. */
  async function openSent(fields: URLSearchParams): Promise<Source & { readonly isKnown: boolean }> {
    const sent = (name: string) => fields.get(name) ?? '';
    if (sent('draft') !== '') {
      const { draft: _, ...source } = await open(sent('draft'));
      return { ...source, draft: { id: sent('draft'), revision: sent('draft_revision') }, isKnown: true };
    }
    const document = await run(getProfileDocument, {});
    const revision = sent('revision');
    const { text } = revision === document.revision ? document : await run(getTextOfRevision, { revision });
    return { ...sourceOf(text ?? document.text ?? '', document, revision, null), isKnown: text !== null };
  }

  async function save({ params, fields, formToken }: DeskRequest & { readonly fields: URLSearchParams }) {
    const source = await openSent(fields);
    const place = placeOf(params, source.values);
    const entries = toSent(fields);
    const shown = { site, formToken, source, place, entries };
    const [action, name = ''] = (fields.get('do') ?? '').split(' ');
    if (action === 'add' || action === 'remove' || action === 'up' || action === 'down')
      return page({
        ...shown,
        entries: arranged(entries, { kind: action, name }),
        isTyped: true,
      });

    const long = [...entries].find(([, [typed = '']]) => typed.length > maxCharacters);
    if (long !== undefined)
      return page({
        ...shown,
        isTyped: true,
        status: 413,
        faults: new Map([[long[0], `At most ${maxCharacters} characters.`]]),
      });
    let text: string;
    try {
      text = applyEdit(source.text, { kind: 'set', path: [], value: withPart(place, entries, source.values) });
    } catch (error) {
      const reason = toVisible((error as Error).message);
      return page({
        ...shown,
        isTyped: true,
        status: 409,
        notice: refusal(html`this ${reason}. <a href="${site.path('/desk/profile/yaml')}">Change it as YAML</a>`),
      });
    }
    const faults = readProfileText(text).locatedFaults;
    const draft = source.draft === null ? {} : { draft: source.draft };
    const written = { text, base_revision: source.baseRevision, ...draft };
    if (action === 'draft') {
      const { id, message } = await run(saveDraft, written);
      if (id !== null)
        return `${pathOf(place, id)}&done=${source.draft !== null && source.draft.id !== id ? 'beside' : 'saved'}`;
      return page({ ...shown, isTyped: true, status: 409, notice: refusal(html`${message}`) });
    }
    if (action !== 'publish' || faults.length > 0)
      return page({
        ...shown,
        isTyped: true,
        status: action === 'publish' ? 409 : 200,
        faults: byName(faults, entries),
      });
    const { refusal: refused } = await run(publishProfile, written);
    if (refused === null) return publishedPath(place, text);
    if (refused.reason !== 'changed')
      return page({ ...shown, isTyped: true, status: 409, notice: refusal(html`${toVisible(refused.message)}`) });
    const now = await open(null);
    return page({
      ...shown,
      // The next publish is of what is shown.
      source: now,
      isTyped: true,
      status: 409,
      notice: html`<div class="notice attention" role="alert"><p>Not published: the file was changed since you opened this form. What you typed is below, and nothing is lost. Publish again to put it in place of what the file has now.</p>
${source.isKnown ? html`<p>Changed in the file meanwhile:</p>${differences(source.text, now.text)}` : ''}
<p>What publishing would change:</p>${differences(now.text, text)}</div>`,
    });
  }
}

/** The text cannot be shown in forms. */
class Unreadable extends Error {}

function sourceOf(text: string, document: DocumentState, baseRevision: string, draft: Source['draft']): Source {
  const values = readValues(text);
  if (values === null) throw new Unreadable();
  return { text, values, document, baseRevision, draft };
}

/** Returns the form of an address; the entry after the last is a new one. */
function placeOf({ part: name, entry }: DeskRequest['params'], values: DocumentValues): Place {
  const part = parts.find((one) => one.name === name);
  if (part === undefined) throw new Failure('NOT_FOUND');
  if (entry === undefined) return { part, entry: null };
  if (part.isByEntry !== true || !/^(0|[1-9]\d{0,3})$/.test(entry)) throw new Failure('NOT_FOUND');
  if (Number(entry) > entriesOf(part, values).length) throw new Failure('NOT_FOUND');
  return { part, entry: Number(entry) };
}

/** The fields of the form itself, not of the document. */
const ownFields = new Set(['do', 'revision', 'draft', 'draft_revision']);

const toSent = (fields: URLSearchParams): FormEntries =>
  new Map(
    [...new Set(fields.keys())].filter((name) => !ownFields.has(name)).map((name) => [name, fields.getAll(name)]),
  );

/** Returns the faults by the control that shows each: that of the closest value that has one; '' without one. */
function byName(faults: readonly DocumentFault[], entries: FormEntries): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const fault of faults) {
    let path = fault.path.map(String);
    const isShown = () => ['', '#', '@'].some((mark) => entries.has(path.join('.') + mark));
    while (path.length > 0 && !isShown()) path = path.slice(0, -1);
    const name = path.join('.');
    const words = name === '' ? toFaultText(fault) : faultWords(fault.message);
    shown.set(name, shown.has(name) ? `${shown.get(name)} ${words}` : words);
  }
  return shown;
}

const words = new Map([
  ['is required', 'This is missing.'],
  ['must not be empty', 'This is empty.'],
  ['must not be blank; write "" if there is nothing to say', 'This has only spaces.'],
  ['must be a date: YYYY-MM-DD, YYYY-MM or YYYY', 'Write a date as 2018, 2018-03 or 2018-03-05.'],
  ['must not be before start_date', 'This is before “From”. Enter a later date.'],
  ['must not be before company_start_date', 'This is before “There from”. Enter a later date.'],
  ['must be an http or https URL', 'Write an address that begins with https://'],
  ['must be a colour such as "#0b5d6b", in quotes', 'Write a colour such as #0b5d6b.'],
]);

/** A fault in words for who sees a form and not the file. */
const faultWords = (message: string): string =>
  words.get(message) ?? `${message.charAt(0).toUpperCase()}${message.slice(1).replaceAll('_', ' ')}.`;

function publishedPath(place: Place, text: string): string {
  const count = entriesOf(place.part, readValues(text) ?? {}).length;
  // A company in which nothing was left is gone.
  return place.entry !== null && place.entry >= count
    ? '/desk/profile?done=published'
    : `${pathOf(place, null)}?done=published`;
}

const refusal = (reason: Html): Html =>
  html`<p class="notice bad" role="alert">Not saved: ${reason} Nothing that you typed is lost.</p>`;

function doneNotice(done: string | null): Html | undefined {
  if (done === 'published') return statusMessage('good', 'Published. Visitors get it from now on.');
  if (done === 'saved') return statusMessage('good', 'Saved as a draft: nobody sees it until you publish it.');
  if (done === 'beside')
    return statusMessage(
      'attention',
      'The draft was changed elsewhere since you opened it, so yours is kept as another draft.',
    );
  return undefined;
}

interface EditPage extends Pick<DeskRequest, 'formToken'> {
  readonly site: Site;
  readonly source: Source;
  readonly place: Place;
  readonly entries: FormEntries;
  /** Whether the form holds what is not saved. */
  readonly isTyped?: boolean;
  /** Those of the text as it is, unless given. */
  readonly faults?: ReadonlyMap<string, string>;
  readonly notice?: Html | undefined;
  readonly status?: number;
}

function page({
  site,
  formToken,
  source,
  place,
  entries,
  isTyped = false,
  notice,
  status = 200,
  ...given
}: EditPage): DeskPage {
  const { document, draft, baseRevision, values } = source;
  const faults =
    given.faults ?? (isTyped ? new Map<string, string>() : byName(readProfileText(source.text).locatedFaults, entries));
  const title = titleOf(place, entries);
  const { '': elsewhere, ...inForm } = Object.fromEntries(faults);
  const isWritable = document.obstacle === null;
  const controls = controlsOf(place).map(([name, field]) =>
    place.entry !== null && 'fields' in field
      ? html`<input type="hidden" name="${name}@" value="${place.entry}">${controlsOfAll(field.fields, name, { entries, faults })}`
      : controlsFor(field, name, { entries, faults }),
  );
  return {
    title: status === 200 ? title : `Not saved: ${title}`,
    section: 'Profile',
    status,
    body: html`<div class="editor">
${outline({ site, values, draftId: draft?.id ?? null, place })}
<div class="part">
<h1><bdi>${toVisible(title)}</bdi></h1>
${draft === null ? '' : html`<p class="notice attention">This is a draft, which you alone see.</p>`}
${notice ?? ''}
${document.place === 'sample' && isWritable && draft === null ? html`<p class="notice">This is the sample. Publishing makes a file of your own, <code>${toVisible(document.name)}</code>; the sample stays as it is.</p>` : ''}
${isWritable ? '' : html`<p class="notice">It cannot be changed here, because ${toVisible(document.obstacle ?? '')}.</p>`}
${faultSummary(Object.keys(inForm), elsewhere)}
<form class="part-form" method="post" action="${site.path(`${pathOf(place, null)}/save`)}">
${formToken}${hidden('revision', baseRevision)}${draft === null ? '' : html`${hidden('draft', draft.id)}${hidden('draft_revision', draft.revision)}`}
<button class="unseen" name="do" value="check" tabindex="-1" aria-hidden="true">Check</button>
<div class="part-fields">${controls}</div>
<p class="hint small soft">In texts of several lines, <code>**bold**</code>, <code>*italic*</code> and <code>[links](https://…)</code> are set as such.</p>
${isWritable ? html`<p class="actions save"><button name="do" value="publish">Save and publish</button> <button class="secondary" name="do" value="draft">Save as draft</button>${isTyped ? html` <span class="soft small">Not saved yet.</span>` : ''}</p>` : ''}
</form>
</div>
</div>`,
  };
}

function titleOf({ part, entry }: Place, entries: FormEntries): string {
  if (entry === null) return part.title;
  const name = `${part.paths[0]}.${entry}`;
  return entries.get(`${name}.company`)?.[0] || 'A new company';
}

const faultSummary = (names: readonly string[], elsewhere: string | undefined): Html | '' =>
  names.length === 0 && elsewhere === undefined
    ? ''
    : html`<div class="notice bad" role="alert">${
        names.length === 0
          ? ''
          : html`<p>${pluralize(names.length, 'place')} to look at: ${names.map((name, index) => html`${index === 0 ? '' : ', '}<a href="#${name}">${index + 1}</a>`)}</p>`
      }${elsewhere === undefined ? '' : html`<p>Elsewhere in the profile: ${toVisible(elsewhere)}</p>`}</div>`;
