import { Failure } from '../model/failure.ts';
import type { Operation } from './operation.ts';

/** Parses the input of an operation; null counts as absent. Throws `BAD_REQUEST` with the first error. */
export function checkInput({ input }: Operation, given: unknown): Record<string, unknown> {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const result = input.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new Failure('BAD_REQUEST', `${path.join('.')} ${message}`);
}

/** Throws `BAD_REQUEST` unless an idempotency key is well-formed. */
export function checkKey(key: string): void {
  if (!/^[!-~]{1,255}$/.test(key))
    throw new Failure('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}
