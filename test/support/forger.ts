import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** The material of the forgeries; the private key is for tokens in which only the claims are wrong. */
export interface Known {
  readonly jwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly d: string };
  /** The key as `/.well-known/jwks.json` publishes it. */
  readonly published: { readonly kid: string };
  readonly baseUrl: string;
}

/** Returns the signature of a token's signing input, in base64url. */
export type Signature = (input: string) => string;

/** Returns a text as it is, anything else as JSON. */
export const toText = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));
/** Returns a part of a token. */
export const encode = (part: unknown) => Buffer.from(toText(part)).toString('base64url');
export const hmac = (hash: string, secret: string | Buffer): Signature => {
  return (input) => createHmac(hash, secret).update(input).digest('base64url');
};
export const signed = (hash: string | null, key: KeyObject): Signature => {
  return (input) => sign(hash, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
};

/** Signs tokens with the service's own key, issued at a second: a valid one if nothing is changed. */
export function forgerOf({ jwk, published, baseUrl }: Known, second = Math.floor(Date.now() / 1000)) {
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: published.kid };
  const claims = {
    iss: baseUrl,
    aud: baseUrl,
    sub: 'visitor@example.org',
    client_id: 'auth-token',
    scope: 'profile',
    iat: second,
    exp: second + 3600,
    jti: '0123456789abcdef0123456789abcdef',
  };
  const own = signed(null, createPrivateKey({ key: { ...jwk }, format: 'jwk' }));
  const forge = (head: unknown, body: unknown, signature = own) => {
    const input = `${encode(head)}.${encode(body)}`;
    return `${input}.${signature(input)}`;
  };
  return {
    second,
    header,
    claims,
    own,
    forge,
    withHeader: (changes: object, signature = own) => forge({ ...header, ...changes }, claims, signature),
    withClaims: (changes: object) => forge(header, { ...claims, ...changes }),
  };
}

/** The signature with the group order added to its second half: a verifier without a range check accepts it. */
export function malleated(signature: Buffer): Buffer {
  const half = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
  const raised = half + 2n ** 252n + 27742317777372353535851937790883648493n;
  const tail = Buffer.from(raised.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([signature.subarray(0, 32), tail]);
}
