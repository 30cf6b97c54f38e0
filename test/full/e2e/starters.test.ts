import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../../support/figures.ts';
import { run, env as shellEnv, startProgram } from '../../support/installed-package.ts';
import { eventually } from '../../support/process.ts';
import { newCheckout } from '../../support/shell.ts';

const isRefused = (url: string) =>
  fetch(url).then(
    () => false,
    ({ cause }) => cause.code === 'ECONNREFUSED',
  );

/** Makes Node.js take itself for an older one, in place of which the launcher runs that of the checkout. */
const asOldNode =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})";

suite('A service ends with the program that started it', { concurrency: 2 }, () => {
  // Each is named with the end that it has in the short form.
  for (const [name, program, args, inBrief] of [
    ['npm start', 'npm', ['start', '--silent'], 'SIGTERM'],
    ['npx', 'npx', ['--no', 'candidate-profile', 'serve'], 'SIGKILL'],
    [
      'the launcher on an older Node.js',
      process.execPath,
      ['--import', asOldNode, 'bin/candidate-profile.cjs', 'serve'],
      'Ctrl+C',
    ],
  ] as const)
    for (const end of scaled(['SIGTERM', 'SIGKILL', 'Ctrl+C'] as const, [inBrief]))
      test(`${name} that gets ${end}`, {
        skip: program === process.execPath && process.platform !== 'linux',
      }, async (t) => {
        const folder = newCheckout(t);
        const service = await startProgram(t, program, args, folder);
        // A terminal sends SIGINT to all processes. Without a terminal the launcher passes on its own.
        if (end !== 'Ctrl+C') process.kill(service.pid, end);
        else process.kill(program === process.execPath ? service.pid : -service.pid, 'SIGINT');
        await service.exited;
        await eventually(() => isRefused(service.url));
        // The service has closed its database, and so has not been killed.
        await eventually(() => globSync('data/candidate-profile.db*', { cwd: folder }).length === 1);
      });

  // The shell is there until the service has looked who started it.
  const inBackground = `nohup node bin/candidate-profile.cjs serve > log 2>&1 & echo $! > pid
    while kill -0 $! && ! grep -q Listening log; do sleep 0.1; done`;
  for (const [name, up] of [
    ['a script', inBackground],
    ['a file of commands that a script runs', 'sh up.sh'],
  ] as const)
    test(`but not with npm if ${name} starts it in the background`, async (t) => {
      const folder = newCheckout(t);
      rmSync(join(folder, 'package.json'));
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { up } }));
      writeFileSync(join(folder, 'up.sh'), inBackground);
      await run('npm', ['run', 'up'], { cwd: folder, env: { ...shellEnv, PORT: '0' } });
      const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
      t.after(() => process.kill(pid, 'SIGKILL'));
      const url = await eventually(
        () => /^Listening on (\S+)$/m.exec(readFileSync(join(folder, 'log'), 'utf8'))?.[1] ?? false,
      );
      // It looks every second.
      await pause(2_500);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
    });
});
