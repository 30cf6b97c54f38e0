import { appendFileSync } from 'node:fs';

/** Whether tests run in their long form (`npm run test:release`) or in their short one. */
export const isFull = process.env.FULL_RUN === 'true';

/** Returns the amount for the long form or the one for the short one. */
export const scaled = <Amount>(full: Amount, fast: Amount): Amount => (isFull ? full : fast);

/** Records what a test has measured, for the table that `npm run test:release` writes to its page. */
export function report(test: string, figure: string): void {
  const file = process.env.FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, figure })}\n`);
}
