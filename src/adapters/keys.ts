import { hkdfSync, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet } from 'jose';
import { type PrivateJwk, readPrivateJwks } from './private-jwks.ts';

/** The service's Ed25519 keys, each known by its RFC 7638 thumbprint (`kid`). */
export interface Keys {
  readonly signing: { readonly kid: string; readonly privateKey: CryptoKey };
  /** Public keys by `kid`, the signing one's included. */
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** What `/.well-known/jwks.json` shows: public parts alone. */
  readonly jwks: JSONWebKeySet;
  /** One 32-byte secret a private key, the signing key's first; another purpose gives other secrets (RFC 5869). */
  secretsFor(purpose: string): Buffer[];
}

/**
 * Opens the private JWK or JWK Set in `signingKey`, else `signing-key.json` in `dataDir`, created where there is none.
 * The first key signs, all verify; a `kid` of their own is ignored. Throws one line that never shows the key.
 */
export async function openKeys(options: { signingKey?: string | undefined; dataDir: string }): Promise<Keys> {
  const file = join(options.dataDir, 'signing-key.json');
  const keys =
    options.signingKey === undefined
      ? await readKeys(await readKeyFile(file), file)
      : await readKeys(options.signingKey, 'SIGNING_KEY');
  const { kid, privateKey } = keys[0]!;
  return {
    signing: { kid, privateKey },
    verifying: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ published }) => published) },
    secretsFor: (purpose) => keys.map(({ seed }) => Buffer.from(hkdfSync('sha256', seed, '', purpose, 32))),
  };
}

async function readKeys(text: string, source: string) {
  try {
    return await Promise.all(readPrivateJwks(text).map(openKey));
  } catch {
    // Without its cause, whose text may quote the key.
    throw new Error(`${source}: must hold an Ed25519 private key as a JWK, or a JWK Set of such keys`);
  }
}

async function openKey({ d, ...publicJwk }: PrivateJwk) {
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    seed: Buffer.from(d, 'base64url'),
    // Also refuses a public part that is not the private one's.
    privateKey: await importJWK({ ...publicJwk, d }, 'EdDSA'),
    publicKey: await importJWK(publicJwk, 'EdDSA'),
    published: { ...publicJwk, kid, use: 'sig', alg: 'EdDSA' },
  };
}

async function readKeyFile(file: string): Promise<string> {
  if (!existsSync(file)) await createKeyFile(file);
  const { mode } = await stat(file);
  if (mode & 0o007) throw new Error(`${file}: is open to other users of this machine, chmod 600 it`);
  return readFile(file, 'utf8');
}

/** Leaves a whole key file behind, ours or that of a process which was faster. */
async function createKeyFile(file: string): Promise<void> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify({ keys: [await exportJWK(privateKey)] }), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}
