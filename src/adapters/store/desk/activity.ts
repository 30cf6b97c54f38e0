import type { StoredContact } from '../../../model/contact.ts';
import type { Activity, ReadCount } from '../../../model/reader.ts';
import type { Read } from '../database.ts';
import { toContact } from '../visitor-data.ts';

/** What visitors did since an instant, for the owner who was away until then. */
export function activityOf(read: Read) {
  return {
    /** Returns the messages received since, except spam: the latest, at most `limit`, and how many there are. */
    messagesSince: (since: Date, limit: number): Promise<{ messages: StoredContact[]; total: number }> =>
      read(async (db) => {
        const received = db.selectFrom('contacts').where('received_at', '>=', since.toISOString());
        const all = received.where('state', '!=', 'spam');
        const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
        const rows = await all.selectAll().orderBy('received_at', 'desc').limit(limit).execute();
        return { total, messages: rows.map(toContact) };
      }),

    /** Returns what each visitor asked for, read or erased since, the latest first. */
    activitySince: (since: Date): Promise<Activity[]> =>
      read(async (db) => {
        const at = since.toISOString();
        const tokens = db
          .selectFrom('issued_tokens')
          .select((eb) => ['canonical_subject', 'subject', eb.fn.max('issued_at').as('at')])
          .where('issued_at', '>=', at)
          .where('grant_id', 'is', null)
          .groupBy(['canonical_subject', 'subject']);
        const granted = db
          .selectFrom('oauth_grants')
          .select(['canonical_subject', 'subject', 'client_name', 'created_at as at'])
          .where('created_at', '>=', at);
        const erased = db
          .selectFrom('erased_reads')
          .select((eb) => ['canonical_subject', 'subject', eb.fn.max('erased_at').as('at')])
          .where('erased_at', '>=', at)
          .groupBy(['canonical_subject', 'subject']);
        // Without the address, so that an index has all that is counted.
        const counted = db
          .selectFrom('reads')
          .select((eb) => ['canonical_subject', 'operation', 'item', eb.fn.countAll<number>().as('count')])
          .select((eb) => [eb.fn.max('read_at').as('at'), eb.fn.max('id').as('latest_id')])
          .where('read_at', '>=', at)
          .groupBy(['canonical_subject', 'operation', 'item']);
        const reads = db
          .selectFrom(counted.as('counted'))
          .innerJoin('reads as latest', 'latest.id', 'counted.latest_id')
          .select(['counted.canonical_subject', 'counted.operation', 'counted.item', 'counted.count', 'counted.at'])
          .select('latest.subject');
        const events: Event[] = [
          ...(await tokens.execute()).map((row) => ({ ...row, kind: 'access' as const })),
          ...(await granted.execute()).map(({ client_name, ...row }) => ({
            ...row,
            kind: 'connected' as const,
            clientName: client_name,
          })),
          ...(await erased.execute()).map((row) => ({ ...row, kind: 'erased' as const })),
          ...(await reads.execute()).map(({ canonical_subject, at, subject, ...counted }) => ({
            canonical_subject,
            at,
            subject,
            kind: 'read' as const,
            counted,
          })),
        ];
        const visitors = Map.groupBy(events, ({ canonical_subject }) => canonical_subject);
        return [...visitors.values()]
          .map(toActivity)
          .sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime());
      }),
  };
}

interface Event {
  readonly kind: 'access' | 'connected' | 'read' | 'erased';
  readonly canonical_subject: string;
  readonly subject: string;
  readonly at: string;
  readonly clientName?: string;
  readonly counted?: ReadCount;
}

function toActivity(events: readonly Event[]): Activity {
  const last = events.reduce((latest, event) => (event.at > latest.at ? event : latest));
  const has = (kind: Event['kind']) => events.some((event) => event.kind === kind);
  return {
    canonicalAddress: last.canonical_subject,
    address: last.subject,
    lastAt: new Date(last.at),
    hasAskedForAccess: has('access'),
    connected: [...new Set(events.flatMap(({ clientName }) => clientName ?? []))],
    hasErasedReads: has('erased'),
    reads: events.flatMap(({ counted }) => counted ?? []),
  };
}
