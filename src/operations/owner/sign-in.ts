import { z } from 'zod';
import { setupHashOf } from '../../model/sign-in.ts';
import { makeLink } from '../sign-in.ts';
import { ownerOperation } from './operation.ts';
import type { OwnerServices, SecretServices } from './services.ts';

interface SignInServices extends SecretServices, Pick<OwnerServices, 'audit'> {
  readonly store: Pick<OwnerServices['store'], 'desk'>;
}

export const createSignInLink = ownerOperation({
  name: 'create_sign_in_link',
  summary: 'A link that signs in at the desk once, and leads to a page of it.',
  input: z.object({ path: z.string() }),
  audits: ['desk_link_requested'],
  async handle({ path }, services: SignInServices) {
    const { url, stored } = makeLink(path, services);
    await services.store.desk.addLink(stored, null, []);
    services.audit({ event: 'desk_link_requested', detail: 'printed' });
    return { url, expiresAt: stored.expiresAt };
  },
});

export const signOut = ownerOperation({
  name: 'sign_out',
  summary: 'Ends one session at the desk.',
  input: z.object({ session: z.string() }),
  audits: ['desk_signed_out'],
  async handle({ session }, { store, audit }: SignInServices) {
    for (const one of [session, setupHashOf(session)]) await store.desk.endSession(one);
    audit({ event: 'desk_signed_out' });
  },
});

export const signOutEverywhere = ownerOperation({
  name: 'sign_out_everywhere',
  summary: 'Ends every session at the desk, and every link that has not been used; says how many sessions there were.',
  audits: ['desk_signed_out'],
  async handle(_input, { store, audit }: SignInServices) {
    const ended = await store.desk.endSessions();
    audit({ event: 'desk_signed_out', detail: 'everywhere' });
    return { ended };
  },
});
