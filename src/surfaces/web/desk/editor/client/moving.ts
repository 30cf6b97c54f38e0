import type { Component, ComponentType, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import Sortable from 'sortablejs';
import { toPath, toPointer } from '../../../../../model/profile/patch.ts';
import type { Path } from '../../../../../model/profile/working-copy.ts';
import { listOf, mapOf, nameOf, shownOrder } from './sections.ts';
import { editor } from './state.ts';
import { focusedText, focusText } from './text.ts';
import { announce, html, Popover } from './ui.ts';

/** Renders a component again only if a property is another value. */
export function memo<Props extends object>(component: ComponentType<Props>): ComponentType<Props> {
  function Memo(this: Component<Props>, props: Props): VNode {
    this.shouldComponentUpdate = (next) =>
      Object.keys(next).some((key) => next[key as keyof Props] !== this.props[key as keyof Props]);
    return html`<${component} ...${props} />`;
  }
  return Memo as unknown as ComponentType<Props>;
}

/** Returns the indexes of an entry and those that are shown with it, in the order in which they are shown. */
export function siblingsOf(list: Path, index: number): number[] {
  const entries = listOf(editor.at(list)).map(mapOf);
  return shownOrder(editor.document.peek(), list).filter((one) => entries[one]!.section === entries[index]?.section);
}

/** Moves an entry among those shown with it. Returns its path afterwards; null if it cannot be moved there. */
export function moveTo(list: Path, index: number, to: number): Path | null {
  const shown = siblingsOf(list, index);
  const from = shown.indexOf(index);
  if (to < 0 || to >= shown.length || to === from) return null;
  const others = shownOrder(editor.document.peek(), list).filter((one) => one !== index);
  const target = others.indexOf(shown[to]!) + Number(to > from);
  editor.step(() => {
    if (list.length > 1 || list[0] !== 'experience') return editor.move([...list, index], [...list, target]);
    // Jobs may have been shown by their dates; from now on they are in the order that the owner gives them.
    const jobs = others.toSpliced(target, 0, index).map((one) => listOf(editor.at(list))[one]);
    editor.set(list, jobs);
    editor.set(['resume', 'experience_order'], 'as_written');
  });
  const path = [...list, target];
  announce(`${nameOf(editor.at(path))}, ${to + 1} of ${shown.length}`);
  return path;
}

/** Returns -1 or 1 for Alt+Shift and an arrow, which move what has the caret; null for other keys. */
export function arrowOf(event: KeyboardEvent): number | null {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by === undefined || !event.altKey || !event.shiftKey) return null;
  event.preventDefault();
  event.stopPropagation();
  return by;
}

/** Moves an entry by Alt+Shift and an arrow, with the caret in it. */
export function onMoveKey(event: KeyboardEvent, list: Path, index: number): void {
  const by = arrowOf(event);
  if (by === null) return;
  const focused = focusedText();
  const path = moveTo(list, index, siblingsOf(list, index).indexOf(index) + by);
  const before = toPointer([...list, index]);
  if (path !== null && focused !== null) focusText(toPointer(path) + focused.at.slice(before.length), focused.offset);
}

/**
 * Lets the children `.is-movable` of an element be dragged by their grips or another handle, within it or to another element of the group.
 * `drop` gets the places among those children, and the pointer of the list in which it ends.
 */
export function useSortable(
  group: string,
  isOn: boolean,
  drop: (from: number, to: number, list: string) => void,
  handle = '.grip',
) {
  const element = useRef<HTMLElement>(null);
  const act = useRef(drop);
  act.current = drop;
  useEffect(() => {
    if (!isOn || element.current === null) return;
    let next: Node | null = null;
    const sortable = Sortable.create(element.current, {
      ...{ group, handle, draggable: '.is-movable' },
      ...{ animation: 120, forceFallback: true, fallbackTolerance: 4 },
      // Short lines would be taken for a row.
      direction: element.current.matches('.chips, .paper-contact') ? 'horizontal' : 'vertical',
      // A finger that moves at once scrolls.
      ...{ delay: handle === '.grip' ? 0 : 200, delayOnTouchOnly: true },
      // Before the copy that follows the pointer is there.
      onChoose: ({ item }) => {
        next = item.nextSibling;
      },
      onEnd: ({ item, from, to, oldDraggableIndex, newDraggableIndex }) => {
        // The document is moved, and the elements follow it.
        from.insertBefore(item, next);
        if (from !== to || oldDraggableIndex !== newDraggableIndex)
          act.current(oldDraggableIndex!, newDraggableIndex!, to.dataset.list ?? '');
      },
    });
    return () => sortable.destroy();
  }, [isOn, group]);
  return element;
}

/** Moves what was dragged from one list to another, or within one whose entries are all shown as they are written. */
export function dropInto(at: string, from: number, to: number, list: string): void {
  if (list === at) moveTo(toPath(at), from, to);
  else editor.move([...toPath(at), from], [...toPath(list), to]);
}

/** What can be chosen in a menu, and what it does. */
export type MenuOption = readonly [label: string, act: () => void];

interface MenuProps {
  readonly text: string;
  readonly label?: string;
  readonly class?: string;
  readonly at?: string;
  readonly options: () => readonly MenuOption[];
}

/** A button that opens a list of what can be done. */
export function Menu({ options, ...button }: MenuProps): VNode {
  const item = ([label, act]: MenuOption, close: () => void) => {
    const choose = () => {
      close();
      act();
    };
    return html`<li><button type="button" onClick=${choose}>${label}</button></li>`;
  };
  const list = (close: () => void) => html`<ul class="pop-menu">${options().map((option) => item(option, close))}</ul>`;
  return html`<${Popover} ...${button}>${list}</${Popover}>`;
}

/** Returns the places to which an entry can be moved among those shown with it. */
export function movesOf(list: Path, index: number): MenuOption[] {
  const shown = siblingsOf(list, index);
  const [position, last] = [shown.indexOf(index), shown.length - 1];
  const places: [string, number][] = [
    ['Up', position - 1],
    ['Down', position + 1],
  ];
  if (last > 1) places.push(['To the top', 0], ['To the end', last]);
  return places
    .filter(([, to]) => to >= 0 && to <= last && to !== position)
    .map(([label, to]) => [label, () => focusFirst(toPointer(moveTo(list, index, to)!))]);
}

/** Focuses the first text of an entry, as soon as it is rendered. */
export function focusFirst(at: string): void {
  const focus = () => document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(at)}"] .text`)?.focus();
  queueMicrotask(() => queueMicrotask(focus));
}
