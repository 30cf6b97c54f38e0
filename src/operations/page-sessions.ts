import { type PageSession, pageSessionSeconds } from '../model/page-session.ts';
import type { IssuedToken } from '../model/token.ts';
import type { OwnerServices, SecretServices, SessionTokens } from './owner/services.ts';

interface PageSessionOptions extends Pick<SecretServices, 'now' | 'newSecret'>, Pick<OwnerServices, 'audit'> {
  readonly store: Pick<OwnerServices['store'], 'pageSessions'>;
  readonly reads: {
    /** Stores the reads that wait in this process; reads that cannot be stored go on waiting. */
    storeNow(): Promise<void>;
  };
  readonly tokens: SessionTokens;
  /** Returns the ids that a session may have by its secret, one for each current key; a new session gets the first. */
  idsOf(secret: string): readonly string[];
}

export type PageSessions = ReturnType<typeof sessionsOf>;

export function sessionsOf({
  store: { pageSessions },
  reads,
  tokens,
  now,
  newSecret,
  idsOf,
  audit,
}: PageSessionOptions) {
  /** Ends a session, and its token unless the visitor has seen it: an assistant may use it. */
  async function end({ id, token: { jti }, isTokenShown }: PageSession): Promise<void> {
    if (!isTokenShown) {
      // No read of a revoked token is recorded.
      await reads.storeNow();
      await tokens.revoke({ kind: 'jti', jti });
      audit({ event: 'token_revoked', detail: 'left', jti });
    }
    await pageSessions.end(id);
  }

  return {
    /** Opens a session under a fresh secret, against fixation, in place of the browser's; one of another token ends. */
    async open(
      token: IssuedToken,
      options: Pick<PageSession, 'isRemembered' | 'isTokenShown' | 'mayWrite'>,
      before: PageSession | null,
    ): Promise<{ readonly secret: string; readonly session: PageSession }> {
      const secret = newSecret();
      const createdAt = now();
      const latest = createdAt.getTime() + pageSessionSeconds * 1_000;
      const session = {
        id: idsOf(secret)[0]!,
        token,
        createdAt,
        expiresAt: new Date(Math.min(latest, token.expiresAt.getTime())),
        ...options,
        unconfirmedEmail: null,
        draft: null,
      };
      const isSame = before?.token.jti === token.jti;
      await pageSessions.add(session, isSame ? before.id : null);
      if (before !== null && !isSame) await end(before);
      return { secret, session };
    },

    /** Returns the session of a secret; null if it, or its token, has ended. */
    async find(secret: string): Promise<PageSession | null> {
      const found = await pageSessions.find(idsOf(secret), now());
      if (found === null || tokens.isRevoked(found.token)) return null;
      await tokens.learnView(found.token.subject);
      return found;
    },

    /** Signs the token of a session again, the same as it was issued unless the key has changed. */
    tokenOf: ({ token }: PageSession): Promise<string> => tokens.sign(token),

    async showToken({ id, isTokenShown }: PageSession): Promise<void> {
      if (!isTokenShown) await pageSessions.showToken(id);
    },

    keepDraft: ({ id }: PageSession, draft: string): Promise<void> => pageSessions.setDraft(id, draft),

    /** Lets the page confirm once that a message was sent. */
    confirmLater: ({ id }: PageSession, contactId: string): Promise<void> => pageSessions.setUnconfirmed(id, contactId),

    markConfirmed: ({ id }: PageSession): Promise<void> => pageSessions.setUnconfirmed(id, null),

    end,
  };
}
