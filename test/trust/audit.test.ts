import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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
