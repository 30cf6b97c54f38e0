import { operations } from '../../operations/index.ts';
import { offeredIn } from '../../operations/offered.ts';
import type { DeskPorts } from '../../surfaces/web/desk/desk.ts';
import type { OpenServices } from '../services.ts';
import { revokerOf } from './revoker.ts';

/** Returns what the owner can see of readers and do about them, except erasing. */
export function readersOf({
  services,
  store,
  tokens,
  hashVisitor,
}: OpenServices): Omit<DeskPorts['readers'], 'eraseVisitor' | 'scrub'> {
  const { now, audit, edition } = services;
  const revoker = revokerOf({ store, tokens, audit });
  return {
    isRecorded: services.reads.isOn,
    offered: () => offeredIn(operations, edition().profile),
    idOf: (address) => hashVisitor(address).slice(0, 22), // as the audit log writes it
    readerAddresses: store.readers.addresses,
    listReaders: store.readers.list,
    readsOf: store.readers.readsOf,
    tokensOf: store.tokens.listOf,
    grantsOf: store.oauth.grants.listOf,
    isRevoked: tokens.isRevoked,
    listContacts: store.contacts.list,
    readTotals: store.readers.readTotals,
    noteReader: store.readers.note,
    async revoke(target) {
      const ended = await revoker.count(target, now());
      await revoker.revoke(target, now());
      return ended;
    },
  };
}
