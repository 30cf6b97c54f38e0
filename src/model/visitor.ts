import { toCanonicalAddress } from 'resume-profile/email-address';
import { z } from 'zod';

const AddressVisitor = z.object({ kind: z.literal('address'), address: z.string() });
export type AddressVisitor = Readonly<z.infer<typeof AddressVisitor>>;

const linkPrefix = 'link:';
const linkId = /^[\w-]+$/;

/** A visitor known only by the link that they opened; only the owner sees `name`, which may be absent. */
const LinkVisitor = z.object({
  kind: z.literal('link'),
  id: z.string().regex(linkId),
  name: z.string().optional(),
});

/** The subject of tokens, and of all data about visitors. */
export const Visitor = z.discriminatedUnion('kind', [AddressVisitor, LinkVisitor]);
export type Visitor = Readonly<z.infer<typeof Visitor>>;

declare const brand: unique symbol;

/** A visitor as a text, for the `sub` of tokens and the database: the address as typed, or `link:ID`. */
export type VisitorText = string & { readonly [brand]: 'text' | 'key' };

/** The text that identifies visitors: the canonical address, or `link:ID`. */
export type VisitorKey = VisitorText & { readonly [brand]: 'key' };

export const byAddress = (address: string): AddressVisitor => ({ kind: 'address', address });

export const toVisitorText = (visitor: Visitor): VisitorText => toText(visitor, (address) => address) as VisitorText;

export const visitorKeyOf = (visitor: Visitor): VisitorKey => toText(visitor, toCanonicalAddress) as VisitorKey;

const toText = (visitor: Visitor, spell: (address: string) => string): string =>
  visitor.kind === 'link' ? linkPrefix + visitor.id : spell(visitor.address);

/** A visitor as a text for the owner: like `toVisitorText`, with the name of the link if known. */
export const toOwnersText = (visitor: Visitor): string =>
  visitor.kind === 'link' && visitor.name !== undefined
    ? `${toVisitorText(visitor)} (${visitor.name})`
    : toVisitorText(visitor);

/** Reads a `VisitorText`. An address has an @, which the id of a link cannot have, so neither is read as the other. */
export function readVisitor(text: string): Visitor {
  const id = text.startsWith(linkPrefix) ? text.slice(linkPrefix.length) : '';
  return linkId.test(id) ? { kind: 'link', id } : byAddress(text);
}

export const isSameVisitor = (one: Visitor, other: Visitor): boolean => visitorKeyOf(one) === visitorKeyOf(other);
