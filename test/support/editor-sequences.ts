import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { completed } from '../../src/model/profile/completed.ts';
import { readValues, textWith } from '../../src/model/profile/document-text.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { createEditor } from '../../src/surfaces/web/desk/editor/client/state.ts';
import { type Fate, openBrowserStorage, openEditorService } from './editor-service.ts';
import { randomOf } from './random.ts';

type Item = string | Tree;
type Tree = { [key: string]: Item } | Item[];
type Path = (string | number)[];

const head = '# Written by hand.\n\n';
const text = head + readFileSync(samplePath, 'utf8');

/** The document as plain objects that are changed where they are, and the ones before each step. */
class Model {
  now: Tree;
  #before: Tree[] = [];
  #after: Tree[] = [];
  constructor(base: Tree) {
    this.now = structuredClone(base);
  }

  begin(): void {
    this.#before.push(structuredClone(this.now));
    this.#after = [];
  }

  /** Forgets a step that has changed nothing: what was undone before it can be redone. */
  forgetIfSame(after: readonly Tree[]): void {
    if (JSON.stringify(this.now) !== JSON.stringify(this.#before.at(-1))) return;
    this.#before.pop();
    this.#after = [...after];
  }

  get undone(): readonly Tree[] {
    return this.#after;
  }

  turn(isUndo: boolean): boolean {
    const [from, to] = isUndo ? [this.#before, this.#after] : [this.#after, this.#before];
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.now);
    this.now = next;
    return true;
  }

  get steps(): number {
    return this.#before.length;
  }

  at(path: Path): Item | undefined {
    return path.reduce<Item | undefined>((inner, key) => (inner as Record<string, Item> | undefined)?.[key], this.now);
  }

  set(path: Path, value: string): void {
    const [key, holder] = [path.at(-1)!, this.at(path.slice(0, -1)) as Record<string, Item>];
    if (value === '' && typeof key === 'string') this.remove(path);
    else holder[key] = value;
  }

  remove(path: Path): void {
    const [key, holder] = [path.at(-1)!, this.at(path.slice(0, -1))];
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete (holder as Record<string, Item>)[key];
    if (Object.keys(holder as Tree).length === 0 && typeof path.at(-2) === 'string') this.remove(path.slice(0, -1));
  }

  move(from: Path, to: Path): void {
    const [source, target] = [this.at(from.slice(0, -1)) as Item[], this.at(to.slice(0, -1)) as Item[]];
    target.splice(Number(to.at(-1)), 0, ...source.splice(Number(from.at(-1)), 1));
    if (source.length > 0) return;
    source.push('');
    this.remove(from);
  }
}

/** Returns the paths of all values below one. */
function pathsIn(value: Item, path: Path = []): { path: Path; value: Item }[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  const entries: [string | number, Item][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [{ path, value }, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/**
 * Makes random changes by the state of the client, with lost requests and answers, and the same in plain objects. Both must
 * agree after each, the service in the end, and undoing all gives the text that it began with.
 */
export async function runSequence(seed: number, count: number): Promise<void> {
  const { below, pick, isOneIn } = randomOf(seed);
  const base = readValues(text) as Tree;
  const service = openEditorService(base);
  const { storage, tab } = openBrowserStorage();
  const editor = createEditor(service.copy(), storage, service.send, tab('tab'));
  const model = new Model(base);
  const fates: readonly Fate[] = ['answered', 'answered', 'answer lost', 'request lost', 503];

  const places = () => pathsIn(model.now);
  const texts = () => places().filter(({ value, path }) => typeof value === 'string' && path.length > 0);
  const lists = () => places().filter(({ value }) => Array.isArray(value));
  const step = (act: () => void): void => {
    model.begin();
    act();
  };
  const actions: (() => void)[] = [
    function type() {
      const { path, value } = pick(texts());
      const keys = 1 + below(6);
      const { undone } = model;
      step(() => {
        for (let length = 1; length <= keys; length++) {
          const typed = isOneIn(9) ? '' : `${value}${'typed '.slice(0, length)}`;
          if (model.at(path) === undefined && typed === '') continue;
          if (length > 1 && model.at(path.slice(0, -1)) === undefined) return;
          editor.set(path, typed, { joins: `${seed} ${path.join('.')}` });
          model.set(path, typed);
        }
      });
      editor.endStep();
      model.forgetIfSame(undone);
    },
    function remove() {
      const { path } = pick(places().filter(({ path }) => path.length > 1));
      step(() => {
        editor.remove(path);
        model.remove(path);
      });
    },
    function insert() {
      const { path, value } = pick(lists());
      const at = [...path, below((value as Item[]).length + 1)];
      const item = `item ${1 + below(9)}`;
      step(() => {
        editor.insert(at, item);
        (model.at(path) as Item[]).splice(Number(at.at(-1)), 0, item);
      });
    },
    function move() {
      const { path, value } = pick(lists());
      const from = [...path, below((value as Item[]).length)];
      const isInside = (one: Path) =>
        one.slice(0, path.length).join('/') === path.join('/') && one.length > path.length;
      const others = lists().filter((one) => !isInside(one.path) && one.path.join('/') !== path.join('/'));
      const target = others.length > 0 && isOneIn(2) ? pick(others) : null;
      // A list around the moved entry would take it into itself, and shorten the way to it.
      const to =
        target === null || path.join('/').startsWith(target.path.join('/'))
          ? [...path, below((value as Item[]).length)]
          : [...target.path, below((target.value as Item[]).length + 1)];
      if (from.join('/') === to.join('/')) return;
      step(() => {
        editor.move(from, to);
        model.move(from, to);
      });
    },
    function split() {
      const line = pick(texts().filter(({ path }) => typeof path.at(-1) === 'number'));
      const next = [...line.path.slice(0, -1), Number(line.path.at(-1)) + 1];
      step(() => {
        editor.step(() => {
          editor.set(line.path, 'left');
          editor.insert(next, 'right');
        });
        model.set(line.path, 'left');
        (model.at(next.slice(0, -1)) as Item[]).splice(next.at(-1) as number, 0, 'right');
      });
    },
    function undo() {
      assert.equal(editor.undo() !== null, model.turn(true));
    },
    function redo() {
      assert.equal(editor.redo() !== null, model.turn(false));
    },
  ];

  for (let index = 0; index < count; index++) {
    const act = pick(actions);
    act();
    assert.deepEqual(editor.document.value, model.now, `seed ${seed}, change ${index}: ${act.name}`);
    assert.equal(editor.canUndo.value, model.steps > 0);
    if (!isOneIn(4)) continue;
    service.next(pick(fates));
    await editor.flush();
  }
  assert.equal(await flushed(editor), true);
  assert.deepEqual(service.values(), model.now, `seed ${seed}: saved`);
  const values = completed(base, service.values());
  const edited = textWith(text, values);
  assert.equal(edited.text.startsWith(head), true, `seed ${seed}: the comment`);
  assert.deepEqual(parse(edited.text), JSON.parse(JSON.stringify(values)), `seed ${seed}: the text`);

  while (model.turn(true)) editor.undo();
  await flushed(editor);
  assert.deepEqual(service.values(), base);
  assert.equal(textWith(text, completed(base, service.values())).text, text);
}

/** Sends until all is saved: the service fails a few times at most. */
async function flushed(editor: ReturnType<typeof createEditor>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) if (await editor.flush()) return true;
  return false;
}
