import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from './settings.ts';

/** The contents of the PEM files of a certificate and its private key. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the files of TLS_CERT and TLS_KEY; `tls` is undefined unless both are set and readable. */
export function readTls(
  { TLS_CERT, TLS_KEY }: Settings,
  directory: string,
): { tls: Tls | undefined; faults: string[] } {
  const faults: string[] = [];
  const read = (name: string, path: string | undefined, isSecret: boolean): Buffer | undefined => {
    if (path === undefined) return undefined;
    try {
      return readPem(resolve(directory, path), isSecret);
    } catch (error) {
      faults.push(`${name}: cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  };
  const cert = read('TLS_CERT', TLS_CERT, false);
  const key = read('TLS_KEY', TLS_KEY, true);
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) faults.push('TLS_CERT, TLS_KEY: set both or neither');
  return { tls: cert && key && { cert, key }, faults };
}

function readPem(path: string, isSecret: boolean): Buffer {
  if (isSecret && statSync(path).mode & 0o007)
    throw new Error('it is open to other users of this machine, chmod 600 it');
  return readFileSync(path);
}
