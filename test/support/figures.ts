import { appendFileSync } from 'node:fs';

/** Whether the trust tests run in full (`npm run test:trust`) or as their fast subset (`npm test`). */
export const isFull = process.env.TRUST === 'full';

/** Returns the amount for the full run or the one for the fast subset. */
export const scaled = <Amount>(full: Amount, fast: Amount): Amount => (isFull ? full : fast);

/** Records what a test has measured, for the table that `npm run test:trust` writes to docs/trust.md. */
export function report(test: string, figure: string): void {
  const file = process.env.TRUST_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, figure })}\n`);
}
