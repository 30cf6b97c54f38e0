import { join } from 'node:path';
import { openStore } from '../../src/adapters/store/store.ts';
import type { Contact } from '../../src/model/contact.ts';
import type { Notice } from '../../src/model/notice.ts';
import type { Grant } from '../../src/model/oauth.ts';
import type { IssuedToken } from '../../src/model/token.ts';
import { byAddress, visitorKeyOf } from '../../src/model/visitor.ts';
import { createDatabase, openDatabase, patience } from './database.ts';
import { type Cleanup, newFolder } from './files.ts';

export const noon = new Date('2026-11-21T12:00:00.000Z');
export const afterNoon = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);

export const keyOf = (address: string) => visitorKeyOf(byAddress(address));

export const contact: Contact = {
  id: 'contact_1',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  company: 'Analytical Engines',
  message: 'Shall we talk?',
  subject: byAddress('visitor@example.org'),
  receivedAt: noon,
};

export const token: IssuedToken = {
  jti: 'j1',
  subject: byAddress('ada@example.org'),
  issuedAt: noon,
  expiresAt: afterNoon(3_600),
};

export const grant: Grant = {
  id: 'g1',
  subject: byAddress('Ada@Example.org'),
  isVerified: true,
  clientId: 'c1',
  clientName: 'Reader',
  redirectUri: 'https://reader.example/back',
  scopes: ['profile:read'],
  isForMcp: true,
  createdAt: noon,
  expiresAt: afterNoon(30 * 86_400),
};

export const notice: Notice = {
  kind: 'contact_request',
  about: 'contact_1',
  subject: 'Hello',
  text: 'A line\n',
  line: 'Ada wrote',
  replyTo: 'ada@example.org',
};

export const newDatabasePath = (t: Cleanup): string => join(newFolder(t), 'candidate-profile.db');

/** Opens a store on a new database, and closes it after the test. */
export async function openTestStore(t: Cleanup, options: Parameters<typeof openStore>[1] = {}) {
  const path = await createDatabase(newDatabasePath(t));
  const store = await openStore(openDatabase(path), { ...patience(), ...options });
  t.after(() => store.close());
  return { path, store };
}
