import type { Kysely, Transaction } from 'kysely';
import type { Notice } from '../../../model/notice.ts';
import type { QuotaCharge } from '../../../model/quota.ts';
import {
  type LinkFault,
  linkSeconds,
  type StoredLink,
  type StoredSecret,
  sessionSeconds,
} from '../../../model/sign-in.ts';
import type { Read, Write } from '../database.ts';
import { queueNotice } from '../outbox/outbox-queue.ts';
import { countUses } from '../quota-windows.ts';
import type { Tables } from '../tables.ts';
import { isCurrent, isUsable } from './validity.ts';

/** The one-time links with which the owner signs in, and the sessions; `onMailQueued` is called after the commit of a mail. */
export function signInsOf(read: Read, write: Write, onMailQueued: () => void) {
  return {
    async addSignInLink(
      { path, ...link }: StoredLink,
      mail: Notice | null,
      charges: readonly QuotaCharge[],
    ): Promise<void> {
      await write(async (trx) => {
        await countUses(trx, charges, link.createdAt);
        await trx
          .insertInto('sign_in_links')
          .values({ ...toRow(link), path })
          .execute();
        if (mail !== null) await queueNotice(trx, mail, link.createdAt);
      });
      if (mail !== null) onMailQueued();
    },

    findSignInLink: (hash: string, now: Date) => read((db) => findLink(db, hash, now)),

    useSignInLink: (hash: string, session: StoredSecret): Promise<{ path: string } | LinkFault> =>
      write(async (trx) => {
        const now = session.createdAt;
        const used = await trx
          .updateTable('sign_in_links')
          .set({ used_at: now.toISOString() })
          .where('hash', '=', hash)
          .where(isUsable(now))
          .returning('path')
          .executeTakeFirst();
        if (used === undefined) return faultOf(await findLink(trx, hash, now));
        await trx.insertInto('desk_sessions').values(toRow(session)).execute();
        return used;
      }),

    async hasDeskSession(hash: string, now: Date): Promise<boolean> {
      const found = await read((db) =>
        db
          .selectFrom('desk_sessions')
          .select('hash')
          .where('hash', '=', hash)
          .where(isCurrent(now, sessionSeconds))
          .executeTakeFirst(),
      );
      return found !== undefined;
    },

    endDeskSession: (hash: string): Promise<void> =>
      write(async (trx) => {
        await trx.deleteFrom('desk_sessions').where('hash', '=', hash).execute();
      }),

    endDeskSessions: (): Promise<number> =>
      write(async (trx) => {
        await trx.deleteFrom('sign_in_links').where('used_at', 'is', null).execute();
        return (await trx.deleteFrom('desk_sessions').returning('hash').execute()).length;
      }),
  };
}

/** Erases sessions that have expired, and links a day after they did: until then, who follows one is told why it fails. */
export async function eraseExpiredSignIns(trx: Transaction<Tables>, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 24 * 60 * 60 * 1_000);
  await trx.deleteFrom('sign_in_links').where('expires_at', '<=', dayAgo.toISOString()).execute();
  await trx.deleteFrom('desk_sessions').where('expires_at', '<=', now.toISOString()).execute();
}

const toRow = ({ hash, createdAt, expiresAt }: StoredSecret) => ({
  hash,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});

async function findLink(db: Kysely<Tables>, hash: string, now: Date): Promise<{ path: string } | LinkFault> {
  const link = await db
    .selectFrom('sign_in_links')
    .select(['path', 'used_at'])
    .select((eb) => isCurrent(now, linkSeconds)(eb).as('is_current'))
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (link === undefined) return 'unknown';
  if (link.used_at !== null) return 'used';
  return link.is_current ? { path: link.path } : 'expired';
}

// A link found valid after it could not be used: its clock was set between the two.
const faultOf = (found: { path: string } | LinkFault): LinkFault => (typeof found === 'string' ? found : 'expired');
