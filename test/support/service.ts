import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname;

// As a key has to be; a checkout does not keep it.
chmodSync(fixture('tls-key.pem'), 0o600);

/** A folder of its own for one test's data. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'candidate-profile-'));

export const postJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
