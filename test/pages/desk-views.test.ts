import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOwnDesk } from '../support/desk.ts';
import { openEditorDesk } from '../support/editor-desk.ts';
import { viewedProfile } from '../support/viewed-profile.ts';

test('each view has its previews beside the editor', async (t) => {
  const { page, get } = await openOwnDesk(t, viewedProfile);
  const preview = async (tab: string) => (await get(`/desk/profile/preview?tab=${tab}&view=systems`)).json();
  const answers = JSON.stringify(await preview('assistant'));
  assert.match(answers, /Staff Engineer, Storage/);
  assert.doesNotMatch(answers, /Rackspace/);
  const framed = await page((await preview('page')).frame);
  assert.match(framed, /Staff Engineer, Storage/);
  assert.doesNotMatch(framed, /Rackspace/);
});

test('a version that leaves out a line changes that line and the view alone, and shows what is added later', async (t) => {
  const { patch, publish, now, opened } = await openEditorDesk(t, viewedProfile);
  const text = 'Led a working group of six.';
  const line = '/experience/0/roles/0/accomplishments/0';
  const step = crypto.randomUUID();
  const change = (path: string, value: unknown) => ({
    ...{ id: crypto.randomUUID(), step },
    patch: [{ op: 'add' as const, path, value }],
  });
  await patch([
    { ...change(line, ''), patch: [{ op: 'replace', path: line, value: { text, id: 'line-led' } }] },
    change('/views/brief/hide/-', 'line-led'),
  ]);
  assert.equal((await publish()).status, 200);
  assert.match(
    now(),
    /- text: Led a working group of six\.\n +id: line-led\n|- \{ ?text: Led a working group of six\., id: line-led ?\}/,
  );
  const linesIn = (view: string | null) =>
    opened.profile
      .views()
      .resolve(view ?? '')
      ?.experience.flatMap(({ roles }) => roles.flatMap((role) => role.accomplishments));
  assert.ok(linesIn('systems')!.includes(text));
  assert.deepEqual(linesIn('brief'), []);
});

test('the page of a reader sets the view of a token, and says that one is gone', async (t) => {
  const { page, post, ask, opened, token } = await openOwnDesk(t, viewedProfile);
  const asVisitor = async (path: string) => (await ask(path, { headers: { authorization: `Bearer ${token}` } })).text();
  const [, path = ''] = /href="(\/desk\/readers\/[\w-]+)"/.exec(await page('/desk/readers')) ?? [];
  assert.match(await page(path), /<option value="all" selected>the whole profile<\/option>/);
  const [issued] = await opened.store.tokens.listUnexpired(new Date());
  const { jti } = issued!;
  const set = await post(`${path}/view`, { jti, view: 'systems' });
  assert.match(await page(set.headers.get('location')!), /The view is set\./);
  assert.match(await asVisitor('/candidate'), /Staff Engineer, Storage/);
  await opened.tokens.setView({ kind: 'jti', jti }, 'old');
  assert.match(await page(path), /the public part: old is gone/);
  assert.equal(await asVisitor('/experience'), '[]');
});
