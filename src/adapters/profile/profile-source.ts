/** Where the profile document is: a file, or an https address. */
export type ProfileSource = ProfileFile | ProfileAddress;

export interface ProfileFile {
  readonly path: string;
  /** The path of the owner's profile, if `path` is the sample: once this file exists, it replaces `path`. */
  readonly ownPath?: string | undefined;
}

export interface ProfileAddress {
  /** May hold secrets in its query and as user name and password: show only its `nameOf`. */
  readonly address: URL;
}

export const isAddress = (source: ProfileSource): source is ProfileAddress => 'address' in source;

/** Returns what a person is shown: the path of a file, or an address without user name, password, query and fragment. */
export const nameOf = (source: ProfileSource): string =>
  isAddress(source) ? `${source.address.origin}${source.address.pathname}` : source.path;

/** Returns the path of a file; null if the document is at an address. */
export const pathOf = (source: ProfileSource): string | null => (isAddress(source) ? null : source.path);

/** Whether a text is meant as an address, valid or not; otherwise it is a path. */
export const looksLikeAddress = (text: string): boolean => /^["'\s]*(https?:|[a-z][a-z\d+.-]+:\/\/)/i.test(text);

/** Reads an https address; returns null if it is not one, or if its user name or password cannot be decoded. */
export function readAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return null;
  try {
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return null;
  }
}
