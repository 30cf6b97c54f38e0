import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '../model/log-entry.ts';
import { blockOf } from '../model/network-block.ts';
import { visitorKeyOf } from '../model/visitor.ts';
import type { HashVisitor } from './tokens/keys.ts';

interface AuditLogOptions {
  readonly directory: string;
  /** Hashes subjects and network addresses; the first 22 characters of a hash are written. */
  readonly hashVisitor: HashVisitor;
  readonly now: () => Date;
  readonly log: { error(fields: object, message: string): void };
}

export type AuditLog = ReturnType<typeof openAuditLog>;

/** Events that any client can cause are limited to 60 lines a minute each; the next line has the number of dropped lines. */
const linesPerMinute = 60;
const limitedEvents: ReadonlySet<AuditEntry['event']> = new Set([
  'token_refused',
  'limit_hit',
  'code_refused',
  'desk_sign_in_refused',
]);

/** Opens the audit log: a file of JSON lines per UTC day with mode 0600, to which several processes can append. */
export function openAuditLog({ directory, hashVisitor, now, log }: AuditLogOptions) {
  const minutes = new Map<string, { minute: number; lines: number; leftOut: number }>();
  const hashOf = (text: string) => hashVisitor(text).slice(0, 22);
  const fileOf = (day: string) => join(directory, `audit-${day}.jsonl`);

  /** Returns how many lines of this event were left out before this one; null if this one is left out. */
  function leftOutBefore(event: AuditEntry['event'], at: Date): number | null {
    if (!limitedEvents.has(event)) return 0;
    const minute = Math.floor(at.getTime() / 60_000);
    const last = minutes.get(event) ?? { minute, lines: 0, leftOut: 0 };
    const lines = last.minute === minute ? last.lines : 0;
    const isFull = lines >= linesPerMinute;
    minutes.set(
      event,
      isFull ? { minute, lines, leftOut: last.leftOut + 1 } : { minute, lines: lines + 1, leftOut: 0 },
    );
    return isFull ? null : last.leftOut;
  }

  return {
    /** Appends a line. If it cannot be written, that is logged and nothing is thrown. */
    append({ event, subject, from, ...details }: AuditEntry): void {
      const at = now();
      const leftOut = leftOutBefore(event, at);
      if (leftOut === null) return;
      const line = {
        at: at.toISOString(),
        event,
        ...details,
        ...(subject !== undefined && { subject: hashOf(visitorKeyOf(subject)) }),
        ...(typeof from === 'string' && { from: hashOf(blockOf(from)) }),
        ...(leftOut > 0 && { left_out: leftOut }),
      };
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        appendFileSync(fileOf(line.at.slice(0, 10)), `${JSON.stringify(line)}\n`, { mode: 0o600 });
      } catch (error) {
        log.error({ err: error, event }, 'the audit log cannot be written');
      }
    },

    removeBefore(instant: Date): void {
      const first = `audit-${instant.toISOString().slice(0, 10)}.jsonl`;
      const names = existsSync(directory) ? readdirSync(directory) : [];
      for (const name of names.filter((name) => /^audit-[\d-]{10}\.jsonl$/.test(name) && name < first))
        rmSync(join(directory, name), { force: true });
    },
  };
}
