import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openAuditLog } from '../../../src/adapters/audit-log.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { newFolder } from '../../support/files.ts';

function open(t: TestContext) {
  const directory = join(newFolder(t), 'audit');
  const clock = { now: new Date('2026-11-21T12:00:00.000Z') };
  const errors: unknown[][] = [];
  const audit = openAuditLog({
    directory,
    hashVisitor: (text) => `hash of ${text}`,
    now: () => clock.now,
    log: { error: (...line) => errors.push(line) },
  });
  const linesOf = (name: string) =>
    readFileSync(join(directory, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { directory, clock, errors, audit, linesOf };
}

test('a line has the instant, the event, hashes of subject and network block, and no field without a value', (t) => {
  const { audit, linesOf, clock } = open(t);
  audit.append({ event: 'token_issued', subject: byAddress('Ada@Example.org'), from: '2001:db8::1' });
  clock.now = new Date('2026-11-22T00:00:00.000Z');
  audit.append({ event: 'token_refused', from: null });
  assert.deepEqual(linesOf('audit-2026-11-21.jsonl'), [
    {
      at: '2026-11-21T12:00:00.000Z',
      event: 'token_issued',
      subject: 'hash of ada@example.or',
      from: 'hash of 2001:db8:0:0::',
    },
  ]);
  assert.deepEqual(linesOf('audit-2026-11-22.jsonl'), [{ at: '2026-11-22T00:00:00.000Z', event: 'token_refused' }]);
});

test('events that any client can cause are limited to 60 lines a minute each, others are not', (t) => {
  const { audit, linesOf, clock } = open(t);
  for (let n = 0; n < 100; n += 1) {
    clock.now = new Date(Date.parse('2026-11-21T12:00:00.000Z') + n * 500);
    for (const event of ['token_refused', 'limit_hit', 'token_issued'] as const) audit.append({ event });
  }
  const events = linesOf('audit-2026-11-21.jsonl').map(({ event }) => event);
  const countOf = (name: string) => events.filter((event) => event === name).length;
  assert.deepEqual([countOf('token_refused'), countOf('limit_hit'), countOf('token_issued')], [60, 60, 100]);
});

test('a failure to write a line is logged with the event and the reason', (t) => {
  const { audit, directory, errors } = open(t);
  writeFileSync(directory, '');
  audit.append({ event: 'token_issued', subject: byAddress('ada@example.org') });
  const [[fields, message] = []] = errors as [{ err: NodeJS.ErrnoException; event: string }, string][];
  assert.deepEqual(
    [fields?.err.code, fields?.event, message],
    ['EEXIST', 'token_issued', 'the audit log cannot be written'],
  );
});

test('only audit files are removed, and a missing folder is ignored', (t) => {
  const { audit, directory } = open(t);
  audit.removeBefore(new Date('2026-11-21T00:00:00.000Z'));
  audit.append({ event: 'token_issued' });
  const others = ['a-audit-2020-01-01.jsonl', 'audit-2020-01-01.jsonl.gz', 'audit-2020.jsonl'];
  for (const name of [...others, 'audit-2020-01-01.jsonl']) writeFileSync(join(directory, name), '');
  audit.removeBefore(new Date('2026-11-21T00:00:00.000Z'));
  assert.deepEqual(readdirSync(directory).sort(), [...others, 'audit-2026-11-21.jsonl'].sort());
});
