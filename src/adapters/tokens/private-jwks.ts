import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

// 32 bytes in canonical base64url: another spelling would have another thumbprint.
const octets = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
const PrivateJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: octets,
  d: octets,
  nbf: z.int().optional(),
  exp: z.int().optional(),
});
const LinkJwk = z.object({ kty: z.literal('oct'), alg: z.literal('HS256'), k: octets });
const KeySet = z
  .union([
    z.object({ keys: z.array(z.union([PrivateJwk, LinkJwk])) }),
    PrivateJwk.transform((key) => ({ keys: [key] })),
  ])
  .transform(
    ({ keys }): KeySet => ({
      signing: keys.flatMap((key) => (key.kty === 'OKP' ? key : [])),
      link: keys.flatMap((key) => (key.kty === 'oct' ? key : []))[0] ?? null,
    }),
  )
  .refine(({ signing }) => signing.length > 0);

/** An Ed25519 private key (RFC 8037), which signs from `nbf` on and verifies until `exp`, in seconds since 1970. */
export type PrivateJwk = z.infer<typeof PrivateJwk>;

/** The key of the codes of links: 32 random bytes (RFC 7518, section 6.4). It does not expire. */
type LinkJwk = z.infer<typeof LinkJwk>;

/** The private keys of the service. `signing` is in the order of the text; `link` is null in a set without one. */
export interface KeySet {
  readonly signing: readonly PrivateJwk[];
  readonly link: LinkJwk | null;
}

/** Parses a JWK or a JWK Set of private keys. Throws an error that doesn't contain the text. */
export function readKeySet(text: string): KeySet {
  try {
    return KeySet.parse(JSON.parse(text));
  } catch {
    // No `cause`: its message may quote the key.
    throw new Error('is neither a JWK nor a JWK Set of Ed25519 private keys');
  }
}

/** Returns the RFC 7638 thumbprint, which is the `kid` of the key and of the tokens it has signed. */
export const kidOf = ({ kty, crv, x }: PrivateJwk): Promise<string> => calculateJwkThumbprint({ kty, crv, x });

export const toKeySetText = ({ signing, link }: KeySet): string =>
  JSON.stringify({ keys: [...signing, ...(link === null ? [] : [link])] });

export const generateLinkJwk = (): LinkJwk => ({
  kty: 'oct',
  alg: 'HS256',
  k: randomBytes(32).toString('base64url'),
});

export async function generatePrivateJwk(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return PrivateJwk.parse(await exportJWK(privateKey));
}

/** Returns a new key and the unexpired former ones, which verify until `exp` or `until`. The new one signs from `signsFrom`. */
export async function rotate(
  jwks: readonly PrivateJwk[],
  until: Date,
  now: Date,
  signsFrom?: Date,
): Promise<PrivateJwk[]> {
  const seconds = Math.ceil(until.getTime() / 1000);
  // `openKeys` ignores an `exp` of the first key, so tokens that it signed may be valid for longer.
  const former = jwks.map(({ exp, ...jwk }, index) => ({ ...jwk, exp: (index === 0 ? undefined : exp) ?? seconds }));
  const nbf = signsFrom && Math.ceil(signsFrom.getTime() / 1000);
  return [{ ...(await generatePrivateJwk()), nbf }, ...former.filter(({ exp }) => exp * 1000 > now.getTime())];
}

/** Returns whether others can know the private key: it was published as an example, or is not random. */
export const isCompromised = ({ x, d }: PrivateJwk): boolean =>
  published.has(x) || new Set(Buffer.from(d, 'base64url')).size < 16;

// Public keys of RFC 8032, section 7 (the first is also in RFC 8037, appendix A), RFC 8410 and RFC 9421.
const published = new Set([
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
  '_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU',
  'J4EX_BRMcjQPZ9DyMW6Dhs7_vyskKMnFH-98WX8dQm4',
  '7Bcrk61eVjv0kyxw4SRQNMNUZ-8u_U1k6_gZaDRn4r8',
  '38lCXk-Wj38MKfAlnPX5rtaFHCu0rYv7hgz-4KskgpI',
  'Dx0SdJQ7kUFYiRUuiT2A6TJ1ofwLZf1xtLDdoQrX13I',
  'Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE',
  'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg', // private key: the bytes 0 to 31
]);
