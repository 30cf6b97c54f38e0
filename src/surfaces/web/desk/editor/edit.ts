import { html } from 'hono/html';
import { readProfileText, toFaultText } from 'resume-profile/profile-reader';
import { toVisible } from 'resume-profile/text';
import { maxViews } from 'resume-profile/view-fields';
import { Failure, nullIfNotFound } from '../../../../model/failure.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import { listDrafts, publishProfile, saveDraft } from '../../../../operations/owner/profile.ts';
import { type FormLimits, hidden } from '../../form.ts';
import { type Html, redirectTo, statusMessage } from '../../page.ts';
import type { Desk, DeskForm, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { type Arrangement, arranged, removedIn, removedOf, removedPrefix } from './arrangement.ts';
import { changedPage, refusal } from './changed-page.ts';
import { focusAfter } from './controls.ts';
import { differences } from './differences.ts';
import { readValues } from './document-values.ts';
import { type FormEntries, maxFields, normalized } from './form-entries.ts';
import { type FormPage, formPage } from './form-page.ts';
import { movedTo } from './meanwhile.ts';
import { entriesOf, pathOf, yamlPathOf } from './outline.ts';
import { changedPlace, isShowable, type Place, toFormEntries, withPart } from './part-values.ts';
import { parts } from './parts.ts';
import { addPhotoTo, type PhotoFault } from './photo.ts';
import { leftOutField, leftOutOf, noPreviewResponse, previewResponse, toLeftOutKey } from './preview.ts';
import { type Source, sourcesOf, textOf, Unreadable, withValues } from './source.ts';
import { doneId, doneNotice, goneDraftPage, unsavedReason } from './yaml.ts';

/** The fields of the form itself, not of the document. */
const ownFields = new Set(['do', 'revision', 'draft', 'draft_revision', leftOutField]);

// A form writes one byte as three, and beside each field it may name all views.
const limits: FormLimits = { bytes: 3 * 1024 ** 2, fields: maxFields * (maxViews + 2) };
const maxCharacters = 20_000;

/** Adds the forms of the profile document. */
export function addEditTo(desk: DeskRouter, { site, run, imports }: Desk): void {
  const sources = sourcesOf(run);
  const { openDocument, openDraft, openSent } = sources;
  // First, because the route of an entry also matches the form of the photo.
  addPhotoTo(desk, run, (form, fault) => save(form, fault).catch((error) => explained(error, form)));
  for (const path of ['/desk/profile/edit/:part', '/desk/profile/edit/:part/:entry'] as const) {
    desk.ofDraft.action(`${path}/save`, (form) => save(form).catch((error) => explained(error, form)), { limits });
    desk.ofDraft.action(`${path}/preview`, (form) => preview(form).catch((error) => explained(error, form)), {
      limits,
    });
    desk.ofDraft.page(path, (request) => show(request).catch((error) => explained(error, null)));
  }

  // Availability had a page of its own before the editor, which may still be open in a browser.
  desk.page('/desk/availability', async () => redirectTo(site.path('/desk/profile/edit/availability')));
  desk.action('/desk/availability', ({ fields, ...form }) => {
    const typed = [['availability.status', fields.get('status') ?? ''], ['revision', fields.get('revision') ?? ''], ['do', 'publish']]; // biome-ignore format: one line
    const asNow = { ...form, params: { part: 'availability' }, fields: new URLSearchParams(typed) };
    return save(asNow).catch((error) => explained(error, asNow));
  });

  desk.early.action('/desk/profile/drafts/:id/publish', (form) =>
    publishDraft(form).catch((error) => explained(error, null)),
  );

  /** Publishes a draft as it is; a refusal is shown in the form of the draft. */
  async function publishDraft(form: DeskForm) {
    const source = await openDraft(form.params.id ?? '').catch(nullIfNotFound);
    if (source === null) return goneDraftPage(site);
    const { text, baseRevision, document, values } = source;
    const draft = source.draft!;
    // If the PDF would leave out characters, the form of the draft asks.
    if ((await leftOutOf(run, text)).length === 0) {
      const { refusal: problem } = await run(publishProfile, {
        ...{ text, base_revision: baseRevision, draft },
        session: form.session.id,
      });
      if (problem === null) return '/desk/profile/drafts?done=published';
    }
    const base = readValues((await textOf(run, baseRevision, document)) ?? '') ?? {};
    const place = showable(changedPlace(base, values), source);
    const sent = [['do', 'publish'], ['revision', baseRevision], ['draft', draft.id], ['draft_revision', draft.revision]]; // biome-ignore format: one line
    for (const [name, held] of toFormEntries(place, values)) sent.push(...held.map((one) => [name, one]));
    const params = { part: place.part.name, ...(place.entry !== null && { entry: String(place.entry) }) };
    return save({ ...form, params, fields: new URLSearchParams(sent) });
  }

  async function show({ params, query, formToken, times }: DeskRequest): Promise<DeskPage | Response> {
    const draft = query.get('draft');
    const source = draft === null ? await openDocument() : await openDraft(draft).catch(nullIfNotFound);
    if (source === null) return goneDraftPage(site);
    const place = placeOf(params);
    // If a draft exists, open it instead of the sample.
    const [latest] = draft === null && source.document.place === 'sample' ? await run(listDrafts, {}) : [];
    if (latest !== undefined) return redirectTo(site.path(pathOf({ ...place, entry: null }, latest.id)));
    if (place.entry !== null && place.entry > entriesOf(place.part, source.values).length)
      throw new Failure('NOT_FOUND');
    const entries = toFormEntries(showable(place, source), source.values);
    const page = { site, run, imports, query, formToken, times, source, place, entries };
    const asked = query.get('done');
    const done =
      asked === 'same'
        ? statusMessage('good', 'Nothing was changed, so there is nothing to publish.')
        : await doneNotice(asked, { site, run });
    return formPage({ ...page, done });
  }

  /** The page for a text that forms cannot show, with the values of the form that was sent. */
  function explained(error: unknown, form: DeskForm | null): DeskPage {
    if (!(error instanceof Unreadable)) throw error;
    const { draftId, faults } = error;
    const toYaml = html`<a class="button" href="${site.path(yamlPathOf(draftId))}"${form === null ? '' : html` target="_blank"`}>Edit as YAML</a>`;
    return {
      title: 'Only as YAML',
      section: 'Profile',
      status: 409,
      body: html`<p class="small"><a href="${site.path('/desk/profile')}">Profile</a></p>
<h1>Only as YAML</h1>
<p class="notice bad" role="alert">${
        form === null
          ? 'The text has a fault for which this form cannot show it. Correct it as text first.'
          : 'Not saved: the text now has a fault for which this form cannot show it. Correct it as text in another tab, then send this again: it has what you typed.'
      }</p>
<ol class="rows findings">${faults.map(
        (fault) => html`
<li class="row"><span class="soft small figures">${fault.line === null ? '' : `Line ${fault.line}`}</span><span>${toVisible(toFaultText(fault))}</span></li>`,
      )}</ol>
<p>${toYaml}</p>
${
  form === null
    ? ''
    : html`<form method="post" action="${site.path(`${pathOf(placeOf(form.params), null)}/save`)}">
${form.formToken}${[...form.fields].map(([name, value]) => hidden(name, value))}
<p><button>Send again</button></p>
</form>`
}`,
    };
  }

  async function readSent({ params, fields }: DeskForm) {
    const source = await openSent(fields);
    const form = { place: placeOf(params), entries: sentEntries(fields), values: {} };
    const isThere = source.isKnown && (form.place.entry ?? 0) <= entriesOf(form.place.part, source.values).length;
    return { source, ...(isThere ? form : movedTo(source.values, form)) };
  }

  async function preview(sent: DeskForm): Promise<Response> {
    const { source, place, entries } = await readSent(sent);
    const text = edited(source, place, entries);
    if (typeof text !== 'string') return noPreviewResponse(text.refusal);
    const [asked, draftId] = [sent.query.get('preview'), source.draft?.id ?? null];
    return previewResponse({ site, run }, { text, asked, draftId, isSaved: text === source.text });
  }

  async function save(sent: DeskForm, fault?: PhotoFault) {
    const { fields, query, formToken, times } = sent;
    const { source, place, entries } = await readSent(sent);
    const { draft, baseRevision, document } = source;
    const form = { source, place, entries, isTyped: true, text: null };
    const shown: FormPage = { site, run, imports, query, formToken, times, ...form };
    const refused = (reason: Html, more: Partial<FormPage> = {}) =>
      formPage({ ...shown, status: 409, notice: refusal(reason), ...more });

    if (fault !== undefined) return refused(html`${fault.reason}`, { status: fault.status });
    const [action, name = ''] = (fields.get('do') ?? '').split(' ');
    if (isArrangement(action)) {
      const change = { kind: action, name };
      const now = arranged(entries, change, removedIn(fields));
      const removed = action === 'remove' && now !== entries ? removedOf(entries, name) : undefined;
      if (now.size > maxFields) return refused(html`a form has at most ${maxFields.toLocaleString('en')} fields.`);
      return formPage({ ...shown, entries: now, removed, focus: focusAfter(change, now) });
    }
    if (fields.get('draft') && draft === null)
      return refused(
        html`the draft is not there any more: it was published or removed. Save this form as a new draft, or publish it as a change of the profile as it is now.`,
      );
    if (action === 'publish' && draft !== null && !source.isKnown)
      return refused(
        html`the draft was changed elsewhere since you opened this form. Save this form as another draft, or <a href="${site.path(pathOf(place, draft.id))}">go on from the draft as it is now</a>.`,
      );
    const long = [...entries].filter(([, typed]) => typed.some((one) => normalized(one).length > maxCharacters));
    if (long.length > 0) {
      const fault = `This is longer than ${maxCharacters.toLocaleString('en')} characters. Shorten it.`;
      return formPage({ ...shown, status: 413, faults: new Map(long.map(([field]) => [field, fault])) });
    }
    const text = edited(source, place, entries);
    if (typeof text !== 'string')
      return refused(
        html`this ${toVisible(text.refusal)}. <a href="${site.path(yamlPathOf(draft?.id ?? null))}">Change it as YAML</a>.`,
      );
    const written = { text, base_revision: baseRevision, ...(draft === null ? {} : { draft }) };
    if (action === 'draft') {
      const { id, ...unsaved } = await run(saveDraft, { ...written, session: sent.session.id });
      if (id === null) return refused(unsavedReason(unsaved, site), { text });
      const done = draft !== null && draft.id !== id ? 'beside' : 'saved';
      return doneAddress(placeAfter(place, source, text), id, done);
    }
    if (action !== 'publish')
      return formPage({ ...shown, text, done: statusMessage('attention', 'This is not saved yet.') });
    if ((await run(previewProfile, { text })).faults.length > 0) return formPage({ ...shown, text, status: 409 });
    const isSame = text === document.text && baseRevision === document.revision;
    if (isSame && draft === null && document.place === 'file') return doneAddress(place, null, 'same');
    const leftOut = await leftOutOf(run, text);
    if (leftOut.length > 0 && fields.get(leftOutField) !== toLeftOutKey(leftOut))
      return formPage({ ...shown, text, status: 409, leftOut });
    const { refusal: problem } = await run(publishProfile, { ...written, session: sent.session.id });
    if (problem === null) return doneAddress(placeAfter(place, source, text), null, 'published');
    if (problem.reason === 'changed') return changedPage(sources, shown, text, source.isKnown);
    const byHand = html`<p>To make the change by hand:</p>${differences(source.text, text)}`;
    const notice = refusal(html`${toVisible(problem.message)}.`, problem.reason === 'unwritable' ? byHand : '');
    return formPage({ ...shown, status: 409, text, notice });
  }
}

/** Returns the text with the values of a form, or a clause that says why they cannot be written into it. */
const edited = ({ text, values }: Source, place: Place, entries: FormEntries) =>
  withValues(text, withPart(place, entries, values));

function showable(place: Place, { text, values, draft }: Source): Place {
  if (isShowable(place, values)) return place;
  throw new Unreadable(readProfileText(text).locatedFaults, draft?.id ?? null);
}

/** Returns the form at an address. Throws `NOT_FOUND`. */
function placeOf({ part: name, entry }: DeskRequest['params']): Place {
  const part = parts.find((one) => one.name === name);
  if (part === undefined) throw new Failure('NOT_FOUND');
  if (entry === undefined) return { part, entry: null };
  if (part.isByEntry !== true || !/^(0|[1-9]\d{0,3})$/.test(entry)) throw new Failure('NOT_FOUND');
  return { part, entry: Number(entry) };
}

/** Returns the form to show after a save: the whole list if the entry was left empty, and thereby removed. */
function placeAfter(place: Place, { values }: Source, text: string): Place {
  const [before, after] = [values, readValues(text) ?? {}].map((one) => entriesOf(place.part, one).length);
  const isGone = place.entry !== null && (after! < before! || place.entry >= after!);
  return isGone ? { ...place, entry: null } : place;
}

/** The address of a saved form, at the message that says so. */
const doneAddress = (place: Place, draftId: string | null, done: 'same' | 'published' | 'saved' | 'beside'): string =>
  `${pathOf(place, draftId)}${draftId === null ? '?' : '&'}done=${done}#${doneId}`;

const isArrangement = (action: string | undefined): action is Arrangement['kind'] =>
  /^(add|remove|restore|up|down)$/.test(action ?? '');

/** Returns the values of a sent form. Throws `PAYLOAD_TOO_LARGE` if no page of ours has so many fields. */
function sentEntries(fields: URLSearchParams): FormEntries {
  const names = [...new Set(fields.keys())].filter((name) => !ownFields.has(name) && !name.startsWith(removedPrefix));
  // Each field may come with the views that show it.
  if (names.length > 2 * maxFields) throw new Failure('PAYLOAD_TOO_LARGE');
  return new Map(names.map((name) => [name, fields.getAll(name)]));
}
