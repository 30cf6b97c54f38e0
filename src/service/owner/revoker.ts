import type { DurableStore } from '../../adapters/store/store.ts';
import type { RevocationTarget } from '../../adapters/tokens/revocations.ts';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { AuditEntry } from '../../model/log-entry.ts';
import type { State } from '../state.ts';

interface Options {
  readonly store: Pick<DurableStore, 'tokens' | 'oauth'>;
  readonly tokens: Pick<State['tokens'], 'isRevoked' | 'revoke' | 'refresh'>;
  readonly audit: (entry: AuditEntry) => void;
}

/** What the owner ends: tokens with the grants that they were issued for, or one grant with its tokens. */
export type EndingTarget = RevocationTarget | { readonly kind: 'grant'; readonly id: string };

/** How many valid tokens, and how many grants, end. */
export interface EndedCounts {
  readonly tokens: number;
  readonly grants: number;
}

/** Ends tokens before they expire, and grants, for the command and the desk. */
export function revokerOf({ store, tokens, audit }: Options) {
  async function countTokens(
    which: Parameters<DurableStore['tokens']['listUnexpired']>[1],
    now: Date,
  ): Promise<number> {
    const unexpired = await store.tokens.listUnexpired(now, which);
    return unexpired.filter((token) => !tokens.isRevoked(token)).length;
  }

  async function countOfGrant(id: string, now: Date): Promise<EndedCounts> {
    const grants = (await store.oauth.grants.find(id, now)) === null ? 0 : 1;
    return { tokens: await countTokens({ grant_id: id }, now), grants };
  }

  return {
    /** Counts what `revoke` would end. */
    async count(target: EndingTarget, now: Date): Promise<EndedCounts> {
      if (target.kind === 'grant') return countOfGrant(target.id, now);
      if (target.kind === 'jti') {
        const [token] = await store.tokens.listUnexpired(now, { jti: target.jti });
        if (token?.grantId) return countOfGrant(token.grantId, now);
        return { tokens: await countTokens({ jti: target.jti }, now), grants: 0 };
      }
      const which = target.kind === 'all' ? {} : { canonical_subject: toCanonicalAddress(target.subject) };
      return {
        tokens: await countTokens(which, now),
        grants: (await store.oauth.grants.listUnexpired(now, which)).length,
      };
    },

    async revoke(target: EndingTarget, now: Date): Promise<void> {
      if (target.kind === 'grant') {
        await store.oauth.grants.end(target.id, now);
        await tokens.refresh();
        audit({ event: 'grant_ended', detail: target.id });
        return;
      }
      await tokens.revoke(target);
      const { kind, ...whose } = target;
      audit({ event: 'token_revoked', detail: kind, ...whose });
    },
  };
}
