import { entryNamesOf } from '../../model/profile/entry-heads.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import { given } from '../given.ts';
import { type Block, linked, list, paragraph, paragraphs } from './part.ts';
import type { Wording } from './wording.ts';

type OwnEntry = NonNullable<Profile['resume']['sections']>[number]['entries'][number];

/** The content of a section of the profile's own, with its consecutive bullets as one list. */
export function toOwnSection(entries: readonly OwnEntry[], wording: Wording): Block[] {
  const blocks: Block[] = [];
  for (const entry of entries) {
    const last = blocks.at(-1);
    const [block, ...others] = toOwnEntry(entry, wording);
    if (last && 'points' in last && block && 'points' in block)
      blocks.splice(-1, 1, { points: [...last.points, ...block.points] }, ...others);
    else if (block) blocks.push(block, ...others);
  }
  return blocks;
}

function toOwnEntry(entry: OwnEntry, { part, dates }: Wording): Block[] {
  const { text, bullet, name, details, organization, location, url, summary, highlights } = entry;
  const when = dates(entry.date, entry.start_date, entry.end_date);
  if (given(organization, location, when, summary).length > 0 || highlights)
    return [
      part(
        entryNamesOf('sections', entry),
        location,
        when,
        paragraphs(text),
        paragraphs(summary),
        list(given(bullet, ...(highlights ?? []))),
        linked(url),
      ),
    ];
  const label = given(name).map((strong) => ({ strong: details === undefined ? strong : `${strong}:` }));
  return [
    ...list(given(bullet)),
    ...paragraph([...label, ...given(details)], ' '),
    ...paragraphs(text),
    ...linked(url),
  ];
}
