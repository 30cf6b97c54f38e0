import type { Kysely } from 'kysely';
import { freeAt, lanesOf, type MailsPerHour, wordsSentWithinHour } from './mail-budget.ts';
import type { Tables } from './migrations.ts';

/** Why a notice has not been sent; `due` if nothing but its turn is left. */
export type WaitReason = 'being_sent' | 'retry' | 'same_words' | 'hour_used_up' | 'due';

/** A notice that has not been sent; `dueAt` and `waitsFor` are null for a dead letter. */
export interface UnsentNotice {
  readonly id: string;
  readonly kind: 'auth_request' | 'contact_request';
  readonly createdAt: Date;
  readonly attempts: number;
  readonly dueAt: Date | null;
  readonly lastError: string | null;
  readonly waitsFor: WaitReason | null;
  /** Null if it waits for nothing but its turn. */
  readonly waitsUntil: Date | null;
}

type Row = Pick<
  Tables['outbox'],
  'id' | 'kind' | 'words' | 'mail_id' | 'is_part' | 'created_at' | 'attempts' | 'due_at' | 'last_error'
>;

/** The outbox as the owner lists it. */
export function unsentNoticesOf(db: Kysely<Tables>, mailsPerHour: MailsPerHour) {
  return {
    /** Returns what waits and what was given up, the oldest first. */
    async listUnsent(now: Date): Promise<UnsentNotice[]> {
      const rows: Row[] = await db
        .selectFrom('outbox')
        .select(['id', 'kind', 'words', 'mail_id', 'is_part', 'created_at', 'attempts', 'due_at', 'last_error'])
        .where('sent_at', 'is', null)
        .orderBy('created_at')
        .execute();
      const lanes = await Promise.all(
        lanesOf(mailsPerHour).map(async (lane) => ({ ...lane, freeAt: await freeAt(db, lane, now) })),
      );
      const repeatableAt = new Map(await wordsSentWithinHour(db, now));

      function waitOf({ kind, words, mail_id, is_part, attempts, due_at, last_error }: Row): [WaitReason, Date | null] {
        const dueAt = new Date(due_at!);
        const isLater = dueAt > now;
        if (isLater && attempts > 0 && last_error === null) return ['being_sent', dueAt];
        const lane = lanes.find((one) => one.kind === kind && one.isPart === (is_part === 1));
        const repeatAt = isLater ? dueAt : repeatableAt.get(words ?? '');
        const waits: [WaitReason, Date | null | undefined][] = [
          mail_id === null ? ['same_words', repeatAt] : ['retry', isLater ? dueAt : null],
          ['hour_used_up', lane?.freeAt],
        ];
        let longest: [WaitReason, Date | null] = ['due', null];
        for (const [reason, until] of waits)
          if (until != null && until > (longest[1] ?? now)) longest = [reason, until];
        return longest;
      }

      return rows.map((row) => {
        const [waitsFor, waitsUntil] = row.due_at === null ? [null, null] : waitOf(row);
        return {
          id: row.id,
          kind: row.kind,
          createdAt: new Date(row.created_at),
          attempts: row.attempts,
          dueAt: row.due_at === null ? null : new Date(row.due_at),
          lastError: row.last_error,
          waitsFor,
          waitsUntil,
        };
      });
    },
  };
}
