import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname;

// Private keys must have this mode, which a checkout does not preserve.
chmodSync(fixture('tls-key.pem'), 0o600);

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder for the data of one test; it is removed at the latest when the process exits. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'candidate-profile-'));
  folders.push(folder);
  return folder;
}

export const postJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
