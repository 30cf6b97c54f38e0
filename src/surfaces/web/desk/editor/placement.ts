import { html } from 'hono/html';
import { toVisible } from 'resume-profile/text';
import { hidden } from '../../form.ts';
import type { Html } from '../../page.ts';

/** Like `FormEntries`. */
type Entries = ReadonlyMap<string, readonly string[]>;

/** A text or an entry that names the views that show it. */
interface Placed {
  readonly in: readonly string[];
}

export const isPlaced = (value: unknown): value is Placed =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Placed>).in);

export const isPlacedText = (value: unknown): value is Placed & { readonly text: string } =>
  isPlaced(value) && typeof (value as { readonly text?: unknown }).text === 'string';

const nameOf = (name: string): string => `${name}.in`;

/**
 * Returns the form values for the views that show a text or an entry. The first value lists the views that the form
 * offers; it is empty until they are shown.
 */
export const placementEntries = (value: unknown, name: string): [string, string[]][] =>
  isPlaced(value) ? [[nameOf(name), ['', ...value.in]]] : [];

/** Returns the views chosen in a form for a text or an entry, or its views before if it has no boxes; undefined for all. */
export function readPlacement(entries: Entries, name: string, before: unknown): readonly string[] | undefined {
  const known = isPlaced(before) ? before.in : undefined;
  const sent = entries.get(nameOf(name));
  if (sent === undefined) return known;
  const [offered = '', ...chosen] = sent;
  if (known !== undefined && chosen.length === known.length && chosen.every((view) => known.includes(view)))
    return known;
  const isInAll = offered !== '' && offered.split(' ').every((view) => chosen.includes(view));
  return isInAll ? undefined : chosen;
}

/** The checkboxes for the views that show a text or an entry; empty without `views`. */
export function placementBoxes(
  name: string,
  {
    entries,
    views,
    isEditable,
  }: { readonly entries: Entries; readonly views: readonly string[]; readonly isEditable: boolean },
): Html | '' {
  const given = entries.get(nameOf(name));
  const options = [...new Set([...views, ...(given?.slice(1) ?? [])])];
  if (options.length === 0) return given === undefined ? '' : html`${given.map((view) => hidden(nameOf(name), view))}`;
  const isIn = (view: string) => given === undefined || given.slice(1).includes(view);
  const shown = options.filter(isIn);
  const words = shown.length === options.length ? 'all' : shown.length === 0 ? 'none' : shown.map(toVisible).join(', ');
  return html`<details class="in-views small"><summary>In which views: ${words}</summary>${hidden(nameOf(name), options.join(' '))}
${options.map(
  (view) =>
    html`<label class="tick"><input type="checkbox" name="${nameOf(name)}" value="${view}"${isIn(view) ? ' checked' : ''}${isEditable ? '' : ' disabled'}> ${toVisible(view)}</label>`,
)}</details>`;
}
