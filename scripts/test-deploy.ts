import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

// Runs the files of deploy/ with the programs that they are for; with names, only the test files with these names.

const programs = {
  caddy: 'caddy',
  nginx: 'nginx',
  haproxy: 'haproxy',
  'systemd-analyze': 'systemd',
  strace: 'strace',
  bwrap: 'bubblewrap',
};
const missing = Object.entries(programs).filter(([program]) => spawnSync('which', [program]).status !== 0);
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name).join(' ');
  console.error(`The tests of deploy/ need ${packages}: apt-get install ${packages}`);
  process.exit(1);
}

const names = process.argv.slice(2);
const files = globSync('test/deploy/programs/*.run.ts').filter(
  (file) => names.length === 0 || names.some((name) => file.includes(name)),
);
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.sort()], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
