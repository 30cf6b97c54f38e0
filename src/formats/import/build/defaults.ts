import { introduction, type Profile } from '../../../model/profile/profile-document.ts';
import type { FilledIn } from './fill.ts';

export const ownerReason = 'the e-mail address of the resume; notices are sent there';
export const noOwnerReason = 'serve needs your address, here or in OWNER_EMAIL';

/** Completes a profile that has only what a resume prints, as `toProfile` does. */
export function withDefaults(printed: Profile): { profile: Profile; filledIn: readonly FilledIn[] } {
  const { email = '' } = printed.resume;
  const why = email ? ownerReason : noOwnerReason;
  return {
    profile: { ...(email && { owner_email: email }), ...printed, background: true, public: [...introduction] },
    filledIn: [{ field: 'owner_email', value: email, why }],
  };
}
