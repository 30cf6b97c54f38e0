import type { InputCursor } from '../../source/input-cursor.ts';
import { toWebAddress } from '../../source/normalize.ts';
import { omit, type Value } from '../../source/value.ts';
import type { DraftEntry } from '../draft.ts';
import { profileUrlOf, withUsername } from '../profile-url.ts';

interface Link {
  readonly label?: Value | undefined;
  readonly url: Value | undefined;
}

/** Reads the site and the profiles of a person. A profile without a link becomes an entry, unless one can be derived. */
export function toLinks(basics: InputCursor): { links: Link[]; entries: DraftEntry[] } {
  // Our own export has the links in their order as well.
  const own = basics.items('links').map((link) => ({ label: link.text('label'), url: link.text('url') }));
  const known = new Set(own.map(({ url }) => url?.text));
  const profiles = basics.items('profiles').flatMap((profile) => {
    const [network, username] = [profile.text('network'), profile.text('username')];
    const url = toWebAddress(profile.text('url'));
    if (url && known.has(url.text)) return profile.exclude('It is one of the links') ?? [];
    return { network, username, url: url ? toProfileLink(url, username) : profileUrlOf(network, username) };
  });
  return {
    links: [
      ...own,
      { url: basics.text('url', 'website') },
      ...profiles.map(({ network, url }) => ({ label: network, url })),
    ],
    entries: profiles
      .filter(({ url }) => url === undefined)
      .map(({ network, username }) => (network ? { name: network, details: username } : { text: username })),
  };
}

/** The link to a profile, with the user name if it contains it. */
function toProfileLink(url: Value, username: Value | undefined): Value {
  if (!username) return url;
  return withUsername(url, username) ?? omit(username, 'The link to the profile is used instead') ?? url;
}
