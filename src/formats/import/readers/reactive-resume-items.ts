import type { InputCursor } from '../source/input-cursor.ts';
import { toSentences } from '../source/normalize.ts';
import { toItems } from './bullets.ts';
import { toDateRange } from './date-range.ts';
import type { DraftProject, Position } from './draft.ts';
import { withoutHtml } from './html.ts';
import { profileUrlOf } from './networks.ts';

// Where the versions name a field differently, 4 comes first.

/** The position at a company, or one for each role that version 5 lists there. */
export function toPositions(item: InputCursor): Position[] {
  const company = item.text('company', 'name');
  for (const key of ['location', 'url', 'website'])
    item.at(key).leave('A company has no place or address in the profile');
  const roles = item.items('roles');
  if (roles.length === 0) return [{ company, ...toHeld(item) }];
  for (const key of ['position', 'period']) item.at(key).leave('The roles at the company say it');
  const about = withoutHtml(item.text('description'));
  return roles.map((role) => {
    role.at('id').leave('It says how Reactive Resume sets the page, not who you are');
    return { company, about, ...toHeld(role) };
  });
}

function toHeld(place: InputCursor) {
  const text = withoutHtml(place.text('summary', 'description'));
  const items = toItems(text);
  const isList = items.some(({ isBullet }) => isBullet);
  const paragraphs = items.flatMap(({ item, isBullet }) => (isBullet ? [] : item));
  return {
    title: place.text('position'),
    ...toDateRange(place.text('date', 'period')),
    summary: isList ? toSentences(paragraphs, 'joined with the other paragraphs') : text,
    accomplishments: items.flatMap(({ item, isBullet }) => (isBullet ? item : [])),
  };
}

export function toProject(item: InputCursor): DraftProject {
  for (const key of ['date', 'period', 'location'])
    item.at(key).leave('A project has no dates or place in the profile');
  const texts = [item.text('description'), item.text('summary')].map(withoutHtml);
  return {
    name: item.text('name'),
    summary: toSentences(
      texts.flatMap((text) => text ?? []),
      'made part of the summary of the project',
    ),
    tags: item.texts('keywords'),
    urls: [addressIn(item) ?? []].flat(),
  };
}

export function toEducation(item: InputCursor) {
  item.at('location').leave('A school has no place in the profile');
  return {
    institution: item.text('institution', 'school', 'name'),
    area: item.text('area'),
    degree: item.text('studyType', 'degree'),
    ...toDateRange(item.text('date', 'period')),
    score: item.text('score', 'grade'),
    url: addressIn(item),
    details: toItems(withoutHtml(item.text('summary', 'description'))).map(({ item }) => item),
  };
}

export const toCertification = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  issuer: item.text('issuer'),
  date: item.text('date'),
  url: addressIn(item),
});

export const toPublication = (item: InputCursor) => ({
  name: item.text('name', 'title'),
  publisher: item.text('publisher'),
  date: item.text('date'),
  url: addressIn(item),
  summary: withoutHtml(item.text('summary', 'description')),
});

export const toWebsite = (basics: InputCursor) => ({
  label: basics.at('url').text('label') ?? basics.at('website').text('label'),
  url: addressIn(basics),
});

export function toProfileLink(item: InputCursor) {
  const [label, url] = [item.text('network'), addressIn(item)];
  const why = 'There is no address to link to, and none can be made of network and user name';
  for (const key of ['network', 'username']) item.at(key).leave(url ? 'The link to the profile stands for it' : why);
  return { label, url: url ?? profileUrlOf(label, item.text('username')) };
}

/** A custom field is a link where it holds an address: version 4 has it in the value, 5 in `link`. */
export function toCustomLink(field: InputCursor) {
  const [label, link, value] = [field.text('name', 'text'), field.text('link'), field.text('value')];
  const isAddress = /^(https?:\/\/|[\w-]+(\.[\w-]+)+\/)\S+$/.test(value?.text ?? '');
  return { label, url: link ?? (isAddress ? value : undefined) };
}

const addressIn = (place: InputCursor) => place.at('url').text('href') ?? place.at('website').text('url');
