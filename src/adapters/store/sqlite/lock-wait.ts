import { setTimeout as pause } from 'node:timers/promises';
import { isLocked } from './error-codes.ts';

const longestPauseMilliseconds = 20;

/** The pause after a try in vain: twice as long after each, at most 20 ms, of which chance takes up to half. */
export const pauseMillisecondsAfter = (tries: number): number =>
  Math.min(2 ** tries, longestPauseMilliseconds) * (1 - Math.random() / 2);

export const backOff = (tries: number): Promise<void> => pause(pauseMillisecondsAfter(tries));

/**
 * Repeats work until the database is not locked, at most for so many milliseconds, then throws SQLite's error. Must not run
 * inside a transaction, which would keep the connection, and so every other query of this process, waiting.
 */
export async function retryWhileLocked<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + milliseconds;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error;
    }
    await backOff(tries);
  }
}
