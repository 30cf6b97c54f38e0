import { changed, type Value } from '../source/value.ts';

/** The addresses of user profiles; the last `@` is a placeholder for the user name. */
const addresses: Record<string, string> = {
  bluesky: 'https://bsky.app/profile/@',
  codeberg: 'https://codeberg.org/@',
  facebook: 'https://www.facebook.com/@',
  github: 'https://github.com/@',
  gitlab: 'https://gitlab.com/@',
  googlescholar: 'https://scholar.google.com/citations?user=@',
  imdb: 'https://www.imdb.com/name/@',
  instagram: 'https://www.instagram.com/@',
  leetcode: 'https://leetcode.com/u/@',
  linkedin: 'https://www.linkedin.com/in/@',
  medium: 'https://medium.com/@@',
  orcid: 'https://orcid.org/@',
  reddit: 'https://www.reddit.com/user/@',
  researchgate: 'https://www.researchgate.net/profile/@',
  stackoverflow: 'https://stackoverflow.com/users/@',
  telegram: 'https://t.me/@',
  twitter: 'https://twitter.com/@',
  whatsapp: 'https://wa.me/@',
  x: 'https://x.com/@',
  youtube: 'https://www.youtube.com/@@',
};

/** The address of a user's profile on a network, also of `@user@host` on Mastodon; undefined if the network is unknown. */
export function profileUrlOf(network: Value | undefined, username: Value | undefined): Value | undefined {
  if (!network || !username) return undefined;
  const name = network.text.toLowerCase().replace(/[^a-z]/g, '');
  const [, user, host] = /^@?([^@\s]+)@([^@\s/]+)$/.exec(username.text) ?? [];
  const pattern = Object.hasOwn(addresses, name) ? addresses[name] : undefined;
  const address =
    name === 'mastodon' && host !== undefined
      ? `https://${host}/@${user}`
      : pattern?.replace(/@$/, () => encodeURI(username.text.toWellFormed().trim().replace(/^@/, '')));
  return address === undefined ? undefined : changed(username, `written as the address ${address}`, address);
}
