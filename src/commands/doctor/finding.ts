/** A result of a check; `remedy` is what to do, or null if nothing needs doing or `found` says it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly remedy: string | null;
}

export const ok = (found: string): Finding => ({ level: 'ok', found, remedy: null });
export const warn = (found: string, remedy: string): Finding => ({ level: 'warn', found, remedy });
export const fail = (found: string, remedy: string | null): Finding => ({ level: 'fail', found, remedy });
