import { html } from 'hono/html';
import type { Html } from '../../page.ts';
import type { DeskPage } from '../router.ts';
import { differences } from './differences.ts';
import { readValues } from './document-values.ts';
import { type FormPage, formPage } from './form-page.ts';
import { mergedWith, movedTo } from './meanwhile.ts';
import { pathOf } from './outline.ts';
import { experienceOrderPath, isShowable, toFormEntries } from './part-values.ts';
import { type sourcesOf, Unreadable } from './source.ts';

type Sources = Pick<ReturnType<typeof sourcesOf>, 'openDocument' | 'withFile'>;

/** Returns the form with the changes of the file since it was made; the next publish is based on the file as it is now. */
export async function changedPage(
  { openDocument, withFile }: Sources,
  shown: FormPage,
  text: string,
  isKnown: boolean,
): Promise<DeskPage> {
  const { site, source, place, entries } = shown;
  const now = await openDocument().catch(nullIfUnreadable);
  const page = { ...shown, status: 409 };
  if (now === null || !isShowable(place, now.values))
    return formPage({
      ...page,
      notice: refusal(
        html`the profile was changed elsewhere since you opened this form, and has a fault. Save a draft until it is corrected.`,
      ),
    });
  const typed = { place, entries, values: source.values };
  if (source.draft !== null) {
    const both = await withFile(source, text, now);
    const would = (one: string) =>
      html`<p>What publishing your draft would change in it:</p>${differences(now.text, one)}`;
    if (both === null)
      return formPage({
        ...page,
        source: { ...source, baseRevision: now.document.revision },
        notice: changedNotice('unmerged', would(text)),
      });
    const { place: at } = movedTo(both.values, { ...typed, values: readValues(text) ?? {} });
    const shownNow = {
      source: both,
      place: at,
      entries: toFormEntries(at, both.values),
      isTyped: false,
      text: both.text,
    };
    return formPage({ ...page, ...shownNow, notice: changedNotice('draft', would(both.text)) });
  }
  const whole = html`<details class="whole"><summary>All that was changed</summary>${differences(source.text, now.text)}</details>`;
  if (isKnown) {
    const { notice, ...merged } = mergedWith(now.values, typed);
    const order = entries.get(experienceOrderPath);
    if (order !== undefined) merged.entries = new Map([...merged.entries, [experienceOrderPath, order]]);
    return formPage({ ...page, ...merged, source: now, notice: changedNotice('form', html`${notice}${whole}`) });
  }
  const moved = movedTo(now.values, typed);
  return formPage({
    ...page,
    ...moved,
    source: now,
    notice: changedNotice(
      'form',
      html`<p>What was changed is not known, because no history is kept. Compare what is below with <a href="${site.path(pathOf(moved.place, null))}">the form of the file as it is now</a>.</p>`,
    ),
  });
}

function nullIfUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null;
  throw error;
}

export const refusal = (reason: Html, details: Html | '' = ''): Html =>
  html`<div class="notice bad" role="alert"><p>Not saved: ${reason} Nothing that you typed is lost.</p>${details}</div>`;

const changes = {
  form: 'you opened this form. What you typed is below. Publish again to publish both: where both changed the same field, yours.',
  draft:
    'the draft was begun. The draft below has both now: where both changed the same field, what the draft had. Publish again to publish it.',
  unmerged:
    'the draft was begun, and the two cannot be put together. Publish again to publish the draft alone, which undoes what was changed.',
};

const changedNotice = (what: keyof typeof changes, details: Html): Html =>
  html`<div class="notice attention" role="alert"><p>Not published: the profile was changed since ${changes[what]}</p>${details}</div>`;
