import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch, equals, fold, PatchFault, recorded, toPath, toPointer } from '../../../src/model/profile/patch.ts';
import type { Change, PatchOperation } from '../../../src/model/profile/working-copy.ts';

const values = { jobs: [{ id: 'a' }, { id: 'b' }], name: 'Ada', 'a/b': { '~': 1 } };

test('each operation of a patch changes what it names, and nothing else', () => {
  const after = (...patch: PatchOperation[]) => applyPatch(values, patch) as typeof values;
  assert.deepEqual(after({ op: 'replace', path: '/name', value: 'Eva' }), { ...values, name: 'Eva' });
  assert.deepEqual(after({ op: 'add', path: '/jobs/1', value: 'c' }).jobs, [{ id: 'a' }, 'c', { id: 'b' }]);
  assert.deepEqual(after({ op: 'add', path: '/jobs/-', value: 'c' }).jobs, [{ id: 'a' }, { id: 'b' }, 'c']);
  assert.deepEqual(after({ op: 'remove', path: '/jobs/0' }).jobs, [{ id: 'b' }]);
  assert.deepEqual(after({ op: 'remove', path: '/name' }), { jobs: values.jobs, 'a/b': { '~': 1 } });
  assert.deepEqual(after({ op: 'move', from: '/jobs/0', path: '/jobs/1' }).jobs, [{ id: 'b' }, { id: 'a' }]);
  assert.deepEqual(after({ op: 'add', path: '/a~1b/~0', value: 2 })['a/b'], { '~': 2 });
  assert.deepEqual(after({ op: 'replace', path: '', value: 7 }), 7);
  assert.deepEqual(values.jobs, [{ id: 'a' }, { id: 'b' }]);
});

test('what a change does not touch stays the same object, so that it need not be drawn again', () => {
  const after = applyPatch(values, [{ op: 'replace', path: '/jobs/1/id', value: 'c' }]) as typeof values;
  assert.equal(after.jobs[0], values.jobs[0]);
  assert.equal(after['a/b'], values['a/b']);
});

test('a patch whose test fails, or that leads nowhere, is refused with the operation', () => {
  const refused = (patch: readonly PatchOperation[]) => {
    try {
      return applyPatch(values, patch);
    } catch (error) {
      return error instanceof PatchFault ? error.operation.op : error;
    }
  };
  assert.equal(refused([{ op: 'test', path: '/name', value: 'Eva' }]), 'test');
  assert.equal(refused([{ op: 'replace', path: '/none', value: 1 }]), 'replace');
  assert.equal(refused([{ op: 'add', path: '/none/deep', value: 1 }]), 'add');
  assert.equal(refused([{ op: 'add', path: '/jobs/3', value: 1 }]), 'add');
  assert.equal(refused([{ op: 'add', path: '/jobs/x', value: 1 }]), 'add');
  assert.equal(refused([{ op: 'remove', path: '/jobs/2' }]), 'remove');
  assert.equal(refused([{ op: 'remove', path: '' }]), 'remove');
  assert.equal(refused([{ op: 'move', from: '/jobs', path: '/jobs/0' }]), 'move');
  assert.equal(refused([{ op: 'remove', path: '/toString' }]), 'remove');
});

test('a test for null passes if there is no value', () => {
  assert.equal(applyPatch(values, [{ op: 'test', path: '/none/deep', value: null }]), values);
});

test('a key such as __proto__ is a key like any other', () => {
  const after = applyPatch({}, [{ op: 'add', path: '/__proto__', value: { isAdmin: true } }]) as object;
  assert.deepEqual(Object.keys(after), ['__proto__']);
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
});

test('a pointer and its path stand for each other', () => {
  assert.deepEqual(toPath('/jobs/0/a~1b/~01/01'), ['jobs', 0, 'a/b', '~1', '01']);
  assert.equal(toPointer(['jobs', 0, 'a/b', '~1']), '/jobs/0/a~1b/~01');
  assert.deepEqual(toPath(''), []);
});

test('values are equal whatever the order of their keys', () => {
  assert.equal(equals({ a: 1, b: [2] }, { b: [2], a: 1 }), true);
  assert.equal(equals({ a: 1 }, { a: 1, b: undefined }), false);
  assert.equal(equals([1, 2], [2, 1]), false);
  assert.equal(equals({}, []), false);
});

const named = (id: string, from: string, to: string, step = id): Change => ({
  ...{ id, step },
  patch: [
    { op: 'test', path: '/name', value: from },
    { op: 'replace', path: '/name', value: to },
  ],
});

test('undo takes a whole step out, redo puts it back, and a new change drops what is undone', () => {
  const nameAfter = (changes: readonly Change[]) => (fold(values, changes) as typeof values).name;
  const made = [named('1', 'Ada', 'Eva'), named('2', 'Eva', 'Ida', 's'), named('3', 'Ida', 'Una', 's')].reduce<
    readonly Change[]
  >((changes, { id, step, patch }) => recorded(changes, { id, step, patch: patch! }), []);
  assert.equal(nameAfter(made), 'Una');
  const undone = recorded(made, { undo: 's' });
  assert.equal(nameAfter(undone), 'Eva');
  assert.deepEqual(recorded(undone, { undo: 's' }), undone);
  assert.deepEqual(recorded(undone, { redo: 's' }), made);
  const anew = recorded(undone, { id: '4', step: '4', patch: [{ op: 'replace', path: '/name', value: 'Amy' }] });
  assert.equal(nameAfter(anew), 'Amy');
  assert.deepEqual(
    anew.map(({ id }) => id),
    ['1', '4'],
  );
  assert.equal(recorded(anew, { id: '4', step: '4', patch: [] }), anew);
});

test('a change as text gives the values of the text, none if it cannot be read', () => {
  const text = (document: unknown): Change => ({ id: 't', step: 't', document });
  assert.deepEqual(fold(values, [text({ name: 'Eva' }), named('1', 'Eva', 'Ida')]), { name: 'Ida' });
  assert.equal(fold(values, [text(null), named('1', 'Eva', 'Ida')]), null);
});
