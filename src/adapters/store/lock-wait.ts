import { setTimeout as pause } from 'node:timers/promises';

const longestPauseMilliseconds = 20;

/** Returns the pause before the next try: exponential backoff, at most 20 ms, with a jitter that takes off up to half. */
export const pauseMillisecondsAfter = (tries: number): number =>
  Math.min(2 ** tries, longestPauseMilliseconds) * (1 - Math.random() / 2);

export const backOff = (tries: number): Promise<void> => pause(pauseMillisecondsAfter(tries));

/**
 * Retries work while another connection locks the database, for at most `milliseconds`; then throws the database's error.
 * Must not run inside a transaction: on SQLite, every other query of this process would wait for its connection.
 */
export async function retryWhileLocked<Result>(
  isLocked: (error: unknown) => boolean,
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
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
