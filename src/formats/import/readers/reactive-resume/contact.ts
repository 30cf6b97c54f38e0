import type { InputCursor } from '../../source/input-cursor.ts';
import { joined, layoutReason, literal, privateReason, type Value } from '../../source/value.ts';
import type { Draft, DraftEntry } from '../draft.ts';
import { toPlace } from '../place.ts';
import { profileUrlOf, withUsername } from '../profile-url.ts';
import { withoutContacts } from '../without-contacts.ts';
import { addressIn } from './fields.ts';

type Links = NonNullable<Draft['links']>;
type Sections = NonNullable<Draft['sections']>;

/** What the header of the resume says. `further` are its fields that are not links. */
export function toContact(input: InputCursor) {
  const basics = input.at('basics');
  basics.at('birthdate').exclude(privateReason);
  const fields = basics.items('customFields').map(toField);
  const profiles = toProfileLinks(basics.items('profiles'));
  return {
    name: basics.text('name'),
    title: basics.text('headline'),
    location: toPlace(basics.at('location')),
    email: basics.text('email'),
    phone: basics.text('phone'),
    photo: toPhoto(input.at('picture')) ?? toPhoto(basics.at('picture')) ?? toPhoto(basics.at('photo')),
    links: [toWebsite(basics), ...fields.flatMap(({ link }) => link ?? []), ...profiles.links] satisfies Links,
    further: [
      ...toSection(
        'Custom fields',
        fields.flatMap(({ entry }) => entry ?? []),
      ),
      ...profiles.further,
    ],
  };
}

const toSection = (title: string, entries: readonly DraftEntry[]): Sections => [
  { title: literal(title), entries: withoutContacts(entries) },
];

/** The address of a picture that is shown; its shape and filters are layout. */
function toPhoto(picture: InputCursor): Value | undefined {
  for (const key of picture.keys) if (key !== 'url') picture.at(key).exclude(layoutReason);
  const isHidden =
    [picture, picture.at('effects')].some((parent) => parent.text('hidden')?.text === 'true') ||
    picture.text('visible')?.text === 'false';
  if (isHidden) picture.at('url').explain('It is hidden in the resume');
  return isHidden ? undefined : picture.text('url');
}

const toWebsite = (basics: InputCursor) => ({
  label: basics.at('url').text('label') ?? basics.at('website').text('label'),
  url: addressIn(basics),
});

/** A custom field is a link if it has an address: in its value in version 4, in `link` in 5. */
function toField(field: InputCursor): { link?: Links[number]; entry?: DraftEntry } {
  for (const key of ['id', 'icon', 'iconColor']) field.at(key).exclude(layoutReason);
  const [name, text, link, value] = ['name', 'text', 'link', 'value'].map((key) => field.text(key));
  const isAddress = /^(https?:\/\/|[\w-]+(\.[\w-]+)+\/)\S+$/.test(value?.text ?? '');
  if (link || isAddress) return { link: { label: name ?? text, url: link ?? value } };
  return { entry: name ? { name, details: value ?? text } : { text: value ?? text } };
}

/** The links to profiles on networks; `further` are those whose address is not known. */
export function toProfileLinks(profiles: readonly InputCursor[]): { links: Links; further: Sections } {
  const all = profiles.map((profile) => {
    profile.at('id').exclude(layoutReason);
    const [network, username, url] = [profile.text('network'), profile.text('username'), addressIn(profile)];
    return { network, username, url: url ?? profileUrlOf(network, username), isGiven: url !== undefined };
  });
  return {
    links: all
      .filter(({ url }) => url)
      .map(({ network, username, url, isGiven }) =>
        isGiven ? toProfileLink(network, username, url!) : { label: network, url },
      ),
    further: toSection(
      'Profiles',
      all.filter(({ url }) => !url).map(({ network, username }) => ({ name: network, details: username })),
    ),
  };
}

/** A link whose address has the user name in it, or else its label. */
function toProfileLink(network: Value | undefined, username: Value | undefined, url: Value): Links[number] {
  if (username === undefined) return { label: network, url };
  const whole = withUsername(url, username);
  if (whole) return { label: network, url: whole };
  return { label: joined([network, username], ': ', 'joined with the user name'), url };
}
