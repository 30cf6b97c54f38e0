import { pageOf } from '../../networks.ts';
import { changed, type Value } from '../source/value.ts';

/** The address of a user's profile on a network, also of `@user@host` on Mastodon; undefined if the network is unknown. */
export function profileUrlOf(network: Value | undefined, username: Value | undefined): Value | undefined {
  const address = network && username ? pageOf(network.text, username.text) : undefined;
  return address === undefined ? undefined : changed(username!, `written as the address ${address}`, address);
}

/** An address that stands for a user name as well, because it contains it; undefined if it doesn't. */
export function withUsername(url: Value, username: Value): Value | undefined {
  if (!url.text.toLowerCase().includes(username.text.toLowerCase().replace(/^@/, ''))) return undefined;
  return { ...url, parts: [...url.parts, ...changed(username, 'left to the link, which contains it').parts] };
}
