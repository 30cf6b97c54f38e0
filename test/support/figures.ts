import { appendFileSync } from 'node:fs';

/** Whether the full figures are wanted (`npm run test:trust`) or their fast subset (`npm test`). */
export const isFull = process.env.TRUST === 'full';

/** How much of something a test does: in full, or fast. */
export const scaled = <Amount>(full: Amount, fast: Amount): Amount => (isFull ? full : fast);

/** Notes what a test has measured; `npm run test:trust` makes the table of docs/trust.md of it. */
export function report(test: string, figure: string): void {
  const file = process.env.TRUST_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, figure })}\n`);
}
