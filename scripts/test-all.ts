import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Runs every test, one run after the other, and says what each of them ran. It goes on after a failure.

const runs = [
  'test',
  'test:sweeps',
  'test:documents',
  'test:trust',
  'test:postgres',
  'test:replicas',
  'test:package',
  'test:deploy',
];

const results: { run: string; passed: number; failed: number; seconds: number; hasEnded: boolean }[] = [];
for (const run of runs) {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', run], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const count = (what: string) => Number(output.match(new RegExp(`^ℹ ${what} (\\d+)$`, 'm'))?.[1] ?? 0);
  const [passed, failed] = [count('pass'), count('fail')];
  const seconds = Math.round((performance.now() - start) / 1_000);
  results.push({ run, passed, failed, seconds, hasEnded: code === 0 || failed > 0 });
}

console.log();
for (const { run, passed, failed, seconds, hasEnded } of results) {
  const result = hasEnded ? `${passed} passed, ${failed} failed` : 'could not run, see above';
  console.log(`npm run ${run.padEnd(14)} ${result} in ${seconds} s`);
}
const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = results.every(({ failed, hasEnded }) => hasEnded && failed === 0) ? 0 : 1;
