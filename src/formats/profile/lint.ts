import { countCodePoints, toCodePointNotation } from '../../model/code-points.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { type Text, textsOf } from '../../model/profile/texts.ts';
import { mailWarningOf } from '../../model/reserved-domains.ts';
import { dateWarningsOf } from './date-warnings.ts';
import { emptyTextWarningsOf } from './empty-texts.ts';
import { linkWarningOf } from './link-warnings.ts';
import type { Warning } from './warning.ts';

/** Returns the warnings about a valid profile. */
export function lint(profile: Profile, today: Date): Warning[] {
  // A date is not in the future once it has begun somewhere on earth (UTC+14).
  const latest = new Date(today.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
  return [
    ...textsOf(profile).flatMap(({ path, text }) =>
      textWarningsOf(path, text, latest).map((message): Warning => ({ path, message })),
    ),
    ...emptyTextWarningsOf(profile),
    ...dateWarningsOf(profile, latest),
  ];
}

const isLink = (path: Text['path']) => ['url', 'pdf_url'].includes(String(path.at(-1))) || path.at(-2) === 'links';
const summaryLimit = 600;

function textWarningsOf(path: Text['path'], text: string, latest: string): string[] {
  const key = String(path.at(-1));
  const warnings = [hiddenIn(text)];
  if (/(^|_)date$/.test(key) && text > latest.slice(0, text.length)) warnings.push(`${text} is in the future`);
  if (isLink(path)) warnings.push(linkWarningOf(text));
  if (key === 'owner_email') warnings.push(mailWarningOf(text));
  // The summary of a publication is its abstract, which may be long.
  if (key === 'summary' && path[0] !== 'resume') {
    const length = countCodePoints(text);
    if (length > summaryLimit) warnings.push(`is ${length} characters long; few people read more than ${summaryLimit}`);
  }
  return warnings.filter((warning) => warning !== null);
}

// Control, format (such as U+200B and U+202E), private-use and unassigned characters, and letters without a visible glyph.
// Joiners are allowed in emoji and in scripts that join letters, and single variation selectors everywhere.
export const hiddenCharacters =
  /(?![\n\r\t])[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?![\u200c\u200d])\p{Cf}|(?<![\p{M}\p{scx=Arabic}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|(?<=\p{Variation_Selector})\p{Variation_Selector}/gu;

function hiddenIn(text: string): string | null {
  const found = [...text.matchAll(hiddenCharacters)];
  if (found.length === 0) return null;
  // Three at most, because finding the word before each takes linear time.
  const shown = found.slice(0, 3).map(({ 0: character, index }) => {
    const before = text.slice(0, index).replace(hiddenCharacters, '').trim().split(/\s+/).at(-1);
    return `${toCodePointNotation(character)} ${before ? `after “${before}”` : 'at the beginning'}`;
  });
  const more = found.length > 3 ? ` and ${found.length - 3} more` : '';
  return `has invisible characters or characters that change the text direction: ${shown.join(', ')}${more}`;
}
