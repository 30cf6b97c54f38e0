import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { byAddress } from '../../../src/model/visitor.ts';
import {
  clock,
  current,
  former,
  issue,
  keysOf,
  openEmptyStore,
  openLiveKeys,
  openTestTokens,
  resetClock,
  subject,
} from '../../support/tokens.ts';

beforeEach(resetClock);

for (const [target, other] of [
  ['jti', subject],
  ['subject', byAddress('bob@example.org')],
] as const)
  test(`revoking a ${target} ends cached tokens with it, and no others`, async () => {
    const tokens = await openTestTokens({ store: await openEmptyStore() });
    const token = await tokens.prepare(subject);
    const [text, kept] = [await tokens.sign(token), await issue(tokens, other)];
    assert.ok(await tokens.verify(text));
    await tokens.revoke({ kind: target, jti: token.jti, subject });
    assert.equal(await tokens.verify(text), null);
    assert.ok(await tokens.verify(kept));
  });

for (const target of [{ kind: 'subject', subject } as const, { kind: 'all' } as const]) {
  test(`a token requested right after revoking ${target.kind} is valid and can be revoked in turn`, async () => {
    const tokens = await openTestTokens({ store: await openEmptyStore() });
    await tokens.revoke(target);
    const again = await issue(tokens);
    assert.ok(await tokens.verify(again));
    await tokens.revoke(target);
    assert.equal(await tokens.verify(again), null);
    assert.ok(await tokens.verify(await issue(tokens)));
  });
}

test('each hour all revocations are read again, and those that were erased are forgotten', async () => {
  const store = await openEmptyStore();
  const revokedAt = new Date(clock.milliseconds);
  let left: string[] = [];
  const listAfter = async (after: number) =>
    left
      .map((value, index) => ({ sequence: index + 1, kind: 'jti' as const, value, revokedAt }))
      .filter(({ sequence, value }) => sequence > after && value !== '');
  const tokens = await openTestTokens({ store: { ...store, revocations: { ...store.revocations, listAfter } } });
  const [first, second] = [await tokens.prepare(subject), await tokens.prepare(subject)];
  left = [first.jti, second.jti];
  await tokens.refresh();
  assert.deepEqual([tokens.isRevoked(first), tokens.isRevoked(second)], [true, true]);
  left = ['', second.jti];
  clock.milliseconds += 3_599_000;
  await tokens.refresh();
  assert.deepEqual([tokens.isRevoked(first), tokens.isRevoked(second)], [true, true]);
  clock.milliseconds += 1_000;
  await tokens.refresh();
  assert.deepEqual([tokens.isRevoked(first), tokens.isRevoked(second)], [false, true]);
});

test('a revocation that is stored while all are read again is not forgotten', async () => {
  const store = await openEmptyStore();
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  const listAfter = async (after: number) => {
    const waits = isHeld;
    const rows = await store.revocations.listAfter(after);
    if (waits) await held.promise;
    return rows;
  };
  const tokens = await openTestTokens({ store: { ...store, revocations: { ...store.revocations, listAfter } } });
  const [first, second] = [await tokens.prepare(subject), await tokens.prepare(subject)];
  await tokens.revoke({ kind: 'jti', jti: first.jti });
  clock.milliseconds += 3_600_000;
  isHeld = true;
  const reading = tokens.refresh();
  isHeld = false;
  await tokens.revoke({ kind: 'jti', jti: second.jti });
  held.resolve();
  await reading;
  assert.deepEqual([tokens.isRevoked(first), tokens.isRevoked(second)], [true, true]);
});

test('a revocation by a process whose clock is behind does not undo an earlier one', async () => {
  const store = await openEmptyStore();
  const tokens = await openTestTokens({ store });
  const text = await issue(tokens);
  await tokens.revoke({ kind: 'all' });
  await store.revocations.add({ kind: 'all', value: '', revokedAt: new Date(clock.milliseconds - 5000) });
  await tokens.refresh();
  assert.equal(await tokens.verify(text), null);
});

test('revoking one spelling of an address ends the tokens of all, in every process [TRUST-43]', async () => {
  const store = await openEmptyStore();
  const [here, there] = [await openTestTokens({ store }), await openTestTokens({ store })];
  const spellings = ['zoë@bücher.example', 'Zoe\u0308@bu\u0308cher.example', 'ZOË@xn--bcher-kva.example'];
  const issued = await Promise.all(spellings.map((spelling) => issue(here, byAddress(spelling))));
  await there.revoke({ kind: 'subject', subject: byAddress(spellings[1]!) });
  await here.refresh();
  const started = await openTestTokens({ store });
  for (const text of issued) for (const one of [here, started]) assert.equal(await one.verify(text), null);
  for (const spelling of spellings) assert.ok(await here.verify(await issue(here, byAddress(spelling))));
});

test('revoking a link ends its tokens, and not those of an address or of another link', async () => {
  const tokens = await openTestTokens({ store: await openEmptyStore() });
  const link = { kind: 'link', id: 'fp4A-_9k' } as const;
  const [opened, ...others] = await Promise.all([
    issue(tokens, link),
    issue(tokens, { kind: 'link', id: 'FP4A-_9K' }),
    issue(tokens, byAddress('link:fp4A-_9k@example.org')),
  ]);
  await tokens.revoke({ kind: 'subject', subject: link });
  assert.equal(await tokens.verify(opened), null);
  for (const other of others) assert.ok(await tokens.verify(other));
  assert.ok(await tokens.verify(await issue(tokens, link)));
});

test('the store keeps only a keyed hash of a revoked address', async () => {
  const store = await openEmptyStore();
  await (await openTestTokens({ store })).revoke({ kind: 'subject', subject });
  assert.deepEqual(await store.revocations.listAfter(0), [
    {
      sequence: 1,
      kind: 'subject',
      value: 'LsbdWTUzrzfCdQIdEhj_CcDm39M-wYEhKQvpWLm5pzY',
      revokedAt: new Date('2026-11-21T10:00:00Z'),
    },
  ]);
});

test('a revocation of an address before or after a rotation ends its tokens, cached or not', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const store = await openEmptyStore();
  const tokens = await openTestTokens({ keys: live, store });
  const [text, other] = [await issue(tokens), await issue(tokens, byAddress('bob@example.org'))];
  assert.ok(await tokens.verify(text));
  assert.ok(await tokens.verify(other));
  await tokens.revoke({ kind: 'subject', subject });
  await change(current, former);
  for (const one of [tokens, await openTestTokens({ store, keys: await keysOf(current, former) })])
    assert.equal(await one.verify(text), null);
  assert.ok(await tokens.verify(other));
  await tokens.revoke({ kind: 'subject', subject: byAddress('bob@example.org') });
  assert.equal(await tokens.verify(other), null);
});

test('a revocation hashed with a key that this process has not read yet applies once it has read it', async (t) => {
  const { live, change } = await openLiveKeys(t, former);
  const store = await openEmptyStore();
  const here = await openTestTokens({ keys: live, store });
  const text = await issue(here);
  assert.ok(await here.verify(text));
  await (await openTestTokens({ keys: await keysOf(current, former), store })).revoke({ kind: 'subject', subject });
  await here.refresh();
  await change(current, former);
  assert.equal(await here.verify(text), null);
});
