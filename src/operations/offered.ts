import type { Profile } from '../model/profile/profile-document.ts';
import type { Operation } from './operation.ts';
import type { Services } from './ports.ts';

// The profile is a function, because it is looked up only for the few operations with `isOffered`.
const isOfferedBy = (profile: () => Profile, operation: Operation): boolean =>
  operation.kind !== 'read' || operation.isOffered?.(profile()) !== false;

/** Whether the profile that is served offers an operation. What it does not offer, no surface shows to exist. */
export const isOffered = (operation: Operation, { edition }: Pick<Services, 'edition'>): boolean =>
  isOfferedBy(() => edition().profile, operation);

/** Returns the operations of a list that a profile offers. */
export const offeredIn = (operations: readonly Operation[], profile: Profile): readonly Operation[] =>
  operations.filter((operation) => isOfferedBy(() => profile, operation));

/** Returns the names of operations as one text, by which two lists can be compared. */
export const namesOf = (operations: readonly Operation[]): string => operations.map(({ name }) => name).join(' ');
