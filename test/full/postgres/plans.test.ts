import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { afterNoon, keyOf, noon } from '../../support/store.ts';
import { explain, watched } from '../../support/watched-database.ts';

test('a reader is found, and expired rows erased, without going through all tokens, notices and messages', async (t) => {
  const server = await startPostgres(['fsync=off']);
  t.after(() => server.close());
  const url = await server.createDatabase();
  const { database, statements } = watched(openPostgres(url));
  const store = await openStore(database);
  t.after(() => store.close());
  await runSql(
    url,
    `insert into issued_tokens (jti, subject, canonical_subject, issued_at, expires_at)
     select 'j' || i, 'r' || i, 'r' || i, '${noon.toISOString()}', '2027-11-21T12:00:' || (10 + i / 400) || '.000Z' from generate_series(1, 20000) as n(i);
     insert into outbox (id, kind, subject, text, created_at, attempts, scheduled_at, sent_at, about)
     select 'n' || i, 'auth_request', 's', 't', '', 1, '', '2026-11-21T12:00:01.000Z', 'j' || i from generate_series(1, 20000) as n(i);
     insert into contacts (id, name, email, company, message, received_at, canonical_email)
     select 'c' || i, 'n', 'e', 'c', 'm', '2026-11-21T12:00:01.000Z', 'r' || i from generate_series(1, 20000) as n(i);
     analyze`,
  );
  statements.length = 0;
  await store.readers.list({ key: keyOf('r1') }, 1);
  await store.contacts.list(byAddress('r1'));
  await store.expiry.erase(afterNoon(3_600), { contacts: noon, mail: noon, reads: noon });
  const plans = await Promise.all(
    statements
      .filter(({ sql }) => /^\s*(select|delete)/.test(sql) && !/advisory/.test(sql))
      .map(async (one) => (await explain(openPostgres(url), 'explain', one)).join('\n')),
  );
  assert.ok(plans.length >= 15, `${plans.length}`);
  assert.deepEqual(
    plans.filter((plan) => /Seq Scan on (issued_tokens|outbox|contacts)/.test(plan)),
    [],
  );
});
