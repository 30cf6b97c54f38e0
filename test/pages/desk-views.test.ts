import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOwnDesk } from '../support/desk.ts';
import { openEditor } from '../support/editor-form.ts';
import { viewedProfile } from '../support/viewed-profile.ts';

const confluent = '/desk/profile/edit/experience/0';
const accomplishments = 'experience.0.roles.0.accomplishments';

test('the form of a profile with views shows which has each entry, and saved as it is changes nothing', async (t) => {
  const { page, send, now } = await openEditor(t, viewedProfile);
  const shown = await page(confluent);
  assert.equal((await send(shown, 'publish')).to, `${confluent}?done=same#done`);
  assert.equal(now(), viewedProfile);
  assert.match(shown, /In which views: systems, management</);
  assert.match(shown, /In which views: all</);
  assert.match(shown, /In which views: management</);
});

test('an entry and a text get other views by their boxes, and a changed text keeps its views', async (t) => {
  const { page, send, now } = await openEditor(t, viewedProfile);
  const { to } = await send(await page(confluent), 'publish', {
    [`${accomplishments}.1`]: 'Hired ten.',
    [`${accomplishments}.2.in`]: ['systems management brief', 'systems', 'brief'],
    'experience.0.in': ['systems management brief', 'systems', 'management', 'brief'],
  });
  assert.equal(to, `${confluent}?done=published#done`);
  assert.equal(
    now(),
    viewedProfile
      .replace('    in: [systems, management]\n', '')
      .replace('Hired and grew a team of nine.', 'Hired ten.')
      .replace('replication., in: [systems]', 'replication., in: [systems, brief]'),
  );
});

test('each view has its previews beside a form', async (t) => {
  const { page } = await openEditor(t, viewedProfile);
  const shown = await page(`${confluent}?preview=assistant.systems`);
  assert.match(shown, /<summary>Views<\/summary>/);
  assert.match(shown, /Staff Engineer, Storage/);
  assert.doesNotMatch(shown.slice(shown.indexOf('preview-view')), /Rackspace/);
  const [, address = ''] = /<iframe src="([^"]+)"/.exec(await page(`${confluent}?preview=page.systems`)) ?? [];
  const framed = await page(address);
  assert.match(framed, /Staff Engineer, Storage/);
  assert.doesNotMatch(framed, /Rackspace/);
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
