import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Failure } from '../../../src/model/failure.ts';
import { owner } from '../../../src/operations/call.ts';
import { invoke } from '../../../src/operations/invoke.ts';
import { operation } from '../../../src/operations/operation.ts';
import { edition, serviceOf } from '../../support/mcp-service.ts';

/** A read of free text that fails for the empty text, with a list of the texts that it has handled. */
function openSearch() {
  const made: string[] = [];
  const search = operation({
    name: 'search',
    title: 'Search',
    summary: 'Search.',
    description: 'Search.',
    kind: 'read',
    access: 'bearer',
    rest: { method: 'GET', path: '/search' },
    input: z.object({ text: z.string() }),
    output: z.object({ found: z.string() }),
    handle: ({ text }) => {
      made.push(text);
      if (text === '') throw new Failure('NOT_FOUND');
      return { found: text };
    },
  });
  const { services } = serviceOf();
  const current = { ...edition };
  const answer = (text: string, published = current) => {
    const call = { surface: 'rest', caller: owner, input: () => ({ text }) };
    return invoke(search, call, { ...services, edition: () => published });
  };
  const ask = async (...asked: Parameters<typeof answer>) => (await answer(...asked)).data;
  return { made, answer, ask };
}

test('an answer has its JSON, compact and pretty-printed, and an entity tag', async () => {
  assert.deepEqual(await openSearch().answer('Ada'), {
    item: null,
    data: { found: 'Ada' },
    compact: '{"found":"Ada"}',
    pretty: '{\n  "found": "Ada"\n}',
    etag: '"yk_TxFPXuFx2RtfXHEj9Qo"',
  });
});

test('the answer to a read is computed once per edition', async () => {
  const { made, ask } = openSearch();
  for (const text of ['Ada', 'Bob', 'Ada']) assert.deepEqual(await ask(text), { found: text });
  await ask('Ada', { ...edition });
  assert.deepEqual(made, ['Ada', 'Bob', 'Ada']);
});

test('a thousand answers are cached, and the oldest is evicted first', async () => {
  const { made, ask } = openSearch();
  for (let n = 0; n <= 1_000; n += 1) await ask(`text ${n}`);
  assert.equal(made.length, 1_001);
  await ask('text 1');
  await ask('text 1000');
  assert.equal(made.length, 1_001);
  await ask('text 0');
  assert.equal(made.length, 1_002);
});

test('a failed read is not cached', async () => {
  const { made, ask } = openSearch();
  for (let n = 0; n < 2; n += 1) await assert.rejects(ask(''), { code: 'NOT_FOUND' });
  assert.deepEqual(made, ['', '']);
});
