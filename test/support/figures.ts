import { appendFileSync } from 'node:fs';

/** Whether the tests run in full, by `scripts/full-run.ts`, or as their fast subset (`npm test`). */
export const isFull = process.env.FULL_RUN === 'true';

/** Returns the amount for the full run or the one for the fast subset. */
export const scaled = <Amount>(full: Amount, fast: Amount): Amount => (isFull ? full : fast);

/** Records what a test has measured, for the table that a full run writes to its page. */
export function report(test: string, figure: string): void {
  const file = process.env.FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, figure })}\n`);
}
