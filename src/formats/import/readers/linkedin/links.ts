import { changed, literal, type Value } from '../../source/value.ts';
import { profileUrlOf } from '../profile-url.ts';
import { toWords } from './row.ts';

// Addresses may contain commas.
const commaBeforeSite = /,(?=\s*(?:[A-Z][A-Z_]*:|https?:|[\w-]+\.\w))/;

/** The links in a list such as `[PERSONAL:https://ada.example,OTHER:https://github.com/ada]`, in which the kinds are optional. */
export const toLinks = (value: Value | undefined) =>
  listIn(value, commaBeforeSite).map((site) => {
    const [, kind = 'OTHER', url = ''] = /^(?:([A-Z][A-Z_]*):)?(.*)$/s.exec(site.text)!;
    return {
      label: kind === 'OTHER' ? undefined : { ...site, text: toWords(kind) },
      url: changed(site, `used as the link ${url}`, url),
    };
  });

/** The links to the accounts in a list such as `[ada,lovelace]`. */
export const toHandles = (value: Value | undefined) =>
  listIn(value, /,/).map((handle) => ({ label: literal('X'), url: profileUrlOf(literal('x'), handle) }));

/** Splits a list in brackets. */
const listIn = (value: Value | undefined, separator: RegExp): Value[] =>
  (value?.text ?? '')
    .replace(/[[\]]/g, '')
    .split(separator)
    .flatMap((text) => (text.trim() === '' ? [] : { ...value!, text: text.trim() }));
