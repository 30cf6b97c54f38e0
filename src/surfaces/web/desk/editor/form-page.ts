import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { type Topic, topicOf } from 'resume-import/readers/topics';
import type { PicturedDesign } from 'resume-profile/resume-design';
import { pluralize, toVisible } from 'resume-profile/text';
import type { PrintedPreview } from '../../../../model/profile/printed-preview.ts';
import { getProfileState } from '../../../../operations/owner/desk.ts';
import type { OutputOf } from '../../../../operations/owner/operation.ts';
import { previewProfile } from '../../../../operations/owner/preview.ts';
import { listDrafts } from '../../../../operations/owner/profile.ts';
import { hidden } from '../../form.ts';
import { capitalize } from '../../format.ts';
import type { Html } from '../../page.ts';
import type { Desk, DeskPage, DeskRequest } from '../router.ts';
import type { Removed } from './arrangement.ts';
import { audienceRemarks, publicPath } from './audience.ts';
import { controlsOfAll, innerControlsOf } from './controls.ts';
import { valueAt } from './document-values.ts';
import { removeForm } from './drafts.ts';
import { type Field, nameInWords } from './fields.ts';
import { countAt, type FormEntries, maxFields } from './form-entries.ts';
import { faultsByName, faultsElsewhere, remarksByName } from './form-faults.ts';
import { remarksOf } from './found.ts';
import type { Pictures } from './inputs.ts';
import { labelOf, optionOf } from './labels.ts';
import { contentId, entriesOf, isReordered, outline, pathOf, yamlPathOf } from './outline.ts';
import { controlsOf, experienceOrderPath, type Place, toFormEntries } from './part-values.ts';
import { type Part, parts } from './parts.ts';
import { photoControls, photoPath } from './photo.ts';
import { placementBoxes } from './placement.ts';
import { leftOutField, leftOutNotice, previewPanel, toLeftOutKey } from './preview.ts';
import { previewAddress } from './preview-files.ts';
import { orderPath, ownSections, sectionsPath, sectionTitles } from './section-order.ts';
import type { Source } from './source.ts';
import { doneId, obstacleNotice } from './yaml.ts';

/** A form of the editor as it is shown. */
export interface FormPage
  extends Pick<DeskRequest, 'formToken' | 'query' | 'times'>,
    Pick<Desk, 'site' | 'run' | 'imports'> {
  readonly source: Source;
  readonly place: Place;
  readonly entries: FormEntries;
  /** Whether the form holds unsaved changes. */
  readonly isTyped?: boolean;
  /** The text with the values of the form, whose faults are shown; null to show none. The text of the source if absent. */
  readonly text?: string | null;
  /** Faults that are not of the text, by the names of controls. */
  readonly faults?: ReadonlyMap<string, string>;
  readonly notice?: Html | undefined;
  /** Says that the form was saved. */
  readonly done?: Html | undefined;
  /** The id of the control that gets the focus. */
  readonly focus?: string | null;
  readonly status?: number;
  /** The characters that the PDF would leave out: the form asks whether to publish it all the same. */
  readonly leftOut?: PrintedPreview['leftOut'];
  /** The entry that was just removed. */
  readonly removed?: Removed | undefined;
}

/** The page with one form of the profile, beside the outline. */
export async function formPage(page: FormPage): Promise<DeskPage> {
  const {
    site,
    run,
    query,
    formToken,
    source,
    place,
    entries,
    isTyped = false,
    leftOut = [],
    notice = leftOut.length === 0 ? undefined : leftOutNotice(leftOut),
    done,
    status = 200,
    focus = null,
  } = page;
  const { document, draft, baseRevision, values } = source;
  const { text = source.text } = page;
  const { written, faults: found } = await run(previewProfile, { text: text ?? source.text });
  const findings = remarksByName(
    remarksOf({ text: text ?? source.text, written, today: page.times.now }, page.imports.get(draft?.id ?? '') ?? null),
    entries,
  );
  // If the form is not checked, remarks are shown only on unchanged values.
  const before = text === null ? toFormEntries(place, values) : entries;
  const remarked = [...findings].filter(([name]) => isDeepStrictEqual(entries.get(name), before.get(name)));
  const faults = page.faults ?? faultsByName(text === null ? [] : found, entries);
  const elsewhere = faultsElsewhere(text === null ? [] : found, entries, { site, draftId: draft?.id ?? null, values });
  const title = titleOf(page);
  const drafts = await run(listDrafts, {});
  const isTooLarge = entries.size > maxFields;
  const isEditable = !isTooLarge && (document.obstacle === null || isTyped);
  const takesPhoto = isEditable && place.part.paths.includes(photoPath);
  const pictures = place.part.name === 'look' ? await designPictures(page, text ?? source.text) : undefined;
  const photo = takesPhoto ? await photoAddress(page, text ?? source.text) : null;
  const titles = place.part.paths.includes(orderPath) ? sectionTitles(values) : null;
  const remarks = remarksBeside(page, text ?? source.text);
  const form = {
    ...{ title, entries, faults, isEditable, focus, findings: new Map(remarked), removed: page.removed },
    views: Object.keys(values.views ?? {}),
    titles: new Map(titles && [[orderPath, titles]]),
    ...(pictures && { pictures }),
    ...(remarks && { remarks }),
  };
  const controls =
    place.entry === null
      ? controlsOfAll(controlsOf(place), form)
      : controlsOf(place).map(
          ([name, field]) =>
            html`<input type="hidden" name="${name}@" value="${place.entry}">${controlsOfAll(innerControlsOf(field, name), form)}${placementBoxes(name, form)}`,
        );
  // The message stays in sight while the form is read, so it is not itself at the end of the form.
  const saved = done === undefined ? '' : html`<div id="${doneId}"></div>`;
  return {
    title: status === 200 ? title : `Not saved: ${title}`,
    section: 'Profile',
    status,
    isEditor: true,
    contentId,
    hasFrame: true,
    body: html`<div class="editor">
${outline({ site, drafts: drafts.length, values, draftId: draft?.id ?? null, place })}
<div class="part" id="${contentId}">
<h1><bdi>${toVisible(title)}</bdi></h1>
${notice === undefined ? draftNotice(page, drafts) : ''}
${headingNote(page)}
${notice ?? ''}
${document.place === 'sample' && document.obstacle === null && draft === null ? html`<p class="notice">This is the sample. Publishing makes a profile of your own; the sample stays as it is.</p>` : ''}
${isTooLarge ? html`<p class="notice">This has more than ${maxFields.toLocaleString('en')} fields, too many for a form. <a href="${site.path(yamlPathOf(draft?.id ?? null))}">Edit it as YAML</a></p>` : ''}
${document.obstacle === null || isTyped ? '' : obstacleNotice(document)}
${faultSummary([...faults.keys()], elsewhere, status !== 200 && notice === undefined)}
<form class="part-form" method="post" ${takesPhoto ? html`action="${site.path(`${pathOf(place, null)}/upload${draft === null ? '' : `?draft=${draft.id}`}`)}" enctype="multipart/form-data"` : html`action="${site.path(`${pathOf(place, null)}/save`)}"`}>
${formToken}${hidden('revision', baseRevision)}${draft === null ? '' : html`${hidden('draft', draft.id)}${hidden('draft_revision', draft.revision)}`}${leftOut.length === 0 ? '' : hidden(leftOutField, toLeftOutKey(leftOut))}
${isEditable ? html`<button class="unseen" name="do" value="check" tabindex="-1" aria-hidden="true">Check</button>` : ''}
${takesPhoto ? photoControls(entries, photo) : ''}
${controls}
${
  isEditable
    ? html`${controlsOf(place).some(([, field]) => hasLongTexts(field)) ? html`<p class="hint small soft">In texts of several lines, <code>**bold**</code>, <code>*italic*</code> and <code>[links](https://…)</code> are set as such.</p>` : ''}${saved}
<div class="save">${done ?? ''}${done === undefined || faults.size === 0 ? '' : html`<p class="small bad">With ${pluralize(faults.size, 'place')} to mend: ${linksTo([...faults.keys()])}</p>`}
<p class="actions"><button name="do" value="publish">${leftOut.length === 0 ? 'Save and publish' : 'Publish all the same'}</button> <button class="secondary" name="do" value="draft">Save as draft</button><span class="not-saved soft small"${isTyped ? '' : ' hidden'}>Not saved yet.</span></p></div>`
    : html`${saved}${done ?? ''}`
}
</form>
</div>
${previewPanel({ site, run }, { text: text ?? source.text, saved: source.text, asked: query.get('preview'), usual: place.part.preview, draftId: draft?.id ?? null, path: pathOf(place, null), isOutdated: text === null })}
</div>`,
  };
}

/** Says that a draft is shown or, in a form of the document, that there are drafts. */
function draftNotice(
  { site, imports, formToken, times, source: { draft }, place, isTyped }: FormPage,
  drafts: Drafts,
): Html | '' {
  const { timeElement, toExact } = times;
  const shown = drafts.find(({ id }) => id === draft?.id);
  if (shown !== undefined)
    return html`<div class="notice attention draft"><p>This is a draft, which you alone see, saved ${timeElement(shown.savedAt)}.${imports.has(shown.id) ? html` <a href="${site.path(`/desk/profile/import?draft=${shown.id}`)}">What was found in the file</a>` : ''}</p> ${removeForm(shown, { site, formToken, toExact, label: 'Remove the draft' })}</div>`;
  const [latest] = drafts;
  if (draft !== null || latest === undefined || isTyped) return '';
  const many =
    drafts.length === 1
      ? 'a draft that is not published, saved'
      : `${drafts.length} drafts that are not published, the latest saved`;
  return html`<p class="notice">This form has what visitors get. You have ${many} ${timeElement(latest.savedAt)}. <a href="${site.path(pathOf({ ...place, entry: null }, latest.id))}">Go on with the draft</a></p>`;
}

type Drafts = OutputOf<typeof listDrafts>;

/** Returns the remarks on a form by the paths of the fields that they are shown at; null if there are none. */
function remarksBeside(
  { site, source: { values, draft }, place: { part, entry }, entries, times }: FormPage,
  text: string,
): ReadonlyMap<string, Html> | null {
  const draftId = draft?.id ?? null;
  if (part.paths.includes(publicPath)) return audienceRemarks(text, { site, draftId, today: times.now });
  if (part.isByEntry && entry === null && isReordered(entries, values))
    return new Map([['experience', orderRemark(entries)]]);
  if (part.name === 'references' && isUnprinted(entries))
    return new Map([['resume.references.entries', unprintedRemark]]);
  return null;
}

/** Names the owner's own heading above this part, or the owner's own section on the same topic. */
function headingNote({ site, source: { values, draft }, place: { part } }: FormPage): Html | '' {
  const linkTo = (other: Part, anchor: string, words: string) =>
    html`<a href="${site.path(pathOf({ part: other, entry: null }, draft?.id ?? null))}#${anchor}">${words}</a>`;
  const heading = valueAt(values, ['resume', 'titles', part.name]);
  if (typeof heading === 'string' && heading !== '')
    return html`<p class="small soft">Its heading is “<bdi>${toVisible(heading)}</bdi>”. ${linkTo(orderPart, `resume.titles.${part.name}`, 'Change it')}</p>`;
  const topic = topicsOfParts.get(part.name);
  const titles = ownSections(values).map(({ title }) => String(title));
  const similar = titles.findIndex((title) => topic !== undefined && topicOf(title) === topic);
  return similar === -1
    ? ''
    : html`<p class="small soft">“<bdi>${toVisible(titles[similar]!)}</bdi>” is among ${linkTo(sectionsPart, `${sectionsPath}.${similar}`, 'the sections of your own')}, as it was written.</p>`;
}

/** The topics of the owner's own sections that can replace the form of a part. */
const topicsOfParts: ReadonlyMap<string, Topic> = new Map([
  ['education', 'education'],
  ['certifications', 'certifications'],
  ['languages', 'languages'],
  ['publications', 'publications'],
  ['awards', 'awards'],
  ['volunteer', 'volunteering'],
]);

const unprintedRemark = html`<p class="attention small">Nobody sees them until you tick “Print them”.</p>`;

const isUnprinted = (entries: FormEntries): boolean =>
  countAt(entries, 'resume.references.entries') > 0 && entries.get('resume.references.print')?.[0] !== 'on';

const orderPart = parts.find(({ paths }) => paths.includes(orderPath))!;
const sectionsPart = parts.find(({ paths }) => paths.includes(sectionsPath))!;

/** Offers to show the jobs in the order of the form. */
const orderRemark = (entries: FormEntries): Html =>
  html`<div class="attention small"><p>This order is not used: visitors get the latest first, unless you tick this.</p><label class="tick"><input type="checkbox" name="${experienceOrderPath}" value="as_written"${entries.has(experienceOrderPath) ? ' checked' : ''}> Show the jobs in this order</label></div>`;

/** Returns the preview of a text, or of the saved text if it has a fault. */
async function shownOf({ run, source }: FormPage, text: string) {
  const looked = await run(previewProfile, { text });
  return looked.profile === null ? run(previewProfile, { text: source.text }) : looked;
}

/** Returns the address of the photo of a text; null without one. */
async function photoAddress(page: FormPage, text: string): Promise<string | null> {
  const { revision, profile } = await shownOf(page, text);
  const draftId = page.source.draft?.id ?? null;
  return profile?.resume.photo === undefined ? null : previewAddress(page.site, 'photo', { revision, draftId });
}

/** Returns the pictures to choose a design by, by the paths of the fields. */
async function designPictures(page: FormPage, text: string): Promise<ReadonlyMap<string, Pictures>> {
  const { site, run, query, place, source } = page;
  const { values, draft } = source;
  const { usualTheme } = await run(getProfileState, {});
  const { revision, profile } = await shownOf(page, text);
  const draftId = draft?.id ?? null;
  const picturesOf = (field: keyof PicturedDesign): Pictures => ({
    moreAddress:
      field === 'theme' || query.get('pictures') === field
        ? null
        : site.path(`${pathOf(place, draftId)}${draftId === null ? '?' : '&'}pictures=${field}#resume.${field}`),
    addressOf: (option) =>
      profile === null ? null : previewAddress(site, `design/${field}/${option}`, { revision, draftId }),
  });
  const usual = `As the service is set: ${usualTheme === null ? 'your own template' : optionOf(usualTheme)}`;
  // A template of the owner's own has its own faces and margins.
  const isOfTheme = usualTheme !== null || valueAt(values, ['resume', 'theme']) !== undefined;
  return new Map([
    ['resume.theme', { ...picturesOf('theme'), none: usual }],
    ...(isOfTheme ? (['paper', 'font', 'margins'] as const) : []).map((field): [string, Pictures] => [
      `resume.${field}`,
      picturesOf(field),
    ]),
  ]);
}

const hasLongTexts = (field: Field): boolean =>
  labelOf(field.path).isLong === true || ('fields' in field && field.fields.some(hasLongTexts));

function titleOf({ place: { part, entry }, source, entries }: FormPage): string {
  if (entry === null) return part.title;
  const name = entries.get(`${part.paths[0]}.${entry}.company`)?.[0] ?? '';
  if (name.trim() !== '') return name;
  return entry < entriesOf(part, source.values).length ? 'Without a name' : 'A new company';
}

/** The label of a field with the entries around it, except the company of the form. */
const nameOfFault = (name: string): string => capitalize(nameInWords(name).replace(/^company \d+(, |: )/, ''));

const linksTo = (names: readonly string[]): readonly Html[] =>
  names.map((name, index) => html`${index === 0 ? '' : ', '}<a href="#${name}">${nameOfFault(name)}</a>`);

const faultSummary = (names: readonly string[], elsewhere: readonly Html[], isRefusal: boolean): Html | '' =>
  names.length + elsewhere.length === 0
    ? ''
    : html`<div class="notice bad" role="alert">${
        names.length === 0
          ? ''
          : html`<p>${isRefusal ? 'Not saved. ' : ''}${pluralize(names.length, 'place')} to look at: ${linksTo(names)}</p>`
      }${elsewhere.length === 0 ? '' : html`<p>${isRefusal && names.length === 0 ? 'Not saved. ' : ''}Elsewhere in the profile:</p><ul>${elsewhere.map((line) => html`<li>${line}</li>`)}</ul>`}</div>`;
