// Shows JSON as HTML. The service calls it for its examples, and the reference in a browser for its answers.

const longestText = 600;
const longestList = 3;

/** Escapes a text for HTML. @param {string} text */
export const toText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

// Writes invisible characters, and characters that change the direction of text, as JSON escapes.
const deceptive = /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** @param {string} character */
const escaped = (character) =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Shows a value, one entry a line. All but the first object of an array, long lists and long texts are folded up.
 * `tail` is the comma after the value, if there is more.
 * @param {unknown} value
 * @returns {string}
 */
export function toJsonHtml(value, tail = '') {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value).replace(deceptive, escaped) + tail;
    if (text.length <= longestText) return toText(text);
    return folded(`${toText(text.slice(0, 50))}… ${text.length} characters`, `<div>${toText(text)}</div>`);
  }
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? '[]' : '{}';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const lines = entries.map(([name, item], index) => {
    const key = isArray ? '' : `<b>"${toText(name)}"</b>: `;
    return `<div>${key}${toJsonHtml(item, index < entries.length - 1 ? ',' : '')}</div>`;
  });
  if (lines.length === 0) return `${open}${close}${tail}`;
  const shown = typeof entries[0]?.[1] === 'object' ? 1 : lines.length > longestList ? 0 : lines.length;
  const rest = isArray ? lines.splice(shown) : [];
  const more = rest.length === 0 ? '' : folded(`${rest.length} ${shown === 0 ? 'items' : 'more'}`, rest.join(''));
  return `${open}${lines.join('')}${more}<i>${close}${tail}</i>`;
}

/**
 * @param {string} summary
 * @param {string} content
 */
const folded = (summary, content) => `<details><summary>${summary}</summary>${content}</details>`;
