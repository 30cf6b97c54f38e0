import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportContacts, listContacts, listInbox } from '../../src/operations/owner/contacts.ts';
import { makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { exportReaders, getReader, listReaders } from '../../src/operations/owner/readers.ts';
import type { DeskServices } from '../../src/operations/owner/services.ts';
import { listTokens, setView } from '../../src/operations/owner/tokens.ts';
import { exportVisitor } from '../../src/operations/owner/visitors.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openVisitor } from '../support/pages.ts';

const message = { name: 'Ada King', email: 'ada@example.com', company: 'Engines', message: 'Shall we talk?' };

/** Opens a service with two links, through each of which somebody wrote. */
async function open(t: TestContext) {
  const PROFILE = join(newFolder(t), 'profile.yaml');
  writeFileSync(
    PROFILE,
    `${readFileSync(fixture('profile.yaml'), 'utf8')}\nviews:\n  systems:\n    hide: [projects]\n`,
  );
  const service = await openTestService({ PROFILE });
  t.after(service.close);
  const { owner, services } = service.opened;
  const desk = { ...owner, reads: services.reads, edition: services.edition } as unknown as DeskServices;
  const run = invokerFor(desk);
  const ids = [];
  for (const name of ['Acmé, staff engineer', 'Globex, via Ann']) {
    const { link, address } = await run(makeLink, { name, view: 'systems', may_write: true });
    const visitor = openVisitor(service);
    const path = address.slice(service.baseUrl.length);
    await visitor.post(path, {}, path);
    await visitor.post('/profile/write', message);
    ids.push(link.id);
  }
  return { ...service, run, acme: ids[0]!, globex: ids[1]! };
}

test('tokens, messages and exports of the owner have the names of links beside their ids', async (t) => {
  const { run, acme } = await open(t);
  const whole = `link:${acme} (Acmé, staff engineer)`;
  const link = { kind: 'link', id: acme, name: 'Acmé, staff engineer' } as const;
  assert.deepEqual(
    (await run(listTokens, {})).flatMap(({ subject }) =>
      subject.kind === 'link' && subject.id === acme ? subject : [],
    ),
    [link],
  );
  const visitor = { kind: 'link', id: acme } as const;
  assert.deepEqual(
    (await run(listContacts, { visitor })).map(({ subject }) => subject),
    [link],
  );
  assert.deepEqual(
    (await run(exportContacts, { visitor })).map(({ subject }) => subject),
    [whole],
  );
  assert.deepEqual(
    (await run(exportVisitor, { visitor })).contacts.map(({ subject }) => subject),
    [whole],
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
