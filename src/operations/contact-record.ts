import type { StoredContact } from '../model/contact.ts';

/** Returns a contact request with the names of fields that JSON outputs have. */
export const toRecord = ({ receivedAt, ...contact }: StoredContact) => ({
  ...contact,
  received_at: receivedAt.toISOString(),
});
