import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './request.ts';
import { type Server, startServer } from './server-process.ts';

const folder = import.meta.dirname;

/** Installs the peers' packages unless they are those of the lock file. */
export function installPeers(): void {
  const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) =>
    join(folder, file),
  );
  if (existsSync(installed!) && statSync(installed!).mtimeMs > statSync(locked!).mtimeMs) return;
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], { stdio: 'inherit' });
  if (status !== 0) throw new Error('npm could not install the peers');
}

/** The packages of the peers, by name. */
export const packages: Record<string, string> = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
).dependencies;

/** Starts `peers/<file>.mjs`, which answers as the service has answered. */
export function startPeer(name: string, file: string, answer: Answer, at: string): Promise<Server> {
  const own = mkdtempSync(join(at, 'peer-'));
  const given = join(own, 'answer.json');
  writeFileSync(given, JSON.stringify(answer));
  return startServer(name, [process.execPath, join(folder, 'peers', `${file}.mjs`), given], own);
}
