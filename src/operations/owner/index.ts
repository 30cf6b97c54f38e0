import { exportContacts, listContacts, listInbox, openContact, setContactState } from './contacts.ts';
import { countPending, createSignInLink, signOut, signOutEverywhere, visitDesk } from './desk.ts';
import { getMail, listUnsent, retryMail } from './mail.ts';
import { getProfileState, getStatus, setStatus } from './profile.ts';
import { countReads, getReader, listReaders, noteReader } from './readers.ts';
import { countEnding, listGrants, listTokens, revoke } from './tokens.ts';
import { countVisitor, eraseContact, eraseVisitor, exportVisitor, scrub } from './visitors.ts';

/** The owner's catalogue: what they do at the desk and in the terminal, and nobody does over any other surface. */
export const ownerOperations = [
  visitDesk,
  countPending,
  listReaders,
  getReader,
  noteReader,
  countReads,
  listTokens,
  listGrants,
  countEnding,
  revoke,
  listInbox,
  listContacts,
  openContact,
  setContactState,
  exportContacts,
  exportVisitor,
  countVisitor,
  eraseContact,
  eraseVisitor,
  scrub,
  getStatus,
  setStatus,
  getProfileState,
  getMail,
  listUnsent,
  retryMail,
  createSignInLink,
  signOut,
  signOutEverywhere,
] as const;
