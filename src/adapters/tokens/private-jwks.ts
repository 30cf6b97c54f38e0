import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

// 32 bytes in their one canonical spelling: with another the thumbprint would change.
const octets = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
const PrivateJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: octets,
  d: octets,
  exp: z.int().optional(),
});
const PrivateJwks = z.union([
  z.object({ keys: z.array(PrivateJwk).min(1) }).transform(({ keys }) => keys),
  PrivateJwk.transform((key) => [key]),
]);

/** An Ed25519 private key (RFC 8037); with `exp`, in seconds since 1970, one that verifies until then. */
export type PrivateJwk = z.infer<typeof PrivateJwk>;

/** The keys of a JWK, or of a JWK Set, in its order. Throws an error that never shows the text where it is neither. */
export function readPrivateJwks(text: string): PrivateJwk[] {
  try {
    return PrivateJwks.parse(JSON.parse(text));
  } catch {
    // Without its cause, whose text may quote the key.
    throw new Error('is neither a JWK nor a JWK Set of Ed25519 private keys');
  }
}

/** The RFC 7638 thumbprint, by which a key and what it has signed are known. */
export const kidOf = ({ kty, crv, x }: PrivateJwk): Promise<string> => calculateJwkThumbprint({ kty, crv, x });

/** A new key, made by chance. */
export async function makePrivateJwk(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  return PrivateJwk.parse(await exportJWK(privateKey));
}

/**
 * The keys after a rotation: a new one, and behind it those that go on verifying, the one that signed so far through
 * `until`. Keys whose time has passed are left out.
 */
export async function rotate(jwks: readonly PrivateJwk[], until: Date, now: Date): Promise<PrivateJwk[]> {
  const seconds = Math.ceil(until.getTime() / 1000);
  // An `exp` of the first key, which has signed regardless, says nothing.
  const former = jwks.map(({ exp, ...jwk }, index) => ({ ...jwk, exp: (index === 0 ? undefined : exp) ?? seconds }));
  return [await makePrivateJwk(), ...former.filter(({ exp }) => exp * 1000 > now.getTime())];
}

/** Whether others can know the private key: it was published as an example, or is not random. */
export const isKnownToOthers = ({ x, d }: PrivateJwk): boolean =>
  published.has(x) || new Set(Buffer.from(d, 'base64url')).size < 16;

// Public parts of RFC 8032, section 7 (the first is that of RFC 8037, appendix A, too), RFC 8410 and RFC 9421.
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
  'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg', // of the bytes 0 to 31
]);
