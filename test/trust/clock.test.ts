import assert from 'node:assert/strict';
import { globSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { isFull, report } from '../support/figures.ts';
import { fixture, newFolder } from '../support/files.ts';
import { eventually, startProcess } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { openFaultySmtp } from './mail/faulty-smtp.ts';

const [faketime] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

/** Environments that shift the wall clock of a process by the offset in a file, but not its timers. */
const clocks: Record<string, (file: string) => Record<string, string>> = {
  'a shifted Date': (file) => ({
    NODE_OPTIONS: `--import=${new URL('shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: file,
  }),
  ...(isFull && {
    libfaketime: (file) => ({
      LD_PRELOAD: faketime!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }),
  }),
};

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
let longestStall = 0;
let passed = 0;

for (const [name, environment] of Object.entries(clocks))
  suite(`A wrong clock, simulated by ${name}`, {
    concurrency: true,
    skip: name === 'libfaketime' && faketime === undefined && 'needs faketime',
  }, () => {
    /** Starts a service whose clock is shifted by some seconds, and can be shifted again while it runs. */
    async function startOff(t: TestContext, seconds: number, env: Record<string, string> = {}, folder = newFolder(t)) {
      const file = join(newFolder(t), 'offset');
      const setOff = (offset: number) => {
        writeFileSync(`${file}.new`, `${offset < 0 ? '' : '+'}${offset}`);
        renameSync(`${file}.new`, file);
      };
      setOff(seconds);
      const service = await startProcess(
        t,
        { PROFILE: fixture('profile.yaml'), LIMITS: 'off', BASE_URL: 'http://localhost', ...environment(file), ...env },
        folder,
      );
      return { ...service, setOff };
    }

    const accepts = async ({ url }: { url: string }, token: string) =>
      (await fetch(`${url}/candidate`, { headers: { authorization: `Bearer ${token}` } })).status;

    test('a token from a clock up to a minute ahead or behind is accepted, and one from further ahead is refused [TRUST-32]', async (t) => {
      const right = await startOff(t, 0);
      const statuses: Record<string, number> = {};
      // On the data of the first; 90 s is over a minute even after slow responses.
      for (const seconds of [-60, 60, 90]) {
        const off = await startOff(t, seconds, {}, right.folder);
        statuses[seconds] = await accepts(right, await off.token());
        off.kill('SIGTERM');
        assert.equal(await off.exited(), 0);
      }
      assert.deepEqual(statuses, { 60: 200, 90: 401, '-60': 200 });
      passed += 1;
    });

    test('a start warns if the clock is more than a minute behind the newest entry of the database', async (t) => {
      const first = await startOff(t, 0);
      await first.token();
      first.kill('SIGTERM');
      assert.equal(await first.exited(), 0);

      const warnings = async (seconds: number) => {
        const service = await startOff(t, seconds, {}, first.folder);
        await fetch(`${service.url}/healthz`); // the signal handler may be set after the line that says it listens
        service.kill('SIGTERM');
        assert.equal(await service.exited(), 0);
        return service.lines
          .map((line) => JSON.parse(line))
          .filter(({ msg }) => msg === 'the clock is behind the newest entry of the database: set it')
          .map(({ level, secondsBehind }) => ({ level, secondsBehind }));
      };
      assert.deepEqual(await warnings(-30), []);
      const [warning, ...others] = await warnings(-day);
      assert.deepEqual(others, []);
      assert.equal(warning?.level, 'warn');
      const { secondsBehind } = warning;
      assert.ok(Number.isInteger(secondsBehind) && secondsBehind <= day && secondsBehind > day - hour, secondsBehind);
      passed += 1;
    });

    for (const [title, steps] of [
      ['an hour back', [-hour]],
      ['a day back', [-day]],
      ['two days ahead and back again', [2 * day, 0]],
    ] as const)
      test(`a clock set ${title} delays mail by at most a minute, and makes none a dead letter [TRUST-32]`, async (t) => {
        const smtp = await openFaultySmtp(t);
        await smtp.break('refused');
        const service = await startOff(t, 0, { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
        using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
        const tries = () => {
          const row = database.prepare('select attempts, last_error, due_at from outbox').get()!;
          assert.notEqual(row.due_at, null);
          return row.last_error === null ? 0 : Number(row.attempts);
        };
        await service.token();
        await eventually(() => tries() > 0);

        // Each step ahead makes the mail due, and its next attempt is scheduled from there.
        for (const seconds of steps.slice(0, -1)) {
          const before = tries();
          service.setOff(seconds);
          await eventually(() => tries() > before);
        }
        service.setOff(steps.at(-1)!);
        await smtp.mend();
        const from = performance.now();
        await eventually(() => smtp.received.length > 0);
        const stall = (performance.now() - from) / 1_000;
        longestStall = Math.max(longestStall, stall);
        assert.ok(stall <= 60, `${stall} s`);
        assert.equal(smtp.received.length, 1);
        passed += 1;
      });
  });

after(() => {
  if (passed < 5 * Object.keys(clocks).length) return;
  report(
    'clock skew and steps (faketime)',
    `by ${Object.keys(clocks).join(' and ')}: tokens of a clock 60 s ahead or behind are accepted, 90 s ahead refused; a clock behind the database causes a warning; after steps back of an hour, a day and two days mail is delivered within ${longestStall.toFixed(0)} s`,
  );
});
