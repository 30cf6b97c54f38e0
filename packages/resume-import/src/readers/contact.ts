import { pageOf } from 'resume-profile/networks';
import type { DraftEntry, DraftLink, DraftSection } from '../draft/draft.ts';
import type { InputCursor } from '../source/input-cursor.ts';
import { changed, joined, omit, type Value } from '../source/value.ts';

/** Reads a place as one text, without street and postcode. */
export function toPlace(place: InputCursor): Value | undefined {
  for (const key of ['address', 'postalCode'])
    place.at(key).exclude('It is private; the profile says city, region and country');
  const parts = [place.text('city'), place.text('region'), place.text('countryCode', 'country')];
  return place.text() ?? joined(parts, ', ', 'joined with the rest of the location into one text');
}

/** The address of a user's profile on a network, or of `@user@host` on Mastodon; undefined for unknown networks. */
export function profileUrlOf(network: Value | undefined, username: Value | undefined): Value | undefined {
  const address = network && username ? pageOf(network.text, username.text) : undefined;
  return address === undefined ? undefined : changed(username!, `written as the address ${address}`, address);
}

/** An address that stands for a user name or label as well, because it contains it; undefined if it doesn't. */
export function withText(url: Value, text: Value): Value | undefined {
  if (!url.text.toLowerCase().includes(text.text.toLowerCase().replace(/^@/, ''))) return undefined;
  return { ...url, parts: [...url.parts, ...changed(text, 'left to the link, which contains it').parts] };
}

/** A link or, without an address, an entry. */
export type Contact = { readonly link: DraftLink } | { readonly entry: DraftEntry };

/**
 * An account by its network, user name and address: a link, whose address may follow from the others. A user name that is
 * not in the address is in the label.
 */
export function toAccount(network: Value | undefined, username: Value | undefined, address?: Value): Contact {
  if (!address) {
    const url = profileUrlOf(network, username);
    return url ? { link: { label: network, url } } : { entry: { name: network, details: username } };
  }
  const url = username && withText(address, username);
  if (url || !username) return { link: { label: network, url: url ?? address } };
  return { link: { label: joined([network, username], ': ', 'joined with the user name'), url: address } };
}

export const linksOf = (contacts: readonly Contact[]): DraftLink[] =>
  contacts.flatMap((each) => ('link' in each ? each.link : []));

/** A section of lines without phone numbers and addresses, because visitors can be served it. */
export const toUnlinked = (title: Value, contacts: readonly Contact[]): DraftSection => ({
  title,
  entries: contacts.flatMap((each) => {
    if (!('entry' in each)) return [];
    const value = each.entry.details ?? each.entry.text;
    if (!value || !/\S@[^\s@]+\.\S|^[+(]?(\d[\s()./-]*){7,}$/.test(value.text)) return each.entry;
    return omit(value, 'The profile has one e-mail address and one phone number, and shows them to nobody') ?? [];
  }),
});
