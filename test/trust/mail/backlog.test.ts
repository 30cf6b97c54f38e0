import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from '../../../src/adapters/node-crypto.ts';
import { openSqlite } from '../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toAccessNotice, toContactNotice } from '../../../src/operations/notices.ts';
import { testOnSqlite } from '../../support/database.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';
import { openTestStore } from '../../support/store.ts';
import { explain, watched } from '../../support/watched-database.ts';
import { usual } from './sending.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('the next mail is chosen quickly among thousands of waiting notices and messages sent within the hour [TRUST-10]', async (t) => {
  const { path, store } = await openTestStore(t, { mailsPerHour: usual });
  const write = (n: number) => {
    const given = { id: `contact_${n}`, name: 'Eve', email: 'eve@example.org', company: 'x', message: `Message ${n}` };
    const contact = { ...given, subject: null, receivedAt: now };
    return store.contacts.add(contact, toContactNotice(contact, hash), null);
  };
  const issue = (n: number) => {
    const token = { jti: `jti_${n}`, subject: byAddress(`eve-${n}@example.org`), issuedAt: now, expiresAt: now };
    return store.tokens.add(token, toAccessNotice(token, '192.0.2.1'));
  };
  await Promise.all(numbers(1_000).map(write));
  {
    using database = openSqliteFile(path);
    database.prepare('update outbox set attempts = 1, mail_id = 1, due_at = null, sent_at = ?').run(now.toISOString());
  }
  await Promise.all(numbers(4_000).map(issue));

  const before = process.threadCpuUsage();
  const mail = await store.outbox.claim(now, new Date(now.getTime() + 15_000), 'owner');
  const { user, system } = process.threadCpuUsage(before);
  assert.equal(mail?.notices[0]?.kind, 'auth_request');
  // CPU time, during which no request is served: one query per message took seconds.
  assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms`);
});

test('the outbox finds quickly that no mail is due among thousands of sent and waiting notices [TRUST-6]', async (t) => {
  const { path, store } = await openTestStore(t, { mailsPerHour: usual });
  const token = { jti: 'jti', subject: byAddress('eve@example.org'), issuedAt: now, expiresAt: now };
  await store.tokens.add(token, toAccessNotice(token, '192.0.2.1'));
  {
    using database = openSqliteFile(path);
    const [{ columns }] = database
      .prepare(`select group_concat(name) as columns from pragma_table_info('outbox') where name <> 'id'`)
      .all() as [{ columns: string }];
    database.exec(`
        with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 40000)
        insert into outbox (id, ${columns}) select n, ${columns} from outbox, numbers;
        update outbox set mail_id = id / 2 % 10, attempts = 1, due_at = null, sent_at = created_at where rowid % 2 = 0`);
  }
  const before = process.threadCpuUsage();
  for (let n = 0; n < 10; n += 1) {
    assert.equal(await store.outbox.claim(now, now, 'owner'), null);
    assert.ok((await store.outbox.nextDueAt(now, 'owner'))! > now);
  }
  const { user, system } = process.threadCpuUsage(before);
  // CPU time, as above: the outbox looks for due mail whenever a notice is queued.
  assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms`);
});

testOnSqlite('a mail is claimed without going through all messages that wait or were sent [TRUST-10]', async (t) => {
  const { path, store } = await openTestStore(t);
  for (const n of numbers(2)) {
    const given = { id: `contact_${n}`, name: 'Eve', email: 'eve@example.org', company: 'x', message: 'Hello' };
    const contact = { ...given, subject: null, receivedAt: now };
    await store.contacts.add(contact, toContactNotice(contact, hash), null);
  }
  const { database, statements } = watched(openSqlite(path));
  const claiming = await openStore(database, { mailsPerHour: usual });
  t.after(() => claiming.close());
  statements.length = 0;
  assert.notEqual(await claiming.outbox.claim(now, new Date(now.getTime() + 15_000), 'owner'), null);
  assert.equal(await claiming.outbox.claim(now, now, 'owner'), null); // the other message is equal
  const ofOutbox = statements.filter(({ sql }) => sql.includes('"outbox"'));
  const plans = await Promise.all(ofOutbox.map((one) => explain(openSqlite(path), 'explain query plan', one)));
  const steps = plans.flat().filter((step) => / outbox /.test(step));
  assert.ok(steps.length >= 15, `${steps}`);
  assert.deepEqual(
    steps.filter((step) => !/^ SEARCH outbox .*\((kind|words|mail_id|id)=\?/.test(step)),
    [],
  );
});
