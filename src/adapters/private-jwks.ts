import { z } from 'zod';

// 32 bytes in their one canonical spelling: with another the thumbprint would change.
const octets = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);
const PrivateJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: octets, d: octets });
const PrivateJwks = z.union([
  z.object({ keys: z.array(PrivateJwk).min(1) }).transform(({ keys }) => keys),
  PrivateJwk.transform((key) => [key]),
]);

/** An Ed25519 private key (RFC 8037). */
export type PrivateJwk = z.infer<typeof PrivateJwk>;

/** The keys of a JWK, or of a JWK Set, in its order. Throws where the text is neither; the error may quote it. */
export const readPrivateJwks = (text: string): PrivateJwk[] => PrivateJwks.parse(JSON.parse(text));
