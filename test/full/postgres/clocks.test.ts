import '../../support/on-postgres.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../../src/adapters/store/store.ts';
import { createDatabase, databaseSettings, openDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { contact, newDatabasePath, notice } from '../../support/store.ts';

test('a replica whose clock is ahead sends nothing while another one has the lease', async (t) => {
  const path = await createDatabase(newDatabasePath(t));
  const [sending, ahead] = [await openStore(openDatabase(path)), await openStore(openDatabase(path))];
  t.after(() => Promise.all([sending.close(), ahead.close()]));
  const now = new Date();
  for (const about of ['contact_1', 'contact_2'])
    await sending.contacts.add({ ...contact, id: about, message: about, receivedAt: now }, { ...notice, about }, null);
  const inTwoMinutes = new Date(now.getTime() + 120_000);
  assert.ok(await sending.outbox.claim(now));
  assert.equal(await ahead.outbox.claim(inTwoMinutes), null);
  await sending.outbox.releaseLease();
  assert.ok(await ahead.outbox.claim(inTwoMinutes));
});

test('a replica whose clock is wrong says so when it starts', async (t) => {
  const folder = newFolder(t);
  const offset = join(folder, 'offset');
  writeFileSync(offset, '120');
  const { lines } = await startProcess(t, {
    ...(await databaseSettings(folder)),
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: offset,
  });
  const warning = "this machine's clock is 120 s ahead of the database server's: set both by NTP";
  await eventually(() => lines.some((line) => line.includes(warning)));
});
