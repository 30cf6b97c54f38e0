import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type Document, documentOf } from '../../rest/documents.ts';
import { accentsOf } from '../accent.ts';
import type { PublicProfile } from './public-profile.ts';

/** `/favicon.svg`: the initials of a public name on the accent, otherwise lines of text. */
export function faviconOf({ name = '' }: PublicProfile, accent: string): Document {
  const { light, dark } = accentsOf(accent);
  const style = `@media(prefers-color-scheme:dark){rect{fill:${dark}}g{fill:#16181a}}`;
  const initials = initialsOf(name);
  const mark =
    initials === ''
      ? html`<path d="M8 9h16v3H8zM8 15h16v2H8zM8 20h10v2H8z"/>`
      : html`<text x="16" y="22" font-family="Georgia, serif" font-size="${initials.length > 1 ? 15 : 19}" text-anchor="middle">${initials}</text>`;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<style>${raw(style)}</style>
<rect width="32" height="32" rx="4" fill="${light}"/>
<g fill="#fff">${mark}</g>
</svg>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    ...documentOf('image/svg+xml', String(svg)),
    // For the picture opened as a page of its own.
    headers: { 'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'` },
  };
}

/**
 * Returns the first letters of the first and the last word, titles such as `Dr.` not counted. In a script without capitals, whose
 * letters join or fill the width, the first alone.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => !/^\p{L}{2,}\.$/u.test(word));
  const letters = words.flatMap((word) => /\p{L}\p{M}?/u.exec(word)?.[0].toUpperCase() ?? []);
  const [first = '', last = ''] = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return /^\p{Lu}/u.test(first) && /^\p{Lu}/u.test(last) ? first + last : first;
}
