import { hkdfSync } from 'node:crypto';
import { importJWK, type JSONWebKeySet } from 'jose';
import { createKeyFile, keyFileIn, readKeyFile } from './key-file.ts';
import { isKnownToOthers, kidOf, type PrivateJwk, readPrivateJwks } from './private-jwks.ts';

/** The service's Ed25519 keys at the moment, each known by its RFC 7638 thumbprint (`kid`). */
export interface Keys {
  readonly signing: { readonly kid: string; readonly privateKey: CryptoKey };
  /** Public keys by `kid`, the signing one's included; another map whenever a key has come or gone. */
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** What `/.well-known/jwks.json` shows: public parts alone. */
  readonly jwks: JSONWebKeySet;
  /** One 32-byte secret a private key, the signing key's first; another purpose gives other secrets (RFC 5869). */
  secretsFor(purpose: string): readonly Buffer[];
}

interface Options {
  readonly signingKey?: string | undefined;
  readonly dataDir: string;
  readonly now?: () => Date;
}

/**
 * Opens the private JWK or JWK Set in `signingKey`, else the key file in `dataDir`, created where there is none. The
 * first key signs, all verify, the others through their `exp`; a `kid` of their own is ignored. `refresh` takes up a
 * changed file and the passing of time; a bad file changes nothing, and is thrown once. Errors are one line that never
 * shows the key.
 */
export async function openKeys({ signingKey, dataDir, now = () => new Date() }: Options) {
  const file = keyFileIn(dataDir);
  const source = signingKey === undefined ? file : 'SIGNING_KEY';
  if (signingKey === undefined) await createKeyFile(file);
  let text = signingKey ?? (await readKeyFile(file));
  let keys = await readKeys(text, source);
  let current = toKeySet(verifyingAt(keys, now()));
  let fault: string | undefined;

  async function reread(): Promise<void> {
    const latest = signingKey ?? (await readKeyFile(file));
    if (latest === text) return;
    keys = await readKeys(latest, source);
    text = latest;
  }

  return {
    get signing() {
      return current.signing;
    },
    get verifying() {
      return current.verifying;
    },
    get jwks() {
      return current.jwks;
    },
    secretsFor: (purpose) => current.secretsFor(purpose),

    async refresh(): Promise<void> {
      const error = await reread().then(
        () => undefined,
        (error: Error) => error,
      );
      const latest = toKeySet(verifyingAt(keys, now()));
      if (latest.kids !== current.kids) current = latest;
      const isNew = error?.message !== fault;
      fault = error?.message;
      if (error && isNew) throw error;
    },
  } satisfies Keys & Record<string, unknown>;
}

type Key = Awaited<ReturnType<typeof openKey>>;

const verifyingAt = (keys: readonly Key[], now: Date) =>
  keys.filter(({ exp = Infinity }, index) => index === 0 || exp * 1000 > now.getTime());

function toKeySet(keys: readonly Key[]) {
  const { kid, privateKey } = keys[0]!;
  const secrets = new Map<string, readonly Buffer[]>();
  return {
    kids: keys.map(({ kid }) => kid).join(' '),
    signing: { kid, privateKey },
    verifying: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ published }) => published) },
    secretsFor(purpose: string): readonly Buffer[] {
      const known = secrets.get(purpose);
      if (known) return known;
      const made = keys.map(({ seed }) => Buffer.from(hkdfSync('sha256', seed, '', purpose, 32)));
      secrets.set(purpose, made);
      return made;
    },
  };
}

async function readKeys(text: string, source: string): Promise<Key[]> {
  const open = async () => Promise.all(readPrivateJwks(text).map(openKey));
  const keys = await open().catch(() => {
    // Without its cause, whose text may quote the key.
    throw new Error(`${source}: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys`);
  });
  if (keys.every(({ isSecret }) => isSecret)) return keys;
  throw new Error(`${source}: holds a key that others can know, published as an example or not random; take another`);
}

async function openKey(jwk: PrivateJwk) {
  const { d, exp, ...publicJwk } = jwk;
  const kid = await kidOf(jwk);
  return {
    kid,
    exp,
    isSecret: !isKnownToOthers(jwk),
    seed: Buffer.from(d, 'base64url'),
    // Also refuses a public part that is not the private one's.
    privateKey: await importJWK({ ...publicJwk, d }, 'EdDSA'),
    publicKey: await importJWK(publicJwk, 'EdDSA'),
    published: { ...publicJwk, kid, use: 'sig', alg: 'EdDSA' },
  };
}
