import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname;

// Private keys must have this mode, which a checkout does not preserve.
chmodSync(fixture('tls-key.pem'), 0o600);

/** Makes an empty folder for the data of one test. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'candidate-profile-'));

export const postJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
