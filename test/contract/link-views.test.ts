import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { endLink, makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { openVisitor } from '../support/pages.ts';

/** A profile with a view of another title and without projects. */
function profileFile(t: TestContext): string {
  const file = join(newFolder(t), 'profile.yaml');
  const text = readFileSync(fixture('profile.yaml'), 'utf8');
  writeFileSync(file, `${text}\nviews:\n  systems:\n    title: Staff Engineer, Storage\n    hide: [projects]\n`);
  return file;
}

async function open(t: TestContext) {
  const service = await openTestService({ PROFILE: profileFile(t) });
  t.after(service.close);
  const run = invokerFor(service.opened.owner);
  const make = (view: string) => run(makeLink, { name: view, view, may_write: true });
  async function openLink(address: string) {
    const visitor = openVisitor(service);
    const path = address.slice(service.baseUrl.length);
    const page = await (await visitor.post(path, {}, path)).text();
    return { visitor, page };
  }
  const ask = async (token: string, path: string) =>
    (await service.ask(path, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<
      Record<string, unknown>
    >;
  return { ...service, run, make, openLink, ask };
}

test('a link shows its view, the whole profile or the public part, on the page and to programs, from its first request on', async (t) => {
  const { make, openLink, ask } = await open(t);
  const shown: Record<string, unknown> = {};
  for (const view of ['systems', 'all', 'public']) {
    const { visitor, page } = await openLink((await make(view)).address);
    const token = await visitor.showToken();
    const { title } = await ask(token, '/candidate');
    shown[view] = [
      title,
      ((await ask(token, '/projects')) as unknown as unknown[]).length,
      page.includes('Staff Engineer, Storage'),
    ];
  }
  assert.deepEqual(shown, {
    systems: ['Staff Engineer, Storage', 0, true],
    all: ['Software Engineer', 2, false],
    public: ['Software Engineer', 0, false],
  });
});

test('a link to a view that the profile does not have any more shows the public part', async (t) => {
  const { make, openLink, ask, opened } = await open(t);
  const { visitor } = await openLink((await make('systems')).address);
  const token = await visitor.showToken();
  const path = opened.profile.path()!;
  const reloaded = new Promise<void>((resolve) => opened.onReload(() => resolve()));
  writeFileSync(path, readFileSync(path, 'utf8').replace('  systems:', '  storage:'));
  await reloaded;
  assert.deepEqual([(await ask(token, '/candidate')).title, await ask(token, '/projects')], ['Software Engineer', []]);
});

test('a token of a link that a process does not know, or that has ended, never reads more than the public part', async (t) => {
  const service = await openOauthService(t, { PROFILE: profileFile(t) });
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
