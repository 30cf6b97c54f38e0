import '../../support/on-postgres.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { openSharedClock } from '../../../src/adapters/shared-clock.ts';
import { openStore } from '../../../src/adapters/store/store.ts';
import { generatePrivateJwk, kidOf } from '../../../src/adapters/tokens/private-jwks.ts';
import { createDatabase, databaseSettings, openDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { startProcess } from '../../support/process.ts';
import { contact, newDatabasePath, notice } from '../../support/store.ts';

const minute = 60_000;

/** Opens two stores on one database, on machines whose clocks are 4 minutes apart. */
async function openApart(t: TestContext) {
  const path = await createDatabase(newDatabasePath(t));
  const open = async (milliseconds: number) => {
    const store = await openStore(openDatabase(path), { mailsPerHour: { contact_request: 2, auth_request: 2 } });
    t.after(() => store.close());
    const machine = () => Date.now() + milliseconds;
    return { store, ...(await openSharedClock({ readClock: store.readClock, warn: () => {}, machine })) };
  };
  return { behind: await open(-2 * minute), ahead: await open(2 * minute) };
}

test('two replicas whose clocks are minutes apart share one quota of a minute', async (t) => {
  const { behind, ahead } = await openApart(t);
  const waits: (number | undefined)[] = [];
  for (const { store, now } of [behind, ahead, behind, ahead, behind, ahead])
    waits.push(
      await store.quotas.take([{ key: 'a', count: 2, seconds: 60 }], now()).then(
        () => 0,
        ({ retryAfterSeconds }) => retryAfterSeconds,
      ),
    );
  assert.deepEqual(waits.slice(0, 2), [0, 0]);
  assert.ok(
    waits.slice(2).every((wait) => wait! > 0 && wait! <= 61),
    String(waits),
  );
});

test('two replicas whose clocks are minutes apart send as many mails an hour as the owner receives, and none twice', async (t) => {
  const { behind, ahead } = await openApart(t);
  const claimed: string[] = [];
  for (const [n, { store, now }] of [ahead, behind, ahead, behind].entries()) {
    const about = `contact_${n}`;
    const request = { ...contact, id: about, message: `Message ${n}`, receivedAt: now() };
    await store.contacts.add(request, { ...notice, about, messageHash: `hash ${n}` }, null);
    const mail = await store.outbox.claim(now(), new Date(now().getTime() + minute / 4), 'owner');
    claimed.push(...(mail?.notices ?? []).map((one) => one.about));
  }
  assert.deepEqual(claimed, ['contact_0', 'contact_1']);
});

test('a service on a machine with a wrong clock goes by that of the database server', async (t) => {
  const folder = newFolder(t);
  const offset = join(folder, 'offset');
  writeFileSync(offset, '120');
  const shared = { ...(await databaseSettings(folder)), LIMITS: '1', BASE_URL: 'http://127.0.0.1:3000' };
  const right = await startProcess(t, shared);
  const wrong = await startProcess(t, {
    ...shared,
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: offset,
  });
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const { url } = n % 2 === 0 ? right : wrong;
    statuses.push((await fetch(`${url}/auth/token`, postJson({ email: `visitor-${n}@example.org` }))).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(10).fill(429)]);
  const warning = "this machine's clock is 120 s ahead of the database server's, which counts: set it by NTP";
  assert.equal(wrong.lines.filter((line) => line.includes(warning)).length, 1);
});

test('a service on a machine with a wrong clock begins to sign with a new key when the database server says so', async (t) => {
  const folder = newFolder(t);
  const offset = join(folder, 'offset');
  writeFileSync(offset, '1200');
  const [next, old] = [await generatePrivateJwk(), await generatePrivateJwk()];
  const keys = [{ ...next, nbf: Math.floor(Date.now() / 1_000) + 600 }, old];
  const wrong = await startProcess(t, {
    ...(await databaseSettings(folder)),
    SIGNING_KEY: JSON.stringify({ keys }),
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: offset,
  });
  assert.equal(decodeProtectedHeader(await wrong.token()).kid, await kidOf(old));
});
