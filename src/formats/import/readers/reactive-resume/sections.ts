import type { InputCursor } from '../../source/input-cursor.ts';
import { layoutReason, literal, type Value } from '../../source/value.ts';
import type { Draft } from '../draft.ts';
import { topicOf } from '../topics.ts';
import { toEntry } from './items.ts';

type Section = NonNullable<Draft['sections']>[number];

const kinds =
  'summary experience education skills projects languages certifications publications profiles awards volunteer interests references'.split(
    ' ',
  );

/** The kinds that the general items of a custom section can become; a name is never taken for an employer or a school. */
const customKinds = 'skills projects languages certifications publications awards interests references'.split(' ');

const notJobs = ['other', 'volunteering'];

/** Sorts what is shown by kind; `custom` are the sections of other kinds, each under its own title. */
export function toSections(input: InputCursor): {
  of(kind: string): readonly InputCursor[];
  titleOf(kind: string): Value | undefined;
  custom: Section[];
} {
  const shown = sectionsIn(input).filter(({ section }) => isShown(section));
  const all = shown.map(({ kind, section }) => {
    const title = section.text('name', 'title');
    const items = kind === 'summary' ? [section, ...section.items('items')] : section.items('items');
    return { kind, title, items: items.filter((item) => item === section || isShown(item)) };
  });
  const isKnown = (kind: string) => kinds.includes(kind);
  for (const { kind, section } of shown)
    if (isKnown(kind)) for (const key of ['name', 'title', 'heading']) section.at(key).exclude(layoutReason);
  return {
    of: (kind) => all.flatMap((each) => (each.kind === kind ? each.items : [])),
    titleOf: (kind) => all.find((each) => each.kind === kind)?.title,
    custom: all.flatMap(({ kind, title, items }) =>
      isKnown(kind) ? [] : { title: title ?? literal(kind), entries: items.map(toEntry) },
    ),
  };
}

function sectionsIn(input: InputCursor): { kind: string; section: InputCursor }[] {
  const sections = input.at('sections');
  const custom = sections.at('custom');
  const own = sections.keys.filter((key) => key !== 'custom').map((key) => toKind(key, sections.at(key)));
  return [
    { kind: 'summary', section: input.at('summary') },
    { kind: 'summary', section: input.at('basics').at('summary') },
    ...own,
    ...custom.keys.map((id) => toKind('custom', custom.at(id))),
    ...input.items('customSections').map((section) => toKind('custom', section)),
  ].filter(({ section }) => section.kind === 'object');
}

/** The kind of a section: its key in `sections` or its type; without such, what its title says. A custom text with a title is not the summary, and talks in the shape of jobs are not jobs. */
function toKind(key: string, section: InputCursor): { kind: string; section: InputCursor } {
  const [type, title] = [section.text('type')?.text ?? '', section.text('name', 'title')?.text ?? ''];
  const named = [key, type].map((name) => (name === 'work' ? 'experience' : name)).find((name) => kinds.includes(name));
  const topic = topicOf(title) ?? '';
  const isOther = named === 'summary' ? title !== '' : named === 'experience' && notJobs.includes(topic);
  if (key === 'custom' && isOther) return { kind: 'text', section };
  if (named) return { kind: named, section };
  const isGeneral = type === '' || type === 'custom';
  return { kind: isGeneral && customKinds.includes(topic) ? topic : type || key, section };
}

const settings =
  /^(id|visible|hidden|type|columns|icon|iconColor|separateLinks|options|levelNum|keepTogether|startOnNewPage|keywordLayout|layout|isDuplicated)$/;

/** Whether a section or item is visible. If it is hidden or a letter, explains why its content isn't carried over. */
function isShown(cursor: InputCursor): boolean {
  const isHidden = cursor.text('visible')?.text === 'false' || cursor.text('hidden')?.text === 'true';
  const isLetter = cursor.text('type')?.text === 'cover-letter';
  if (isHidden) cursor.explain('It is hidden in the resume');
  else if (isLetter) cursor.explain('It is a letter, not a part of the resume');
  excludeSettings(cursor);
  if (isHidden || isLetter) {
    for (const key of ['name', 'title']) if (cursor.keys.includes('items')) cursor.at(key).exclude(layoutReason);
    cursor.items('items').forEach(excludeSettings);
  }
  return !isHidden && !isLetter;
}

function excludeSettings(cursor: InputCursor): void {
  for (const key of cursor.keys) if (settings.test(key)) cursor.at(key).exclude(layoutReason);
  // The dots or stars of a level; the level in words is a field of its own.
  if (/^\d+$/.test(cursor.text('level')?.text ?? '')) cursor.at('level').exclude(layoutReason);
}
