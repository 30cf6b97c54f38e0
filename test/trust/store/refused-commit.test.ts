import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTestService } from '../../support/in-process.ts';
import { postJson } from '../../support/post-json.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const fault = '{"error":{"code":"INTERNAL_ERROR","message":"Something went wrong on our side."}}';

test('no token is issued and no message acknowledged before the commit succeeds', async (t) => {
  const service = await openTestService();
  t.after(service.close);
  const database = openSqliteFile(join(service.folder, 'candidate-profile.db'));
  t.after(() => database.close());
  const count = (table: string) => database.prepare(`select count(*) as n from ${table}`).get()?.n;
  // SQLite checks a deferred foreign key at the end of a transaction: each statement succeeds, and the commit fails.
  database.exec(`
    create table unkept (notice text references contacts deferrable initially deferred);
    create trigger refuse_commit after insert on outbox begin insert into unkept values (new.id); end;
  `);
  const before = { tokens: count('issued_tokens'), notices: count('outbox') };
  const refused = [
    await service.ask('/auth/token', postJson({ email: 'ada@example.org' })),
    await service.post('/contact', contact),
    await service.ask(
      '/contact',
      postJson(contact, { authorization: `Bearer ${service.token}`, 'idempotency-key': 'key-1' }),
    ),
  ];
  for (const response of refused) assert.deepEqual([response.status, await response.text()], [500, fault]);
  assert.deepEqual({ tokens: count('issued_tokens'), notices: count('outbox') }, before);
  assert.deepEqual([count('contacts'), count('idempotency_keys')], [0, 0]);

  database.exec('drop trigger refuse_commit');
  assert.equal((await service.ask('/auth/token', postJson({ email: 'ada@example.org' }))).status, 200);
  assert.equal((await service.post('/contact', contact)).status, 201);
  assert.equal(count('contacts'), 1);
});
