import { hkdfSync, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importJWK, type JSONWebKeySet } from 'jose';
import { Failure } from '../../model/failure.ts';
import { hmac } from '../node-crypto.ts';
import { createDraft } from '../output-file.ts';
import {
  generateLinkJwk,
  generatePrivateJwk,
  isCompromised,
  kidOf,
  type PrivateJwk,
  readKeySet,
  toKeySetText,
} from './private-jwks.ts';

/** The current Ed25519 keys; the `kid` of a key is its RFC 7638 thumbprint. */
export type Keys = Pick<Awaited<ReturnType<typeof openKeys>>, 'signing' | 'verifying' | 'jwks' | 'secretsFor'>;

/**
 * Opens the keys in `signingKey`, or the key file, which is created. The first whose `nbf` has come signs; all verify until
 * their `exp`. `refresh`, called when `isStale`, keeps them and throws once for an invalid file, in one line without the key.
 */
export async function openKeys({
  signingKey,
  dataDir,
  now = () => new Date(),
}: {
  signingKey?: string | undefined;
  dataDir: string;
  now?: () => Date;
}) {
  const file = keyFileIn(dataDir);
  const source = signingKey === undefined ? file : 'SIGNING_KEY';
  if (signingKey === undefined) await createKeyFile(file);
  // Before the file is read, here and in `refresh`: a change in between is then found by the next look.
  let stamp = stampOf(file);
  let text = signingKey ?? (await readKeyFile(file));
  let { keys, linkSecret } = await readKeys(text, source);
  let current = toCurrentKeys(unexpiredAt(keys, now()), now());
  let changesAt = nextChangeOf(keys, now());
  let lastError: string | undefined;

  async function reload(): Promise<void> {
    const latest = signingKey ?? (await readKeyFile(file));
    if (latest === text) return;
    ({ keys, linkSecret } = await readKeys(latest, source));
    text = latest;
  }

  /** Adds a key of links to the key file, which has none before the first link. */
  async function addLinkKey(): Promise<void> {
    if (signingKey !== undefined)
      throw new Failure(
        'UNAVAILABLE',
        'SIGNING_KEY has no key for links. `keys rotate --links` prints it with one: put that into every process.',
      );
    await replaceKeyFile(file, async (latest) => {
      const set = readKeySet(latest);
      return set.link === null ? toKeySetText({ ...set, link: generateLinkJwk() }) : latest;
    }).catch(({ message }: Error) => {
      throw new Failure('UNAVAILABLE', `The key for links could not be stored: ${message}`);
    });
    await reload();
  }

  return {
    /** The first, newest key; an older one until the `nbf` of the first. */
    get signing() {
      return current.signing;
    },
    /** Public keys by `kid`, including the signing key's; another map whenever a key is added or removed. */
    get verifying(): ReadonlyMap<string, CryptoKey> {
      return current.verifying;
    },
    get jwks(): JSONWebKeySet {
      return current.jwks;
    },
    /** Derives a 32-byte secret for a purpose from each key (HKDF, RFC 5869), the signing key's first, the oldest's last. */
    secretsFor: (purpose: string): readonly Buffer[] => current.secretsFor(purpose),
    /** The secret of the codes of links, which outlives the signing keys; null before the first link. */
    get linkSecret() {
      return linkSecret;
    },

    /** Returns the secret of the codes of links, and adds it to the key file at the first call. Throws `UNAVAILABLE`. */
    async makeLinkSecret(): Promise<Buffer> {
      if (linkSecret === null) await reload();
      if (linkSecret === null) await addLinkKey();
      return linkSecret!;
    },

    /** Whether the file has changed or could not be read, or a key began or ceased to be valid, since the last `refresh`. */
    isStale: (): boolean => (signingKey === undefined && stampOf(file) !== stamp) || Date.now() >= changesAt,

    async refresh(): Promise<void> {
      const latestStamp = stampOf(file);
      const error = await reload().then(
        () => undefined,
        (error: Error) => error,
      );
      stamp = error === undefined ? latestStamp : null;
      changesAt = nextChangeOf(keys, now());
      const latest = toCurrentKeys(unexpiredAt(keys, now()), now());
      if (latest.kids !== current.kids) current = latest;
      const isNew = error?.message !== lastError;
      lastError = error?.message;
      if (error && isNew) throw error;
    },
  };
}

type Key = Awaited<ReturnType<typeof importKey>>;

/** Returns when the next key begins or ceases to be valid, in milliseconds since 1970; infinite if none does. */
const nextChangeOf = (keys: readonly Key[], now: Date): number =>
  keys
    .flatMap(({ nbf = 0, exp = Infinity }) => [nbf * 1_000, exp * 1_000])
    .filter((at) => at > now.getTime())
    .reduce((first, at) => Math.min(first, at), Infinity);

/** The first key never expires. */
const unexpiredAt = (keys: readonly Key[], now: Date) =>
  keys.filter(({ exp = Infinity }, index) => index === 0 || exp * 1000 > now.getTime());

function toCurrentKeys(newestFirst: readonly Key[], now: Date) {
  const signing = newestFirst.find(({ nbf = 0 }) => nbf * 1000 <= now.getTime()) ?? newestFirst[0]!;
  const keys = [signing, ...newestFirst.filter((key) => key !== signing)];
  const { kid, privateKey } = signing;
  const oldest = newestFirst.at(-1)!;
  // Last is a key that every process has, never a new key before it signs.
  const deriving = keys.at(-1) === oldest ? keys : [...keys, oldest];
  const secrets = new Map<string, readonly Buffer[]>();
  return {
    kids: keys.map(({ kid }) => kid).join(' '),
    signing: { kid, privateKey },
    verifying: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ published }) => published) },
    secretsFor(purpose: string): readonly Buffer[] {
      const known = secrets.get(purpose);
      if (known) return known;
      const derived = deriving.map(({ seed }) => Buffer.from(hkdfSync('sha256', seed, '', purpose, 32)));
      secrets.set(purpose, derived);
      return derived;
    },
  };
}

async function readKeys(text: string, source: string) {
  const parse = async () => {
    const { signing, link } = readKeySet(text);
    const linkSecret = link && Buffer.from(link.k, 'base64url');
    return { keys: await Promise.all(signing.map(importKey)), linkSecret };
  };
  const set = await parse().catch(() => {
    // No `cause`: its message may quote the key.
    throw new Error(`${source}: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys`);
  });
  if (set.keys.every(({ isSecret }) => isSecret)) return set;
  throw new Error(`${source}: contains a key that is not secret (a published example, or not random): use another key`);
}

async function importKey(jwk: PrivateJwk) {
  const { d, nbf, exp, ...publicJwk } = jwk;
  const kid = await kidOf(jwk);
  return {
    kid,
    nbf,
    exp,
    isSecret: !isCompromised(jwk),
    seed: Buffer.from(d, 'base64url'),
    // Also throws if the public key doesn't belong to the private key.
    privateKey: await importJWK({ ...publicJwk, d }, 'EdDSA'),
    publicKey: await importJWK(publicJwk, 'EdDSA'),
    published: { ...publicJwk, kid, use: 'sig', alg: 'EdDSA' },
  };
}

export const keyFileIn = (dataDir: string): string => join(dataDir, 'signing-key.json');

/** Reads the key file. Throws an error of one line if it is missing, or others can read it or the group write it. */
async function readKeyFile(file: string): Promise<string> {
  const { mode } = await stat(file);
  // Group read is allowed: Kubernetes mounts a secret for a process that is not root as root:fsGroup, 0440.
  if (mode & 0o027) throw new Error(`${file}: is open to other users of this machine, chmod 600 it`);
  return readFile(file, 'utf8');
}

/** Returns a value that changes whenever the file does; null without one. */
function stampOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.ctimeNs}`;
}

/** Creates the key file with a new key, unless it exists or another process creates it first. */
async function createKeyFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  await using draft = await createDraft(`${file}.${randomUUID()}`);
  await draft.handle.writeFile(toKeySetText({ signing: [await generatePrivateJwk()], link: null }));
  await draft.createUnlessExists(file);
}

/** Replaces the text of the key file, and returns the new one; throws if another replacement is in progress. */
export async function replaceKeyFile(file: string, change: (text: string) => Promise<string>): Promise<string> {
  const path = `${file}.new`;
  await using draft = await createDraft(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(
      `${path}: exists already: another rotation is in progress, or was interrupted; in that case remove the file`,
    );
  });
  const text = await change(await readKeyFile(file));
  await draft.handle.writeFile(text);
  // Root may rotate: the service must still be able to read the file.
  const { uid, gid, mode } = await stat(file);
  await draft.handle.chown(uid, gid);
  await draft.handle.chmod(mode & 0o777);
  await draft.replace(file);
  return text;
}

/** Returns the keyed hash of a text that identifies a visitor; equal texts have equal hashes. */
export type HashVisitor = (text: string) => string;

/** Hashes with the secret of the oldest verifying key, which every process has during a rotation. Throws without one. */
export const visitorHashOf =
  (keys: Pick<Keys, 'secretsFor'>): HashVisitor =>
  (text) => {
    const secret = keys.secretsFor('visitors').at(-1);
    if (secret === undefined || secret.length === 0) throw new Error('visitors cannot be hashed without a secret');
    return hmac(secret, text);
  };
