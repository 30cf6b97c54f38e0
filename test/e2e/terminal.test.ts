import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../support/process.ts';
import { fixture } from '../support/service.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const progress = new URL('../../src/commands/terminal/progress.ts', import.meta.url).href;
const PROFILE = fixture('profile.yaml');

const availability = '{\n  "status": "open to opportunities"\n}\n';
const withoutColours = (text: string) => text.replaceAll(/␛\[\d*m/g, '');

suite('On a terminal', { concurrency: 2, skip: noTerminal }, () => {
  const call = ['call', 'get_availability'];

  test('log lines are text with the level in colour', async (t) => {
    const { code, shown } = await runOnTerminal(t, [main, ...call], { env: { PROFILE, LOG_LEVEL: 'debug' } });
    assert.equal(code, 0, shown);
    assert.match(shown, /␛\[32mINFO ␛\[39m call /);
    assert.match(
      withoutColours(shown),
      /^\S+Z INFO {2}call operation=get_availability surface=cli caller=owner code=OK /m,
    );
  });

  test('LOG_FORMAT decides how log lines are written, on a terminal and off it', async (t) => {
    const env = { PROFILE, LOG_LEVEL: 'debug' };
    const { shown } = await runOnTerminal(t, [main, ...call], { env: { ...env, LOG_FORMAT: 'json' } });
    assert.match(shown, /^\{"level":"info","time":"[^"]+Z","operation":"get_availability",.+"msg":"call"\}$/m);
    const { stderr, stdout } = await runCommand(t, call, { ...env, LOG_FORMAT: 'text' });
    assert.match(stderr, /^\S+Z INFO {2}call operation=get_availability /m);
    assert.equal(stdout, availability);
  });

  test('nothing is coloured with NO_COLOR or --no-color, which may stand before or after the command', async (t) => {
    const env = { PROFILE, LOG_LEVEL: 'debug' };
    for (const [args, more] of [
      [call, { NO_COLOR: '1' }],
      [call, { TERM: 'dumb' }],
      [[...call, '--no-color'], { FORCE_COLOR: '1' }],
      [['--no-color', ...call], {}],
    ] as const) {
      const { shown } = await runOnTerminal(t, [main, ...args], { env: { ...env, ...more } });
      assert.match(shown, / INFO {2}call /);
      assert.doesNotMatch(shown, /␛/, args.join(' '));
    }
  });

  test('a fault is red there, and off it with FORCE_COLOR', async (t) => {
    const fault = "candidate-profile: unknown command 'dance'\n";
    const { code, shown } = await runOnTerminal(t, [main, 'dance']);
    assert.deepEqual([code, shown], [2, `␛[31m${fault}␛[39m`]);
    assert.equal((await runCommand(t, ['dance'], { FORCE_COLOR: '1' })).stderr, `\x1b[31m${fault}\x1b[39m`);
    assert.equal((await runCommand(t, ['dance'])).stderr, fault);
  });

  test('work that takes over a second is shown with its seconds, also while it blocks the event loop', async (t) => {
    const work = (milliseconds: number) => [
      '--eval',
      `const { withProgress } = await import('${progress}');
       const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});
       console.log(await withProgress('Writing the PDF', wait));`,
    ];
    const [long, short] = await Promise.all([runOnTerminal(t, work(3_000)), runOnTerminal(t, work(1))]);
    assert.match(long.shown, /^\rWriting the PDF … 1 s(\rWriting the PDF … \d s)*\r␛\[Ktimed-out\n$/);
    assert.equal(short.shown, 'timed-out\n');
  });
});
