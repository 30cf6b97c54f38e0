import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { driver } from './load.ts';
import { nginxVersion } from './nginx.ts';
import { packages } from './peers.ts';

const git = (...args: string[]): string => String(spawnSync('git', args, { cwd: import.meta.dirname }).stdout).trim();

/** Returns the machine, the versions and the commit, a line each. */
export function machine(): string[] {
  const [cpu] = cpus();
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes';
  const peers = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return [
    `Machine: ${cpu?.model}, ${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB; ${type()} ${release()}`,
    `Versions: Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${driver}, ${nginxVersion ?? 'no nginx'}, ${peers.join(', ')}`,
    `Commit: ${git('rev-parse', '--short=12', 'HEAD')}${changed}`,
  ];
}
