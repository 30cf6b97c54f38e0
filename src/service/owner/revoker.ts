import type { DurableStore } from '../../adapters/store/store.ts';
import type { RevocationTarget } from '../../adapters/tokens/revocations.ts';
import { toCanonicalAddress } from '../../model/email-address.ts';
import type { AuditEntry } from '../../operations/ports.ts';
import type { State } from '../state.ts';

interface Options {
  readonly store: Pick<DurableStore, 'unexpiredTokens'>;
  readonly tokens: Pick<State['tokens'], 'isRevoked' | 'revoke'>;
  readonly audit: (entry: AuditEntry) => void;
}

/** Ends tokens before they expire, for the command and the desk. */
export function revokerOf({ store, tokens, audit }: Options) {
  return {
    /** Counts the valid tokens that `revoke` would end. */
    async countValid(target: RevocationTarget, now: Date): Promise<number> {
      const unexpired = await store.unexpiredTokens(now, rowsOf(target));
      return unexpired.filter((token) => !tokens.isRevoked(token)).length;
    },

    async revoke(target: RevocationTarget): Promise<void> {
      await tokens.revoke(target);
      const { kind, ...whose } = target;
      audit({ event: 'token_revoked', detail: kind, ...whose });
    },
  };
}

/** Selects the tokens that a revocation is meant for; all without a condition. */
function rowsOf(target: RevocationTarget): Parameters<DurableStore['unexpiredTokens']>[1] {
  if (target.kind === 'jti') return { jti: target.jti };
  return target.kind === 'all' ? {} : { canonical_subject: toCanonicalAddress(target.subject) };
}
