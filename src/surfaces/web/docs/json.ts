import { html } from 'hono/html';
import type { Html } from '../page.ts';

const longestText = 600;
const longestList = 3;

/** Shows JSON, one entry a line: what follows the first object of an array, long lists and long texts are folded up. */
export const toJsonHtml = (value: unknown): Html => html`<div class="json">${toHtml(value, '')}</div>`;

/** `tail` is the comma after the value, if there is more. */
function toHtml(value: unknown, tail: string): Html {
  if (Array.isArray(value)) return arrayToHtml(value, tail);
  if (typeof value === 'object' && value !== null) return objectToHtml(value as Record<string, unknown>, tail);
  const text = JSON.stringify(value) + tail;
  if (text.length <= longestText) return html`${text}`;
  return html`<details><summary>${text.slice(0, 50)}… ${text.length.toLocaleString('en')} characters</summary><div>${text}</div></details>`;
}

function objectToHtml(object: Record<string, unknown>, tail: string): Html {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return html`{}${tail}`;
  return html`{${entries.map(
    ([key, value], index) => html`<div><b>"${key}"</b>: ${toHtml(value, commaAfter(index, entries))}</div>`,
  )}<i>}${tail}</i>`;
}

function arrayToHtml(items: readonly unknown[], tail: string): Html {
  if (items.length === 0) return html`[]${tail}`;
  const lines = items.map((item, index) => html`<div>${toHtml(item, commaAfter(index, items))}</div>`);
  const shown = typeof items[0] === 'object' ? 1 : items.length > longestList ? 0 : items.length;
  const folded = lines.slice(shown);
  if (folded.length === 0) return html`[${lines}<i>]${tail}</i>`;
  const count = shown === 0 ? `${folded.length} items` : `${folded.length} more`;
  return html`[${lines.slice(0, shown)}<details><summary>${count}</summary>${folded}</details><i>]${tail}</i>`;
}

const commaAfter = (index: number, { length }: readonly unknown[]): string => (index < length - 1 ? ',' : '');
