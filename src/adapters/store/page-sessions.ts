import { type PageSession, sessionsPerToken } from '../../model/page-session.ts';
import { readVisitor } from '../../model/visitor.ts';
import type { Access } from './database.ts';
import { findOpenLink } from './links.ts';

/** The sessions of visitors at the page; each belongs to one token. */
export function pageSessionsOf({ read, write, change }: Access) {
  return {
    /** Stores a session, and ends the session `replacedId`, if any, and the oldest sessions of a token that has too many. */
    add: (session: PageSession, replacedId: string | null): Promise<void> =>
      write(async (trx) => {
        if (replacedId !== null) await trx.deleteFrom('page_sessions').where('hash', '=', replacedId).execute();
        const ofToken = trx.selectFrom('page_sessions').select('hash').where('jti', '=', session.token.jti);
        const latest = ofToken
          .orderBy('created_at', 'desc')
          .orderBy('hash')
          .limit(sessionsPerToken - 1);
        const ended = trx.deleteFrom('page_sessions').where('jti', '=', session.token.jti);
        await ended.where('hash', 'not in', latest).execute();
        await trx
          .insertInto('page_sessions')
          .values({
            hash: session.id,
            jti: session.token.jti,
            created_at: session.createdAt.toISOString(),
            expires_at: session.expiresAt.toISOString(),
            is_remembered: Number(session.isRemembered),
            is_token_shown: Number(session.isTokenShown),
            unconfirmed_id: null,
            draft: session.draft,
          })
          .execute();
      }),

    /** Returns the session with one of the ids, unless it, its token, link or visitor has ended. */
    find: (ids: readonly string[], now: Date): Promise<PageSession | null> =>
      read(async (db) => {
        const known = db.selectFrom('page_sessions').selectAll().where('hash', 'in', ids);
        const row = await db
          .selectFrom(known.where('expires_at', '>', now.toISOString()).as('session'))
          .innerJoin('issued_tokens as token', 'token.jti', 'session.jti')
          .leftJoin('contacts', 'contacts.id', 'session.unconfirmed_id')
          .select(['hash', 'session.created_at', 'session.expires_at', 'is_remembered', 'is_token_shown', 'draft'])
          .select(['token.jti', 'token.subject', 'token.issued_at', 'token.expires_at as token_expires_at'])
          .select('contacts.email')
          .executeTakeFirst();
        if (row === undefined) return null;
        const subject = readVisitor(row.subject);
        const link = subject.kind === 'link' ? await findOpenLink(db, subject.id, now) : null;
        if (subject.kind === 'link' && link === null) return null;
        return {
          id: row.hash,
          token: {
            jti: row.jti,
            subject,
            issuedAt: new Date(row.issued_at),
            expiresAt: new Date(row.token_expires_at),
          },
          createdAt: new Date(row.created_at),
          expiresAt: new Date(row.expires_at),
          isRemembered: row.is_remembered === 1,
          isTokenShown: row.is_token_shown === 1,
          mayWrite: link?.mayWrite ?? true,
          unconfirmedEmail: row.email,
          draft: row.draft,
        };
      }),

    showToken: (id: string): Promise<void> =>
      change((trx) => trx.updateTable('page_sessions').set({ is_token_shown: 1 }).where('hash', '=', id)),

    setDraft: (id: string, draft: string): Promise<void> =>
      change((trx) => trx.updateTable('page_sessions').set({ draft }).where('hash', '=', id)),

    /** Sets the contact request that the page is to confirm, and drops the draft; null for none, which keeps the draft. */
    setUnconfirmed: (id: string, contactId: string | null): Promise<void> =>
      change((trx) => {
        const values = { unconfirmed_id: contactId, ...(contactId !== null && { draft: null }) };
        return trx.updateTable('page_sessions').set(values).where('hash', '=', id);
      }),

    end: (id: string): Promise<void> => change((trx) => trx.deleteFrom('page_sessions').where('hash', '=', id)),
  };
}
