import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { endLink, makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { setView } from '../../src/operations/owner/tokens.ts';
import { openLinks, writeViewed } from '../support/links.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { openVisitor } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';

async function open(t: TestContext) {
  const service = await openLinks(t, { PROFILE: writeViewed(t) });
  return {
    ...service,
    /** Makes a link to a view and opens it: what the page shows, and a token. */
    async openView(view: string) {
      const { visitor, page } = await service.openLink((await service.make({ view })).path);
      return { page, token: await visitor.showToken() };
    },
    /** The title and the number of projects that a token reads. */
    async shownTo(token: string) {
      const { title } = (await (await service.read(token, '/candidate')).json()) as { title: string };
      return [title, ((await (await service.read(token, '/projects')).json()) as unknown[]).length];
    },
  };
}

test('a link shows its view, the whole profile or the public part, on the page and to programs at once', async (t) => {
  const { openView, shownTo } = await open(t);
  const shown: Record<string, unknown> = {};
  for (const view of ['systems', 'all', 'public']) {
    const { token, page } = await openView(view);
    shown[view] = [...(await shownTo(token)), page.includes('Staff Engineer, Storage')];
  }
  assert.deepEqual(shown, {
    systems: ['Staff Engineer, Storage', 0, true],
    all: ['Software Engineer', 2, false],
    public: ['Software Engineer', 0, false],
  });
});

test('a link to a view that the profile does not have any more shows the public part', async (t) => {
  const { openView, shownTo, opened } = await open(t);
  const { token } = await openView('systems');
  const path = opened.profile.path()!;
  const reloaded = new Promise<void>((resolve) => opened.onReload(() => resolve()));
  writeFileSync(path, readFileSync(path, 'utf8').replace('  systems:', '  storage:'));
  await reloaded;
  assert.deepEqual(await shownTo(token), ['Software Engineer', 0]);
});

/** Opens the service twice on the same data; `title` asks one of them with a token. */
async function openReplicas(t: TestContext) {
  const first = await openOauthService(t, { PROFILE: writeViewed(t) });
  const replicas = [first, await first.beside()] as const;
  async function title(replica: (typeof replicas)[number], token: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}` };
    const response = await replica.fetch(`${replica.baseUrl}/candidate`, { headers });
    return ((await response.json()) as { title: string }).title;
  }
  const titles = async (token: string) => [await title(replicas[0], token), await title(replicas[1], token)];
  return { replicas, title, titles, run: invokerFor(first.opened().owner) };
}

const usual = 'Software Engineer';
const ofView = 'Staff Engineer, Storage';

test('once it is acknowledged that a token reads another view, its next request has that on every replica', async (t) => {
  const { replicas, titles, run } = await openReplicas(t);
  const [{ fetch, baseUrl, opened }] = replicas;
  const issued = await fetch(`${baseUrl}/auth/token`, postJson({ email: 'ada@example.org' }));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const [{ jti } = assert.fail()] = await opened().store.tokens.listUnexpired(new Date());
  assert.deepEqual(await titles(token), [usual, usual]);
  for (const [view, title] of [
    ['systems', ofView],
    ['all', usual],
  ] as const) {
    await run(setView, { jti, view });
    assert.deepEqual(await titles(token), [title, title]);
  }
});

test('a link that was made just now shows its view on every replica at once, on the page and to programs', async (t) => {
  const { replicas, title, run } = await openReplicas(t);
  const [first, second] = replicas;
  const make = async () => {
    const { link, address } = await run(makeLink, { name: 'Acme', view: 'systems', may_write: true });
    return { id: link.id, path: address.slice(first.baseUrl.length) };
  };
  /** Sends each request to the next replica, beginning with the one that did not make the link. */
  const next = replicas.toReversed();
  const visitor = openVisitor({
    ask(path, init) {
      next.push(next.shift()!);
      return next[1]!.fetch(first.baseUrl + path, init);
    },
  });
  // The replicas share a file of keys, which gets the key of links with the first link.
  await make();
  await second.opened().keys.refresh();
  const { path } = await make();
  await visitor.post(path, {}, path);
  for (const _ of replicas) assert.match(await (await visitor.get('/')).text(), /Staff Engineer, Storage/);
  const token = await first.opened().tokens.prepare({ kind: 'link', id: (await make()).id });
  assert.equal(await title(second, await first.opened().tokens.sign(token)), ofView);
});

test('a token of a link that a process does not know, or that has ended, reads only the public part', async (t) => {
  const service = await openOauthService(t, { PROFILE: writeViewed(t) });
  const { tokens, owner } = service.opened();
  const replica = await service.beside();
  const { link } = await invokerFor(owner)(makeLink, { name: 'Acme', view: 'all', may_write: true });
  const token = await tokens.prepare({ kind: 'link', id: link.id });
  assert.equal(tokens.viewOf(token), null);
  assert.equal(tokens.viewOf({ ...token, subject: { kind: 'link', id: 'ffffffffffff' } }), 'public');
  await replica.opened().tokens.refresh();
  assert.equal(replica.opened().tokens.viewOf(token), null);
  await invokerFor(owner)(endLink, { id: link.id });
  await replica.opened().tokens.refresh();
  assert.equal(replica.opened().tokens.viewOf(token), 'public');
});
