import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { exportContacts, listContacts, listInbox } from '../../src/operations/owner/contacts.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { exportReaders, getReader, listReaders } from '../../src/operations/owner/readers.ts';
import type { DeskServices } from '../../src/operations/owner/services.ts';
import { listTokens, setView } from '../../src/operations/owner/tokens.ts';
import { exportVisitor } from '../../src/operations/owner/visitors.ts';
import { message, openLinks, writeViewed } from '../support/links.ts';

/** Opens a service with two links, and a message through each. */
async function open(t: TestContext) {
  const service = await openLinks(t, { PROFILE: writeViewed(t) });
  const { owner, services } = service.opened;
  const run = invokerFor({ ...owner, reads: services.reads, edition: services.edition } as unknown as DeskServices);
  const ids = [];
  for (const name of ['Acmé, staff engineer', 'Globex, via Ann']) {
    const { id, path } = await service.make({ name, view: 'systems' });
    await (await service.openLink(path)).visitor.post('/profile/write', message);
    ids.push(id);
  }
  return { ...service, run, acme: ids[0]! };
}

test('tokens, messages and exports of the owner have the names of links beside their ids', async (t) => {
  const { run, acme } = await open(t);
  const whole = `link:${acme} (Acmé, staff engineer)`;
  const link = { kind: 'link', id: acme, name: 'Acmé, staff engineer' } as const;
  const visitor = { kind: 'link', id: acme } as const;
  const tokens = (await run(listTokens, {})).map(({ subject }) => subject);
  assert.deepEqual(
    tokens.filter((subject) => subject.kind === 'link' && subject.id === acme),
    [link],
  );
  for (const [contacts, subject] of [
    [await run(listContacts, { visitor }), link],
    [await run(exportContacts, { visitor }), whole],
    [(await run(exportVisitor, { visitor })).contacts, whole],
  ] as const)
    assert.deepEqual(
      contacts.map((contact) => contact.subject),
      [subject],
    );
  const zone = 'UTC';
  assert.ok((await run(exportReaders, { zone })).some(({ address }) => address === whole));
});

test('a part of its name finds a link among the readers, and its messages in the inbox, in any case', async (t) => {
  const { run, acme } = await open(t);
  const found = async (text: string) => {
    const { readers, total } = await run(listReaders, { zone: 'UTC', limit: 10, text });
    const messages = await run(listInbox, { states: ['unread'], search: text, offset: 0, limit: 10 });
    return [readers.map(({ key }) => key), total, messages.length];
  };
  assert.deepEqual(await found('ACMÉ, STAFF'), [[`link:${acme}`], 1, 1]);
  assert.deepEqual(await found(`link:${acme}`), [[`link:${acme}`], 1, 1]);
  assert.deepEqual(await found('initech'), [[], 0, 0]);
  const exported = await run(exportReaders, { zone: 'UTC', text: 'acmé' });
  assert.equal(exported.length, 1);
});

test('what came through a link reads its view, as the owner is shown, unless a token has another one', async (t) => {
  const { run, acme, opened } = await open(t);
  const { readers } = await run(listReaders, { zone: 'UTC', limit: 10, text: 'acmé' });
  const read = async () => {
    const { tokens } = await run(getReader, { id: readers[0]!.id });
    const [token] = tokens;
    return { jti: token!.jti, shown: token!.view, served: opened.tokens.viewOf(token! as never) };
  };
  const { jti, ...first } = await read();
  assert.deepEqual(first, { shown: 'systems', served: 'systems' });
  for (const [view, name] of [
    ['public', 'public'],
    ['all', null],
    ['systems', 'systems'],
  ] as const) {
    await run(setView, { jti, view });
    assert.deepEqual(await read(), { jti, shown: name, served: name });
  }
  assert.equal((await opened.store.links.find(acme))?.view, 'systems');
});
