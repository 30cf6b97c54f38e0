import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../../../src/model/contact.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { afterNoon, contact, notice, openTestStore, token } from '../../support/store.ts';

const everything = { states: ['unread', 'read', 'replied', 'archived', 'spam'], search: '' } as const;

async function openInbox(t: Parameters<typeof openTestStore>[0], contacts: readonly Partial<Contact>[]) {
  const { store, path } = await openTestStore(t);
  for (const [index, one] of contacts.entries()) {
    const id = `contact_${index}`;
    await store.contacts.add({ ...contact, id, receivedAt: afterNoon(index), ...one }, { ...notice, about: id }, null);
  }
  const find = async (search: string) =>
    (await store.contacts.listIn({ ...everything, search })).map(({ id }) => id.slice('contact_'.length)).join(' ');
  return { store, path, find };
}

test('a search finds a text in name, company, address and message, in any case, the latest first', async (t) => {
  const { find } = await openInbox(t, [
    { name: 'Grace HOPPER' },
    { company: 'Hopper & Sons' },
    { email: 'hopper@example.org' },
    { message: 'the grasshopper' },
    { name: 'ÅSA Größe' },
  ]);
  assert.equal(await find('hopper'), '3 2 1 0');
  assert.equal(await find('åsa'), '4');
  assert.equal(await find('GRÖSSE'), '');
  assert.equal(await find('GRÖßE'), '4');
  assert.equal(await find(''), '4 3 2 1 0');
});

test('percent, underscore and backslash are searched as they are', async (t) => {
  const { find } = await openInbox(t, [
    { message: '100%' },
    { message: 'a_b' },
    { message: 'c:\\d' },
    { message: "o'e" },
  ]);
  assert.equal(await find('%'), '0');
  assert.equal(await find('0%'), '0');
  assert.equal(await find('a_b'), '1');
  assert.equal(await find('_'), '1');
  assert.equal(await find('\\'), '2');
  assert.equal(await find("'"), '3');
  assert.equal(await find("' or 1=1 --"), '');
});

test('a message is unread at first, and is found under its state', async (t) => {
  const { store } = await openInbox(t, [{}, {}, {}]);
  assert.equal(await store.contacts.countUnread(), 3);
  await store.contacts.setState('contact_0', 'spam');
  await store.contacts.setState('contact_1', 'read', 'unread');
  await store.contacts.setState('contact_0', 'read', 'unread');
  assert.equal(await store.contacts.countUnread(), 1);
  const states = (await store.contacts.listIn(everything)).map(({ state }) => state);
  assert.deepEqual(states, ['unread', 'read', 'spam']);
  const spam = await store.contacts.listIn({ states: ['spam'], search: '' });
  assert.deepEqual(
    spam.map(({ id }) => id),
    ['contact_0'],
  );
  assert.equal((await store.contacts.find('contact_1'))?.state, 'read');
  assert.equal(await store.contacts.find('contact_'), null);
});

test('what would be erased of a visitor is counted, whichever way the address is spelled', async (t) => {
  const { store } = await openInbox(t, [
    { email: 'Ada@EXAMPLE.org', subject: null },
    { email: 'other@example.org', subject: byAddress('ada@example.org') },
    { email: 'other@example.org', subject: null },
  ]);
  await store.tokens.add(token, { ...notice, kind: 'auth_request', about: token.jti });
  const none = { contacts: 0, tokens: 0, grants: 0, reads: 0, notes: 0 };
  assert.deepEqual(await store.visitors.count(byAddress('ADA@example.org')), { ...none, contacts: 2, tokens: 1 });
  assert.deepEqual(await store.visitors.count(byAddress('nobody@example.org')), none);
});
