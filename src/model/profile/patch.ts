import type { Change, PatchOperation, Path, Value, WorkingEvent } from './working-copy.ts';

/** A patch that cannot be applied: a test failed, or an operation leads nowhere. */
export class PatchFault extends Error {
  readonly operation: PatchOperation;
  constructor(operation: PatchOperation, reason: string) {
    super(`${operation.op} at ${operation.path || 'the whole document'}: ${reason}`);
    this.name = 'PatchFault';
    this.operation = operation;
  }
}

type PlainMap = Readonly<Record<string, Value>>;
const isMap = (value: Value): value is PlainMap => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a JSON Pointer (RFC 6901) to a path; digits become an index. */
export const toPath = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));

export const toPointer = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (values: Value, path: Path): Value =>
  path.reduce<Value>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step) ? (inner as PlainMap)[step] : undefined,
    values,
  );

/** Whether two plain values are equal, whatever the order of keys. */
export function equals(one: Value, other: Value): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => equals(item, other[index]));
  if (!isMap(one) || !isMap(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equals(one[key], other[key]))
  );
}

/**
 * Applies a patch to values, which stay as they are: only what lies on the way to a change is copied. A test for null also
 * passes if there is no value. Throws `PatchFault`.
 */
export const applyPatch = (values: Value, patch: readonly PatchOperation[]): Value => patch.reduce(applied, values);

function applied(values: Value, operation: PatchOperation): Value {
  const fail = (reason: string): never => {
    throw new PatchFault(operation, reason);
  };
  const path = toPath(operation.path);
  if (operation.op === 'test')
    return equals(valueAt(values, path) ?? null, operation.value ?? null) ? values : fail('it has another value');
  if (operation.op !== 'move')
    return edited(values, path, operation.op, 'value' in operation ? operation.value : undefined, fail);
  const from = toPath(operation.from);
  if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from)
    fail('it cannot be moved into itself');
  const value = valueAt(values, from);
  return edited(edited(values, from, 'remove', undefined, fail), path, 'add', value, fail);
}

function edited(
  value: Value,
  [step, ...rest]: Path,
  kind: 'add' | 'replace' | 'remove',
  given: Value,
  fail: (reason: string) => never,
): Value {
  if (step === undefined) return kind === 'remove' ? fail('it cannot be removed') : given;
  const isLast = rest.length === 0;
  const isAdded = isLast && kind === 'add';
  if (Array.isArray(value)) {
    const index = step === '-' ? value.length : typeof step === 'number' ? step : -1;
    if (!(index in value) && !(isAdded && index === value.length)) return fail('it leads nowhere');
    if (isAdded) return value.toSpliced(index, 0, given);
    if (isLast && kind === 'remove') return value.toSpliced(index, 1);
    return value.with(index, isLast ? given : edited(value[index], rest, kind, given, fail));
  }
  if (!isMap(value) || !(Object.hasOwn(value, step) || isAdded)) return fail('it leads nowhere');
  if (isLast && kind === 'remove')
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== String(step)));
  return { ...value, [step]: isLast ? given : edited(value[step], rest, kind, given, fail) };
}

/** Applies the changes that are not undone to values; null if the text of one cannot be read. Throws `PatchFault`. */
export const fold = (base: Value, changes: readonly Change[]): Value =>
  changes.reduce<Value>((values, { isUndone, patch, document }) => {
    if (isUndone) return values;
    if (patch === undefined) return document;
    return values === null ? null : applyPatch(values, patch);
  }, base);

/** The id of a change, or of the step that is undone or redone. */
export const idOf = (event: WorkingEvent): string =>
  'patch' in event ? event.id : 'undo' in event ? event.undo : event.redo;

/** Returns changes after an event. A new change drops those that are undone; an event that was recorded changes nothing. */
export function recorded(changes: readonly Change[], event: WorkingEvent): readonly Change[] {
  if (!('patch' in event)) {
    const [step, isUndone] = [idOf(event), 'undo' in event];
    return changes.map((change) => {
      if (change.step !== step) return change;
      const { isUndone: _, ...plain } = change;
      return isUndone ? { ...plain, isUndone } : plain;
    });
  }
  if (changes.some(({ id }) => id === event.id)) return changes;
  return [...changes.filter(({ isUndone }) => !isUndone), event];
}

/** Returns two changes of the same values in one step as one, with an empty patch if they change nothing; otherwise null. */
export function joined(one: WorkingEvent | Change, other: WorkingEvent, id: string): WorkingEvent | null {
  if (!('patch' in one && 'patch' in other) || one.patch === undefined) return null;
  if (one.step !== other.step || one.patch.length !== other.patch.length) return null;
  const patch: PatchOperation[] = [];
  for (let index = 0; index < one.patch.length; index += 2) {
    const [test, first] = one.patch.slice(index, index + 2);
    const [between, then] = other.patch.slice(index, index + 2);
    if (test?.op !== 'test' || between?.op !== 'test' || first === undefined || then === undefined) return null;
    const [isGone, isAddedAgain] = [first.op === 'remove', then.op === 'add'];
    const value = 'value' in first ? first.value : null;
    if (first.op === 'move' || then.op === 'move' || first.path !== then.path || isGone !== isAddedAgain) return null;
    if (!equals(between.value, value)) return null;
    const isNew = first.op === 'add';
    if ('value' in then) {
      if (!equals(then.value, test.value))
        patch.push(test, { op: isNew ? 'add' : 'replace', path: then.path, value: then.value });
    } else if (!isNew) patch.push(test, then);
  }
  return { id, step: one.step, patch };
}
