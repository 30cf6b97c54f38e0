import type { VNode } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { toPath } from '../../../../../model/profile/patch.ts';
import type { Finding } from '../../../../../model/profile/working-copy.ts';
import { dropInto, onMoveKey, useSortable } from './moving.ts';
import { listOf, mapOf } from './sections.ts';
import { editor } from './state.ts';
import { Findings, focusText, Text, Ticks, tickOf, write } from './text.ts';
import { announce, html } from './ui.ts';

interface LinesProps {
  readonly at: string;
  readonly value: unknown;
  /** Names one of them, such as `Line` or `Skill`. */
  readonly noun: string;
  /** The entry that they belong to, for screen readers. */
  readonly of: string;
  readonly ghost: string;
  readonly isChips?: boolean;
  /** Whether a typed comma begins the next. */
  readonly hasCommas?: boolean;
  /** Whether the place of the next one is shown. */
  readonly isActive: boolean;
  readonly findings: readonly Finding[];
}

/** A line is a text, or an object if it has an id or names the versions that show it. */
const textIn = (item: unknown): string => String(typeof item === 'object' ? (mapOf(item).text ?? '') : (item ?? ''));

let keyCount = 0;

/** A list of texts, as lines with bullets or as chips: Enter begins the next, Backspace at the start joins. */
export function Lines({
  at,
  value,
  noun,
  of,
  ghost,
  isChips = false,
  hasCommas = false,
  isActive,
  findings,
}: LinesProps): VNode {
  const ticks = useContext(Ticks);
  const [path, items] = [toPath(at), listOf(value)];
  const { length } = items;
  // The elements after a line that is removed stay those of their lines: one of them may just have got the focus.
  const keys = useRef<number[]>([]).current;
  keys.length = Math.min(keys.length, length + 1);
  while (keys.length <= length) keys.push(keyCount++);
  const list = useSortable(isChips ? at : 'lines', isActive && ticks === null, (from, to, target) =>
    dropInto(at, from, to, target),
  );
  const pointerOf = (index: number) => `${at}/${index}${typeof items[index] === 'object' ? '/text' : ''}`;
  const setLine = (index: number, text: string) => editor.set(toPath(pointerOf(index)), text);

  const split = (index: number, before: string, after: string) => {
    if (before + after === '') return;
    if (after === '' && index >= length - 1 && isActive) return focusText(`${at}/${length}`);
    editor.step(() => {
      if (before !== '') setLine(index, before);
      editor.insert([...path, before === '' ? index : index + 1], before === '' ? '' : after);
    });
    focusText(before === '' ? `${at}/${index}` : `${at}/${index + 1}`, 0);
  };
  const join = (index: number, direction: -1 | 1): void => {
    if (direction === 1) {
      if (index + 1 < length && !isChips) join(index + 1, -1);
      return;
    }
    const [before, text] = [textIn(items[index - 1]), textIn(items[index])];
    const isRemoved = index < length && (text === '' || (!isChips && index > 0));
    editor.step(() => {
      if (isRemoved && text !== '') setLine(index - 1, before + text);
      if (isRemoved) editor.remove([...path, index]);
    });
    if (index > 0) focusText(pointerOf(index - 1), before.length);
  };
  const putLines = (index: number, lines: readonly string[], afterLength: number) => {
    const last = index + lines.length - 1;
    editor.step(() => {
      if (index < length) setLine(index, lines[0]!);
      for (const [offset, line] of lines.entries())
        if (offset > 0 || index >= length) editor.insert([...path, index + offset], line);
    });
    focusText(`${at}/${last}`, lines.at(-1)!.length - afterLength);
  };
  const type = (index: number, text: string, isComposing: boolean) => {
    if (!hasCommas || isComposing || !/[,;]/.test(text)) return write(pointerOf(index), text);
    const parts = text.split(/[,;]/).map((part) => part.trim());
    const filled = parts.filter((part, position) => part !== '' || position === parts.length - 1);
    if (filled.length > 1 && filled.at(-1) === '' && index >= length - 1) {
      // The next one begins in the place after the last.
      putLines(index, filled.slice(0, -1), 0);
      focusText(`${at}/${index + filled.length - 1}`);
    } else if (filled.some((part) => part !== '')) putLines(index, filled, 0);
  };
  const row = (item: unknown, index: number): VNode => {
    const isNext = index === length;
    const text = textIn(item);
    const name = `${noun} ${index + 1} of ${of}`;
    const { tick, look } = tickOf(ticks, [...path, index], name);
    const leave = () => {
      const left = editor.at([...path, index]);
      if (left === undefined || textIn(left) !== '') return;
      keys.splice(index, 1);
      editor.remove([...path, index]);
    };
    const remove = () => {
      editor.remove([...path, index]);
      announce(`${text} removed`);
      focusText(`${at}/${Math.min(index, length - 1)}`);
    };
    const here = pointerOf(index);
    const isInvalid = findings.some(({ kind, pointer }) => kind === 'fault' && pointer === here);
    const classes = `${isChips ? 'chip' : 'bullet'}${isNext ? ' is-next' : ' is-movable'}${look}`;
    const isOpen = !isNext && isActive;
    return html`<li key=${keys[index]} class=${classes} onKeyDown=${(event: KeyboardEvent) => !isNext && onMoveKey(event, path, index)}>
      ${tick}${isOpen && html`<span class="grip" aria-hidden="true"></span>`}
      <${Text} at=${here} value=${text} name=${name} ghost=${isNext ? ghost : noun} isLine isLong=${!isChips} isInvalid=${isInvalid}
        onText=${(...typed: [string, boolean]) => type(index, ...typed)} onEnter=${(...sides: [string, string]) => split(index, ...sides)}
        onJoin=${(direction: -1 | 1) => join(index, direction)} onLeave=${leave}
        onLines=${(...pasted: [string[], number]) => putLines(index, ...pasted)} />
      ${isChips && isOpen && html`<button type="button" class="chip-remove" aria-label=${`Remove ${text}`} onClick=${remove}>×</button>`}
      <${Findings} at=${here} findings=${findings} isActive=${isActive} /></li>`;
  };
  const rows = isActive && ticks === null ? [...items, undefined] : items;
  return html`<ul ref=${list} class=${isChips ? 'chips' : 'bullets'} data-list=${at} aria-label=${`${noun}s of ${of}`}>${rows.map(row)}</ul>`;
}
