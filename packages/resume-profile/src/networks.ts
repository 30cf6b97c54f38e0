/** The addresses of profile pages; the last `@` is a placeholder for the user name. */
// biome-ignore format: a table
const addresses: Readonly<Record<string, string>> = {
  Bluesky: 'https://bsky.app/profile/@', Codeberg: 'https://codeberg.org/@', Facebook: 'https://www.facebook.com/@',
  GitHub: 'https://github.com/@', GitLab: 'https://gitlab.com/@',
  'Google Scholar': 'https://scholar.google.com/citations?user=@', IMDb: 'https://www.imdb.com/name/@',
  Instagram: 'https://www.instagram.com/@', LeetCode: 'https://leetcode.com/u/@',
  LinkedIn: 'https://www.linkedin.com/in/@', Medium: 'https://medium.com/@@', ORCID: 'https://orcid.org/@',
  Reddit: 'https://www.reddit.com/user/@', ResearchGate: 'https://www.researchgate.net/profile/@',
  'Stack Overflow': 'https://stackoverflow.com/users/@', Telegram: 'https://t.me/@', Twitter: 'https://twitter.com/@',
  WhatsApp: 'https://wa.me/@', X: 'https://x.com/@', YouTube: 'https://www.youtube.com/@@',
};

const keyOf = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const patterns = new Map(Object.entries(addresses).map(([name, address]) => [keyOf(name), address]));

/** Returns the page of a user on a network, also for `@user@host` on Mastodon; undefined if the network is unknown. */
export function pageOf(network: string, username: string): string | undefined {
  const [, user, host] = /^@?([^@\s]+)@([^@\s/]+)$/.exec(username) ?? [];
  if (keyOf(network) === 'mastodon' && host !== undefined) return `https://${host}/@${user}`;
  const pattern = patterns.get(keyOf(network));
  const trimmed = username.toWellFormed().trim();
  // People enter the address of their page instead of their name.
  const page = networkAt(trimmed);
  const name = page?.name !== undefined && keyOf(page.name) === keyOf(network) ? (page.username ?? trimmed) : trimmed;
  const plain = encodeURI(name.replace(/^@/, ''));
  return pattern?.replace(/@$/, () => plain);
}

// A network has sites for countries and phones: de.linkedin.com, m.facebook.com.
const bare = (url: string) => url.replace(/^https?:\/\/((www|[a-z]{1,2})\.)?/, '');
const hostOf = (url: string) => /^[^/]*/.exec(bare(url))![0].toLowerCase();

/** Returns the network that an address belongs to, with the user if it is a profile page; null for any other site. */
export function networkAt(url: string): { name?: string; username?: string } | null {
  const path = bare(url).slice(hostOf(url).length);
  const entry = Object.entries(addresses).find(([, address]) => hostOf(address) === hostOf(url));
  const before = entry ? bare(entry[1]).slice(hostOf(entry[1]).length, -1) : '/@';
  const username = path.startsWith(before) ? /^([^/?#&]+)(\/?$|[?#&])/.exec(path.slice(before.length))?.[1] : undefined;
  if (!entry && username === undefined) return null;
  return { ...(entry && { name: entry[0] }), ...(username !== undefined && { username }) };
}
