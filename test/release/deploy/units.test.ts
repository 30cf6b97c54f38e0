import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDeployed, root, unitValues } from '../../support/deployment.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually, main } from '../../support/process.ts';

const folder = join(root, 'deploy/systemd');
const services = globSync('*.service', { cwd: folder }).sort();

test('systemd knows every key of the units', (t) => {
  const copies = newFolder(t);
  // The program is not installed here.
  for (const name of globSync('*', { cwd: folder }))
    writeFileSync(
      join(copies, name),
      readDeployed(`systemd/${name}`).replaceAll(/^ExecStart=\S+/gm, 'ExecStart=/bin/true'),
    );
  const units = globSync(join(copies, '*'));
  // It exits with 0 if it does not know a key.
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
  assert.deepEqual([units.length, status, stderr], [3, 0, '']);
});

test('systemd finds the services exposed to 2.0 of 10 at most', () => {
  assert.deepEqual(services, ['candidate-profile-backup.service', 'candidate-profile.service']);
  for (const name of services)
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', join(folder, name)]);
});

/** Returns the system calls of groups such as @system-service. */
const systemCallsIn = (...groups: readonly string[]): Set<string> => {
  const calls = new Set<string>();
  for (const group of groups) {
    const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', group], { encoding: 'utf8' });
    const lines = stdout.split('\n').map((line) => line.trim());
    for (const line of lines.slice(1).filter((one) => one !== '' && !one.startsWith('#')))
      for (const call of line.startsWith('@') ? systemCallsIn(line) : [line]) calls.add(call);
  }
  return calls;
};

/** Calls that Node tries, and does without if they are refused: it pins no memory. */
const optional = ['sched_setaffinity', 'set_mempolicy', 'mbind'];

test('the service needs no system call that its unit refuses', { timeout: 120_000 }, async (t) => {
  const filters = unitValues('candidate-profile.service', 'SystemCallFilter');
  assert.deepEqual(filters, ['@system-service', '~@privileged @resources', '@chown', 'prlimit64']);
  const refused = systemCallsIn('@privileged', '@resources');
  const allowed = systemCallsIn('@system-service').difference(refused).union(systemCallsIn('@chown')).add('prlimit64');
  assert.ok(allowed.has('epoll_wait') && allowed.has('fchown') && !allowed.has('mount'));

  const directory = newFolder(t);
  copyFileSync(fixture('profile.yaml'), join(directory, 'profile.yaml'));
  const [trace, port] = [join(directory, 'trace'), await freePort()];
  const child = spawn('strace', ['-f', '-qq', '-o', trace, process.execPath, main, 'serve'], {
    cwd: directory,
    env: { PATH: process.env.PATH, PORT: `${port}` },
    stdio: 'ignore',
  });
  t.after(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await eventually(() =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const { access_token: token } = (await (
    await fetch(`${url}/auth/token`, postJson({ email: 'visitor@example.org' }))
  ).json()) as {
    access_token: string;
  };
  const authorization = `Bearer ${token}`;
  const link = (await (await fetch(`${url}/resume?format=pdf`, { headers: { authorization } })).json()) as {
    url: string;
  };
  assert.equal((await fetch(link.url)).status, 200);
  const contact = { name: 'Visitor', email: 'visitor@example.org', company: 'Visitors', message: 'Hello' };
  assert.equal((await fetch(`${url}/contact`, postJson(contact, { authorization }))).ok, true);
  const pid = /^(\d+)/.exec(readFileSync(trace, 'utf8'))![1]!;
  process.kill(Number(pid), 'SIGTERM');
  await exited;

  const made = new Set([...readFileSync(trace, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)].map(([, call]) => call!));
  assert.ok(made.size > 40, `${made.size}`);
  assert.deepEqual(
    [...made].filter((call) => !allowed.has(call) && !optional.includes(call)),
    [],
  );
});
