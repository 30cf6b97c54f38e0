import type { InputCursor } from '../../source/input-cursor.ts';
import { literal, type Value } from '../../source/value.ts';
import type { Draft, DraftEntry } from '../draft.ts';
import { type Leftover, leftoversIn, toLabelled, toTitle } from '../leftovers.ts';
import { toPlace } from '../place.ts';

type Section = NonNullable<Draft['sections']>[number];

const settings =
  /^[$_]|^(meta|theme|config|settings|options|layout|styles?|template|i18n|labels|translations|version|id|slug|lang|language|locale)/i;

/** Makes a section of each member that JSON Resume doesn't know. */
export const toFurtherSections = (input: InputCursor): Section[] =>
  input.unread.flatMap((key) => toSections(key, input.at(key)));

function toSections(key: string, member: InputCursor): Section[] {
  if (settings.test(key)) return member.exclude('It says how the resume is shown or stored') ?? [];
  const sections = member.items().flatMap(toSection);
  if (sections.length > 0) return sections;
  return [{ title: literal(toTitle(key)), entries: toEntries(member) }];
}

/** Reads a section with a title of its own, such as those of our own export. */
function toSection(item: InputCursor): Section[] {
  const list = ['entries', 'items'].find((key) => item.at(key).kind === 'list');
  const title = list && item.text('title', 'name', 'label');
  return list && title ? [{ title, entries: toEntries(item.at(list)) }] : [];
}

function toEntries(member: InputCursor): DraftEntry[] {
  if (member.kind === 'text') return [{ text: member.text() }];
  if (member.kind === 'list')
    return member.items().map((item) => (item.kind === 'text' ? { bullet: item.text() } : toEntry(item)));
  return leftoversIn(member).map(toDetail);
}

/** Makes an entry of a leftover. */
export const toDetail = ({ title, value }: Leftover): DraftEntry => ({ name: literal(title), details: value });

function toEntry(item: InputCursor): DraftEntry {
  const known = {
    text: item.text('text'),
    bullet: item.text('bullet'),
    name: item.text('name', 'title', 'position', 'role', 'label'),
    details: item.text('details'),
    organization: item.text(
      'organization',
      'company',
      'institution',
      'event',
      'conference',
      'publisher',
      'awarder',
      'issuer',
    ),
    location: toPlace(item.at('location')),
    date: item.text('date', 'releaseDate'),
    start: item.text('startDate'),
    end: item.text('endDate', 'end'),
    url: item.text('url', 'website', 'link'),
    summary: item.text('summary', 'description'),
    highlights: item.texts('highlights'),
  };
  const rest = leftoversIn(item);
  const isStated = known.date ?? known.start ?? known.end;
  const [first, second] = isStated ? [] : rest.filter(({ value }) => isDate(value));
  return {
    ...known,
    ...(second ? { start: first!.value, end: second.value } : first && { date: first.value }),
    highlights: [...known.highlights, ...rest.filter((each) => each !== first && each !== second).map(toLabelled)],
  };
}

/** Whether a text is a date, whatever the language of its field's name. */
const isDate = ({ text }: Value) => /^\d{4}-\d\d(-\d\d)?$/.test(text);
