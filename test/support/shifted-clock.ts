import { readFileSync, statSync } from 'node:fs';

// Loaded before a program (`--import`): its wall clock is off by the seconds that the file CLOCK_OFFSET_FILE holds at the
// moment, as where somebody sets the clock of the machine. Timers go on, because they run by another clock.
const file = process.env.CLOCK_OFFSET_FILE!;
const trueNow = Date.now;
let known = { mtimeMs: -1, milliseconds: 0 };

function now(): number {
  const { mtimeMs } = statSync(file);
  if (mtimeMs !== known.mtimeMs) known = { mtimeMs, milliseconds: Number(readFileSync(file, 'utf8')) * 1_000 };
  return trueNow() + known.milliseconds;
}

globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new Date(now()).toString(),
});
Date.now = now;
