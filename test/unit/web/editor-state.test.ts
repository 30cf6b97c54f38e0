import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEditor } from '../../../src/surfaces/web/desk/editor/client/state.ts';
import { runSequence } from '../../support/editor-sequences.ts';
import { openBrowserStorage, openEditorService } from '../../support/editor-service.ts';

const nurse = {
  candidate: { name: 'Maria Oyelaran', title: 'Charge Nurse' },
  experience: [
    { company: 'Casco Bay', roles: [{ title: 'Charge Nurse', accomplishments: ['Lead a shift', 'Cut infections'] }] },
    { company: 'St. Brigid’s', roles: [{ title: 'Staff Nurse', accomplishments: ['Precepted graduates'] }] },
  ],
};
const lines = ['experience', 0, 'roles', 0, 'accomplishments'];

function open(base: unknown = nurse, browser = openBrowserStorage(), service = openEditorService(base), tab = 'tab-1') {
  const editor = createEditor(service.copy(), browser.storage, service.send, browser.tab(tab));
  return { editor, service, browser };
}

test('a text that is typed is one change, saved and undone as one step', async () => {
  const { editor, service } = open();
  for (const title of ['Charge Nurse,', 'Charge Nurse, ', 'Charge Nurse, ICU'])
    editor.set(['candidate', 'title'], title, { joins: 'title' });
  editor.endStep();
  assert.equal(await editor.flush(), true);
  assert.deepEqual(
    service.batches.map((events) => events.map((event) => 'patch' in event && event.patch)),
    [
      [
        [
          { op: 'test', path: '/candidate/title', value: 'Charge Nurse' },
          { op: 'replace', path: '/candidate/title', value: 'Charge Nurse, ICU' },
        ],
      ],
    ],
  );
  assert.deepEqual(editor.undo(), ['candidate', 'title']);
  assert.equal(editor.at(['candidate', 'title']), 'Charge Nurse');
  assert.equal(editor.canUndo.value, false);
  assert.deepEqual(editor.redo(), ['candidate', 'title']);
  await editor.flush();
  assert.deepEqual(service.values(), { ...nurse, candidate: { name: 'Maria Oyelaran', title: 'Charge Nurse, ICU' } });
});

test('what is typed after a part of it was sent still belongs to the same step', async () => {
  const { editor, service } = open();
  editor.set(['candidate', 'title'], 'Nurse', { joins: 'title' });
  await editor.flush();
  editor.set(['candidate', 'title'], 'Nurse Manager', { joins: 'title' });
  await editor.flush();
  editor.undo();
  await editor.flush();
  assert.deepEqual(service.values(), nurse);
});

test('a text that is typed and removed again changes nothing', async () => {
  const { editor, service } = open();
  editor.set(['candidate', 'location'], 'P', { joins: 'location' });
  editor.set(['candidate', 'location'], '', { joins: 'location' });
  await editor.flush();
  assert.deepEqual([editor.document.value, editor.canUndo.value, service.batches], [nurse, false, []]);
});

test('a heading that is typed changes its name in the order as the same step', async () => {
  const { editor, service } = open({ sections: [{ title: 'Talks' }], order: ['Talks'] });
  for (const title of ['Talk', 'Tal', 'Lectures'])
    editor.step(() => {
      editor.set(['sections', 0, 'title'], title, { joins: 'heading' });
      editor.set(['order', 0], title, { joins: 'heading' });
    });
  await editor.flush();
  assert.deepEqual(service.values(), { sections: [{ title: 'Lectures' }], order: ['Lectures'] });
  assert.equal(service.batches[0]!.length, 1);
  editor.undo();
  assert.deepEqual(editor.document.value, { sections: [{ title: 'Talks' }], order: ['Talks'] });
});

test('lines that are inserted in one step are all kept', async () => {
  const { editor, service } = open();
  for (const line of ['one', 'two', 'three'])
    editor.step(() => {
      editor.set(['candidate', 'title'], line, { joins: 'title' });
      editor.insert([...lines, 0], line);
    });
  await editor.flush();
  assert.deepEqual(editor.at(lines), ['three', 'two', 'one', 'Lead a shift', 'Cut infections']);
  assert.deepEqual(service.values(), editor.document.value);
  editor.undo();
  assert.deepEqual(editor.document.value, nurse);
});

test('missing maps and lists are added, and what gets empty is removed', () => {
  const { editor } = open({});
  editor.set(['resume', 'links', 0, 'url'], 'https://example.org');
  assert.deepEqual(editor.document.value, { resume: { links: [{ url: 'https://example.org' }] } });
  editor.set(['resume', 'links', 0, 'url'], '');
  assert.deepEqual(editor.document.value, { resume: { links: [{}] } });
  editor.remove(['resume', 'links', 0]);
  assert.deepEqual(editor.document.value, {});
  for (let count = 0; count < 3; count++) editor.undo();
  assert.deepEqual(editor.document.value, {});
});

test('entries move within a list and to another, which may be missing', () => {
  const { editor } = open({ a: ['one', 'two', 'three'] });
  editor.move(['a', 0], ['a', 2]);
  assert.deepEqual(editor.document.value, { a: ['two', 'three', 'one'] });
  editor.move(['a', 1], ['b', 0]);
  editor.move(['a', 1], ['b', 0]);
  editor.move(['a', 0], ['b', 2]);
  assert.deepEqual(editor.document.value, { b: ['one', 'three', 'two'] });
});

test('only what lies on the way to a change is another object', () => {
  const { editor } = open();
  const before = editor.at(['experience', 1]);
  editor.set([...lines, 0], 'Led a shift');
  assert.equal(editor.at(['experience', 1]), before);
  assert.deepEqual(editor.at([...lines, 0]), 'Led a shift');
});

test('a patch that does not fit changes nothing', () => {
  const { editor } = open();
  assert.equal(
    editor.apply([
      { op: 'test', path: '/candidate/title', value: 'Chef' },
      { op: 'remove', path: '/candidate/title' },
    ]),
    false,
  );
  assert.equal(editor.document.value, editor.document.value);
  assert.equal(editor.canUndo.value, false);
});

test('characters that no file can hold are dropped', async () => {
  const { editor, service } = open();
  editor.set(['candidate', 'title'], 'Charge\0 Nurse\ud83d');
  await editor.flush();
  assert.equal(editor.at(['candidate', 'title']), 'Charge Nurse\ufffd');
  assert.deepEqual(service.values(), editor.document.value);
});

test('an answer that is lost is asked for again, and nothing is doubled [TRUST-80]', async () => {
  const { editor, service, browser } = open();
  service.next('answer lost');
  editor.insert([...lines, 2], 'Trained six nurses');
  assert.equal(await editor.flush(), false);
  assert.equal(editor.saving.value, 'not-saved');
  assert.equal(browser.items.size, 1);
  editor.undo();
  editor.redo();
  assert.equal(await editor.flush(), true);
  assert.deepEqual([editor.saving.value, browser.items.size], ['saved', 0]);
  assert.deepEqual(service.values(), editor.document.value);
  assert.deepEqual(editor.at(lines), ['Lead a shift', 'Cut infections', 'Trained six nurses']);
});

test('what was undone and dropped before an answer was lost stays gone [TRUST-80]', async () => {
  const { editor, service } = open();
  editor.remove(['candidate', 'title']);
  editor.insert([...lines, 0], 'Dropped');
  editor.undo();
  editor.set(['candidate', 'name'], 'Maria');
  editor.undo();
  editor.undo();
  service.next('answer lost');
  assert.equal(await editor.flush(), false);
  assert.deepEqual(
    [editor.redo(), editor.redo()],
    [
      ['candidate', 'title'],
      ['candidate', 'name'],
    ],
  );
  assert.equal(await editor.flush(), true);
  assert.equal(editor.redo(), null);
  const expected = { ...nurse, candidate: { name: 'Maria' } };
  assert.deepEqual([editor.document.value, service.values()], [expected, expected]);
});

for (const fate of ['request lost', 500, 503, 429] as const)
  test(`what is typed is kept while the service cannot be reached: ${fate} [TRUST-80]`, async () => {
    const { editor, service, browser } = open();
    service.next(fate, fate);
    editor.set(['candidate', 'title'], 'Nurse');
    assert.equal(await editor.flush(), false);
    editor.set(['candidate', 'name'], 'Maria');
    assert.equal(await editor.flush(), false);
    assert.equal(editor.saving.value, 'not-saved');
    browser.close('tab-1');
    const { editor: later } = open(nurse, browser, service, 'tab-2');
    assert.equal(await later.flush(), true);
    assert.deepEqual(service.values(), { ...nurse, candidate: { name: 'Maria', title: 'Nurse' } });
    assert.equal(browser.items.size, 0);
  });

test('after the session has ended, what is typed is kept and sent by the next one [TRUST-80]', async () => {
  const { editor, service } = open();
  service.next(401);
  editor.set(['candidate', 'title'], 'Nurse');
  assert.equal(await editor.flush(), false);
  assert.equal(editor.saving.value, 'signed-out');
  assert.equal(await editor.flush(), true);
  assert.equal(editor.saving.value, 'saved');
});

test('changes of two tabs are both kept [TRUST-81]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  one.set(['candidate', 'title'], 'Nurse');
  other.set(['candidate', 'name'], 'Maria');
  await one.flush();
  await other.flush();
  await one.refresh();
  const both = { ...nurse, candidate: { name: 'Maria', title: 'Nurse' } };
  assert.deepEqual([service.values(), one.document.value, other.document.value], [both, both, both]);
  assert.deepEqual(other.copy.value.conflicts, []);
});

test('what another tab has dropped while an answer was lost cannot be redone [TRUST-81]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  one.set(['candidate', 'title'], 'Nurse');
  one.undo();
  service.next('answer lost');
  assert.equal(await one.flush(), false);
  await other.refresh();
  other.set(['candidate', 'name'], 'Maria');
  assert.equal(await other.flush(), true);
  assert.equal(await one.flush(), true);
  assert.equal(one.redo(), null);
  assert.deepEqual([one.document.value, service.values()], [other.document.value, other.document.value]);
});

test('of two tabs that change the same text, the later one is shown both values [TRUST-81]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  one.set(['candidate', 'title'], 'Nurse');
  other.set(['candidate', 'title'], 'Nurse Manager');
  await one.flush();
  await other.flush();
  assert.equal(other.at(['candidate', 'title']), 'Nurse');
  assert.deepEqual(
    other.copy.value.conflicts.map(({ pointer, mine, theirs }) => [pointer, mine, theirs]),
    [['/candidate/title', 'Nurse Manager', 'Nurse']],
  );
  browser.close('tab-2');
  const { editor: later } = open(nurse, browser, service, 'tab-3');
  await later.flush();
  assert.equal(later.copy.value.conflicts.length, 1);
  await later.choose('/candidate/title', 'mine');
  assert.deepEqual(later.copy.value.conflicts, []);
  await later.flush();
  assert.deepEqual(service.values(), { ...nurse, candidate: { name: 'Maria Oyelaran', title: 'Nurse Manager' } });
});

test('a tab whose answer was lost learns what another one has changed meanwhile', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  service.next('answer lost');
  one.set(['candidate', 'title'], 'Nurse');
  await one.flush();
  other.set(['candidate', 'name'], 'Maria');
  await other.flush();
  await one.flush();
  const both = { ...nurse, candidate: { name: 'Maria', title: 'Nurse' } };
  assert.deepEqual([service.values(), one.document.value, other.document.value], [both, both, both]);
  assert.deepEqual(one.copy.value.conflicts, []);
});

test('the other value of a conflict stays if it is chosen', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  one.remove(['experience', 1]);
  other.set(['experience', 1, 'company'], 'St. Brigid’s Hospital');
  await one.flush();
  await other.flush();
  await other.choose('/experience/1/company', 'theirs');
  assert.deepEqual([other.copy.value.conflicts, browser.items.size], [[], 0]);
  assert.deepEqual(other.document.value, { ...nurse, experience: [nurse.experience[0]] });
});

test('a change that the service refuses becomes a choice, and the others are saved', async () => {
  const { editor, service } = open();
  service.next(413);
  editor.set(['candidate', 'title'], 'Nurse'.repeat(1_000));
  editor.set(['candidate', 'name'], 'Maria');
  assert.equal(await editor.flush(), true);
  assert.deepEqual(
    editor.copy.value.conflicts.map(({ pointer, theirs }) => [pointer, theirs]),
    [['/candidate/title', 'Charge Nurse']],
  );
  assert.deepEqual(service.values(), { ...nurse, candidate: { name: 'Maria', title: 'Charge Nurse' } });
});

test('an open tab takes over what another one leaves when it is closed, once [TRUST-80]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  service.next('request lost');
  one.set(['candidate', 'title'], 'Nurse');
  await one.flush();
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  const { editor: third } = open(nurse, browser, service, 'tab-3');
  assert.equal(other.at(['candidate', 'title']), 'Charge Nurse');
  browser.close('tab-1');
  await other.flush();
  assert.equal(other.at(['candidate', 'title']), 'Nurse');
  assert.equal(third.at(['candidate', 'title']), 'Charge Nurse');
  assert.equal(service.batches.length, 1);
});

test('what a closed tab has left continues what the service has from it [TRUST-80]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  one.set(['candidate', 'title'], 'Nurse');
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  await one.flush();
  one.set(['candidate', 'title'], 'Nurse Manager');
  browser.close('tab-1');
  assert.equal(await other.flush(), true);
  assert.deepEqual([other.copy.value.conflicts, other.document.value], [[], service.values()]);
  assert.equal(other.at(['candidate', 'title']), 'Nurse Manager');
});

test('what the service had from two tabs counts as saved once one of them is closed [TRUST-80]', async () => {
  const browser = openBrowserStorage();
  const service = openEditorService(nurse);
  const { editor: one } = open(nurse, browser, service, 'tab-1');
  service.next('answer lost');
  one.set(['candidate', 'title'], 'Nurse');
  assert.equal(await one.flush(), false);
  const { editor: other } = open(nurse, browser, service, 'tab-2');
  service.next('answer lost');
  other.set(['candidate', 'name'], 'Maria');
  assert.equal(await other.flush(), false);
  browser.close('tab-1');
  assert.equal(await other.flush(), true);
  assert.equal(other.saving.value, 'saved');
});

test('a large change is sent in parts that fit into what browsers send after a page is left', async () => {
  const { editor, service } = open({});
  for (let index = 0; index < 5; index++) editor.set(['notes', index], String(index).repeat(25_000));
  await editor.flush();
  assert.deepEqual(
    service.batches.map(({ length }) => length),
    [2, 2, 1],
  );
  assert.deepEqual(service.values(), editor.document.value);
});

test('random changes, undone and redone, with lost answers, are those of plain objects', async () => {
  for (let seed = 1; seed <= 20; seed++) await runSequence(seed, 50);
});
