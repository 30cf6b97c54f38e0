import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAuditLog } from '../../src/adapters/audit-log.ts';
import { byAddress } from '../../src/model/visitor.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openLimited, statusesOf } from '../support/visitors.ts';

type Line = Record<string, string | number>;

const linesOf = (folder: string): Line[] =>
  readdirSync(join(folder, 'audit')).flatMap((name) =>
    readFileSync(join(folder, 'audit', name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line),
  );

test('the audit log has each event, with equal hashes for the same visitor and no addresses', async (t) => {
  const { visitor, askToken, from, folder } = await openLimited(t);
  await visitor('ada@example.org', '198.51.100.1');
  await visitor('ada@example.org', '198.51.100.1');
  await statusesOf(9, () => askToken('198.51.100.1', 'bob@example.org'));
  await from('198.51.100.1', '/candidate', { headers: { authorization: 'Bearer nonsense' } });

  // The first line is about the token that each test service issues at its start.
  const [, ...lines] = linesOf(folder);
  assert.deepEqual(
    lines.map(({ event }) => event),
    [...Array(10).fill('token_issued'), 'limit_hit', 'token_refused'],
  );
  assert.doesNotMatch(JSON.stringify(lines), /@|198\.51|nonsense/);
  assert.equal(new Set(lines.map(({ from }) => from)).size, 1);
  assert.match(String(lines[0]!.from), /^[\w-]{22}$/);
  assert.equal(lines[0]!.subject, lines[1]!.subject);
  assert.notEqual(lines[1]!.subject, lines[2]!.subject);
  assert.equal(lines[10]!.operation, 'create_auth_token');
  const [file] = readdirSync(join(folder, 'audit'));
  assert.equal(statSync(join(folder, 'audit', file!)).mode & 0o777, 0o600);
});

test('the audit log has an entry for a refused token, and none for a valid or missing one', async (t) => {
  const { folder, get, ask, close } = await openTestService();
  t.after(close);
  const refusals = () => linesOf(folder).filter(({ event }) => event === 'token_refused').length;
  await get('/candidate');
  await ask('/candidate');
  assert.equal(refusals(), 0);
  await ask('/candidate', { headers: { authorization: 'Bearer nonsense' } });
  assert.equal(refusals(), 1);
});

test('the audit log has equal hashes for addresses of one network block, different ones for others', async (t) => {
  const { askToken, folder } = await openLimited(t, { LIMITS: 'off' });
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1', '198.51.100.1', '198.51.100.2'])
    await askToken(address);
  const [, ...hashes] = linesOf(folder).map(({ from }) => from);
  assert.equal(hashes[0], hashes[1]);
  assert.equal(new Set(hashes).size, 4);
});

test('events that any client can cause have 60 lines a minute; the next line says how many were left out', (t) => {
  const folder = newFolder(t);
  const clock = { now: new Date('2026-11-21T12:00:00Z') };
  const log = { error: (fields: unknown) => assert.fail(String(fields)) };
  const audit = openAuditLog({ directory: join(folder, 'audit'), hashVisitor: String, now: () => clock.now, log });
  for (let n = 0; n < 1_000; n += 1) audit.append({ event: 'token_refused', from: `192.0.2.${n % 256}` });
  audit.append({ event: 'token_issued', subject: byAddress('ada@example.org') });
  clock.now = new Date('2026-11-21T12:01:00Z');
  audit.append({ event: 'token_refused', from: null });
  const lines = linesOf(folder);
  assert.equal(lines.length, 62);
  assert.equal(lines[60]!.event, 'token_issued');
  assert.deepEqual(lines[61], { at: '2026-11-21T12:01:00.000Z', event: 'token_refused', left_out: 940 });
});

test('old audit files are removed, and a line that cannot be written does not fail the call', (t) => {
  const folder = newFolder(t);
  const directory = join(folder, 'audit');
  mkdirSync(directory);
  for (const name of ['audit-2026-08-22.jsonl', 'audit-2026-08-23.jsonl', 'audit-2026-11-21.jsonl', 'mine.txt'])
    writeFileSync(join(directory, name), '');
  const errors: object[] = [];
  const options = { hashVisitor: String, now: () => new Date(), log: { error: (e: object) => errors.push(e) } };
  openAuditLog({ ...options, directory }).removeBefore(new Date('2026-08-23T12:00:00Z'));
  assert.deepEqual(readdirSync(directory).sort(), ['audit-2026-08-23.jsonl', 'audit-2026-11-21.jsonl', 'mine.txt']);

  const nowhere = openAuditLog({ ...options, directory: join(directory, 'mine.txt') });
  nowhere.append({ event: 'profile_reloaded' });
  assert.equal(errors.length, 1);
});
