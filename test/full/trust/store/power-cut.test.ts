import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqlite } from '../../../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../../../src/adapters/store/store.ts';
import { report, scaled } from '../../../support/figures.ts';
import { fixture, newFolder } from '../../../support/files.ts';
import { postJson } from '../../../support/post-json.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';
import { openDisk, openRandom, type Random } from './power-cut-disk.ts';
import { canTrace, type Step, startTraced } from './power-cut-trace.ts';

const cuts = scaled(1000, 60);
const visitors = 8;
const roundsEach = scaled(30, 10);

const message = 'A long message. '.repeat(625); // 10,000 characters, so that the log fills and is checkpointed

/** Returns the steps of a service while visitors request tokens and send messages. */
async function traced(t: TestContext, env: Record<string, string>): Promise<Step[]> {
  const service = await startTraced(t, {
    PROFILE: fixture('profile.yaml'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    LIMITS: 'off',
    ...env,
  });
  async function visit(visitor: number): Promise<void> {
    const asked = await fetch(`${service.url}/auth/token`, postJson({ email: `visitor-${visitor}@example.org` }));
    const { access_token: token } = (await asked.json()) as { access_token: string };
    const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message };
    const sent = await fetch(`${service.url}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));
    assert.equal(sent.status, 201);
    await sent.body?.cancel();
  }
  async function keepVisiting(visitor: number): Promise<void> {
    for (let round = 0; round < roundsEach; round++) await visit(visitor);
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => keepVisiting(visitor)));
  const steps = await service.steps();
  assert.equal(steps.flatMap(acknowledgedBy).length, visitors * roundsEach * 2, 'acknowledgements in the trace');
  const begun = steps.findIndex((step) => acknowledgedBy(step).length > 0);
  const checkpointed = steps
    .slice(begun)
    .filter((step) => step.kind === 'sync' && step.file === 'candidate-profile.db');
  assert.ok(checkpointed.length > 0, 'no checkpoint in the trace');
  return steps;
}

/** Returns the id of the contact request or token that a response acknowledges. */
function acknowledgedBy(step: Step): string[] {
  if (step.kind !== 'send') return [];
  const [, id] = /"id":"(contact_\w+)"/.exec(step.text) ?? [];
  const [, claims] = /"access_token":"[\w-]+\.([\w-]+)/.exec(step.text) ?? [];
  const token =
    claims === undefined ? null : (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti: string });
  return [id ?? token?.jti ?? []].flat();
}

/** Counts the cuts that lost something acknowledged, and lists the errors of databases that were corrupt. */
async function cutPower(t: TestContext, steps: readonly Step[], random: Random) {
  const disk = openDisk();
  const acknowledged: string[] = [];
  const corrupt: string[] = [];
  let losing = 0;
  let done = 0;
  const moments = Array.from({ length: cuts }, () => Math.floor(random() * (steps.length + 1)));
  const folder = join(newFolder(t), 'data');
  for (const moment of moments.sort((one, other) => one - other)) {
    for (; done < moment; done++) {
      disk.apply(steps[done]!);
      acknowledged.push(...acknowledgedBy(steps[done]!));
    }
    mkdirSync(folder);
    for (const [name, content] of disk.afterPowerCut(random)) writeFileSync(join(folder, name), content);
    try {
      const { stored, reported } = await openAgain(join(folder, 'candidate-profile.db'));
      if (!acknowledged.every((id) => stored.has(id) && reported.has(id))) losing++;
    } catch (error) {
      corrupt.push(`cut at ${moment}: ${(error as Error).message}`);
    }
    rmSync(folder, { recursive: true });
  }
  return { losing, corrupt };
}

/** Opens the database as the next start would, and returns the ids stored and those in the outbox. Throws if it is corrupt. */
async function openAgain(path: string): Promise<{ stored: Set<string>; reported: Set<string> }> {
  const store = await openStore(openSqlite(path));
  await store.close();
  using database = openSqliteFile(path);
  const column = (query: string) =>
    database
      .prepare(query)
      .all()
      .map((row) => String(Object.values(row)[0]));
  assert.deepEqual(column('pragma integrity_check'), ['ok']);
  const notices = column('select substr(text, 1, 500) from outbox');
  return {
    stored: new Set(column('select id from contacts union all select jti from issued_tokens')),
    reported: new Set(notices.map((text) => /^(?:Request|Token id): +(\S+)$/m.exec(text)?.[1] ?? '')),
  };
}

test('power cuts that drop or tear unsynced writes lose nothing acknowledged; with fewer fsyncs they do [TRUST-31]', {
  skip: canTrace() ? false : 'needs strace',
}, async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  const preload = new URL('power-cut-control.ts', import.meta.url);
  const [steps, control] = await Promise.all([traced(t, {}), traced(t, { NODE_OPTIONS: `--import ${preload}` })]);

  const cut = await cutPower(t, steps, openRandom(seed));
  const cutControl = await cutPower(t, control, openRandom(seed));
  report(
    "power cut: the service's own traced writes replayed up to a random point, unsynced ones dropped or torn",
    `${cuts} cuts in ${steps.length} steps: ${cut.losing} lost, ${cut.corrupt.length} corrupt; with synchronous=NORMAL ${cutControl.losing} of ${cuts} lose what was acknowledged`,
  );
  assert.deepEqual(cut, { losing: 0, corrupt: [] }, `SEED=${seed}`);
  assert.ok(cutControl.losing > cuts / 4, `SEED=${seed}: only ${cutControl.losing} cuts of the control lose anything`);
});
