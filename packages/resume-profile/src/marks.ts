import type { Warning } from './lint.ts';
import type { Profile } from './profile-document.ts';
import { linesIn, runsIn, toParagraphs } from './prose.ts';
import { pluralize } from './text.ts';
import { isProse, textsOf } from './texts.ts';

const maxListed = 3;

/** Lists the marks that are read in a profile, such as `strong “Rust”, 2 bullets`: one finding for each text with marks. */
export const marksIn = (profile: Profile): Warning[] =>
  textsOf(profile).flatMap(({ path, text }) => {
    const paragraphs = isProse(path) ? toParagraphs(text, firstBulletOf(path)) : undefined;
    if (paragraphs === undefined) return [];
    const marks = runsIn(paragraphs).flatMap((run) => {
      const own = Object.entries(names).filter(([mark]) => run[mark as keyof typeof names] !== undefined);
      return own.length === 0 ? [] : `${own.map(([, name]) => name).join(' and ')} “${run.text}”`;
    });
    const bullets = linesIn(paragraphs).length - paragraphs.length;
    const more = marks.length - maxListed;
    const named = [
      ...marks.slice(0, maxListed),
      ...(more > 0 ? [`${more} more`] : []),
      ...(bullets > 0 ? [pluralize(bullets, 'bullet')] : []),
    ];
    return [{ path, message: named.length === 0 ? 'a backslash before a mark' : named.join(', ') }];
  });

/** Returns the first line of a text that can be a bullet; infinite for details, which stand beside a name. */
const firstBulletOf = (path: Warning['path']): number => {
  const key = path.at(-1);
  if (key === 'details') return Number.POSITIVE_INFINITY;
  return typeof key === 'number' || key === 'bullet' ? 1 : 0;
};

const names = { url: 'link', isStrong: 'strong', isEmphasis: 'emphasis', isCode: 'code' } as const;
