import type { ExpressionBuilder, Kysely } from 'kysely';
import {
  type LinkFault,
  linkSeconds,
  type StoredLink,
  type StoredSecret,
  sessionSeconds,
} from '../../../model/sign-in.ts';
import type { QuotaCharge } from '../../../operations/ports.ts';
import type { Read } from '../database-access.ts';
import type { Write } from '../group-commit.ts';
import { countUses } from '../quota-windows.ts';
import type { Tables } from '../tables.ts';

/** The one-time links with which the owner signs in, and the sessions. */
export function signInsOf(read: Read, write: Write) {
  return {
    addSignInLink: ({ path, ...link }: StoredLink, charges: readonly QuotaCharge[]): Promise<void> =>
      write(async (trx) => {
        await countUses(trx, charges, link.createdAt);
        await trx
          .insertInto('sign_in_links')
          .values({ ...toRow(link), path })
          .execute();
      }),

    findSignInLink: (hash: string, now: Date) => read((db) => findLink(db, hash, now)),

    useSignInLink: (hash: string, session: StoredSecret): Promise<{ path: string } | LinkFault> =>
      write(async (trx) => {
        const now = session.createdAt;
        const used = await trx
          .updateTable('sign_in_links')
          .set({ used_at: now.toISOString() })
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .where(isCurrent(now, linkSeconds))
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

// How far a clock may be set back before what it dated counts as expired.
const clockToleranceSeconds = 60;

/** Whether a secret is valid. One that expires later than a new one would was made before the clock was set back. */
function isCurrent(now: Date, seconds: number) {
  const latest = new Date(now.getTime() + (seconds + clockToleranceSeconds) * 1_000);
  return (eb: ExpressionBuilder<Tables, 'sign_in_links' | 'desk_sessions'>) =>
    eb.and([eb('expires_at', '>', now.toISOString()), eb('expires_at', '<=', latest.toISOString())]);
}
