import { Failure } from '../model/failure.ts';
import { type LinkFault, linkSeconds, sessionSeconds, setupHashOf } from '../model/sign-in.ts';
import { toSignInNotice } from './notices.ts';
import type { OwnerServices, SecretServices } from './owner/services.ts';
import { actionCharges, auditingLimit } from './quotas.ts';

function makeSecret(seconds: number, { newSecret, now, hash }: SecretServices) {
  const secret = newSecret();
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + seconds * 1_000);
  return { secret, stored: { hash: hash(secret), createdAt, expiresAt } };
}

/** Makes a one-time link to a page of the desk; `stored` is to be stored. */
export function makeLink(path: string, services: SecretServices) {
  const { secret, stored } = makeSecret(linkSeconds, services);
  return { url: `${services.baseUrl}/desk/sign-in?link=${secret}`, stored: { ...stored, path } };
}

export interface Setup {
  /** Whether the code signs in: only before the first profile. */
  isOpen(): Promise<boolean>;
  isCode(text: string): boolean;
}

interface SignInOptions extends SecretServices, Pick<OwnerServices, 'audit' | 'limits'> {
  readonly store: Pick<OwnerServices['store'], 'desk' | 'quotas'>;
  readonly setup: Setup;
}

export type SignIn = ReturnType<typeof signInOf>;

/** Signs the owner in: by a one-time link, or the setup code before the first profile; then by a session. */
export function signInOf(services: SignInOptions) {
  const { store, limits, now, audit, hash, setup } = services;
  return {
    /** Sends the owner a link to a page of the desk; sends none, silently, if too many were sent within the hour. */
    async mailLink(path: string, from: string | null): Promise<void> {
      const { url, stored } = makeLink(path, services);
      const mail = toSignInNotice(stored, url);
      const charges = limits.toStored(actionCharges('desk_sign_in', { from }));
      await auditingLimit('desk_sign_in', from, services, async () => {
        // Checked first, so that a flood of requests delays no writer.
        await store.quotas.check(charges, stored.createdAt);
        await store.desk.addLink(stored, mail, charges);
        audit({ event: 'desk_link_requested', detail: 'mailed', from });
      }).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.code !== 'RATE_LIMITED') throw error;
      });
    },

    async check(secret: string): Promise<'valid' | LinkFault> {
      const found = await store.desk.findLink(hash(secret), now());
      return typeof found === 'string' ? found : 'valid';
    },

    /** Uses a link. Returns the secret of a new session, and the page to go on to. */
    async confirm(
      secret: string,
      from: string | null,
    ): Promise<{ readonly session: string; readonly path: string } | LinkFault> {
      const session = makeSecret(sessionSeconds, services);
      // Read first, so that a flood of guesses delays no writer.
      const found = await store.desk.findLink(hash(secret), session.stored.createdAt);
      const used = typeof found === 'string' ? found : await store.desk.useLink(hash(secret), session.stored);
      if (typeof used === 'string') {
        audit({ event: 'desk_sign_in_refused', detail: used, from });
        return used;
      }
      audit({ event: 'desk_signed_in', from });
      return { session: session.secret, path: used.path };
    },

    acceptsCode: setup.isOpen,

    /** Returns the secret of a new session; null if the setup code is wrong or not accepted. Throws `RATE_LIMITED`. */
    async useCode(code: string, from: string | null): Promise<string | null> {
      if (!(await setup.isOpen())) return null;
      const charges = limits.toStored(actionCharges('desk_setup', { from }));
      const at = now();
      await auditingLimit('desk_setup', from, services, async () => {
        // Checked first, so that a flood of guesses delays no writer.
        await store.quotas.check(charges, at);
        await store.quotas.take(charges, at);
      });
      if (!setup.isCode(code)) {
        audit({ event: 'desk_sign_in_refused', detail: 'code', from });
        return null;
      }
      const { secret, stored } = makeSecret(sessionSeconds, services);
      await store.desk.addSession({ ...stored, hash: setupHashOf(stored.hash) });
      audit({ event: 'desk_signed_in', detail: 'code', from });
      return secret;
    },

    /** Returns a session by its secret; null if it has ended, or is the setup code's, which does not sign in any more. */
    async sessionOf(secret: string): Promise<{ readonly id: string; readonly isOfCode: boolean } | null> {
      const [id, at] = [hash(secret), now()];
      if (await store.desk.hasSession(id, at)) return { id, isOfCode: false };
      const isOfCode = (await store.desk.hasSession(setupHashOf(id), at)) && (await setup.isOpen());
      return isOfCode ? { id, isOfCode } : null;
    },
  };
}
