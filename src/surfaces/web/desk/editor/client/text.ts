import { createContext, type VNode } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { isProse } from 'resume-profile/texts';
import { toPath } from '../../../../../model/profile/patch.ts';
import type { Finding, Path } from '../../../../../model/profile/working-copy.ts';
import { editor } from './state.ts';
import { html, page } from './ui.ts';

/** What a version for readers shows. Below a provider the paper has a checkbox at each section, entry and line, and no caret. */
export interface VersionTicks {
  /** Whether a version can leave out what is at a path; it cannot leave out one word of a list. */
  canHide(path: Path): boolean;
  isShown(path: Path): boolean;
  toggle(path: Path): void;
}
export const Ticks = createContext<VersionTicks | null>(null);

/** The checkbox of a section, entry or line in a version for readers, and its class if it is left out. */
export function tickOf(ticks: VersionTicks | null, path: Path, name: string, canHide?: boolean) {
  const isShown = ticks?.isShown(path) !== false;
  const box = html`<label class="tick"><input type="checkbox" checked=${isShown} aria-label=${name} onChange=${() => ticks?.toggle(path)} /></label>`;
  const tick = ticks !== null && (canHide ?? ticks.canHide(path)) && box;
  return { tick, look: isShown ? '' : ' is-left-out', isEditable: ticks === null };
}

/** Returns the path of a field (see `fieldsByPath`) by the pointer of its value. */
export const fieldPathOf = (at: string): string =>
  toPath(at)
    .filter((step) => typeof step === 'string')
    .join('.');

/** Sets a text as it is typed; a number becomes one. */
export function write(at: string, text: string): void {
  const isNumber = page().fields[fieldPathOf(at)]?.kind === 'number' && /^\d+([.]\d+)?$/.test(text);
  editor.set(toPath(at), isNumber ? Number(text) : text, { joins: at });
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const source = (sign: string) => `<span class="mark-source">${escaped(sign)}</span>`;
const marks = /(\*\*|\*|`)(?![\s*])([^*`]*[^\s*`])\1|\[([^[\]]*[^\s[\]])\]\(((?:https?:\/\/|mailto:)[^\s()<>]+)\)/g;
const tags: Readonly<Record<string, string>> = { '**': 'strong', '*': 'em', '`': 'code' };

/** Returns a text as HTML whose characters, the hidden ones included, are the text. */
function toMarkup(text: string, hasMarks: boolean): string {
  let [shown, end] = ['', 0];
  for (const match of hasMarks ? text.matchAll(marks) : []) {
    const [whole, sign, inner, label, url] = match;
    const [tag, open, close] = sign === undefined ? ['a', '[', `](${url})`] : [tags[sign], sign, sign];
    shown += escaped(text.slice(end, match.index));
    shown += `<${tag} class="marked">${source(open)}${escaped(inner ?? label!)}${source(close)}</${tag}>`;
    end = match.index + whole.length;
  }
  // Without it, browsers don't show a line break at the end.
  return shown + escaped(text.slice(end)) + (text.endsWith('\n') ? '<br>' : '');
}

/** Shows a text, if the element shows another, and keeps the caret. */
function draw(element: HTMLElement, text: string, hasMarks: boolean): void {
  const markup = toMarkup(text, hasMarks);
  if (element.innerHTML.replaceAll('&nbsp;', '\u00a0').replaceAll(' hidden=""', '') !== markup) {
    const [start] = selectionIn(element) ?? [];
    if (element.textContent === text && !element.firstElementChild && !markup.includes('<')) return;
    element.innerHTML = markup;
    if (start !== undefined) select(element, Math.min(start, text.length));
  }
  openMarks(element);
}

/** Shows the source of the marks at the caret, and hides that of the others. */
function openMarks(element: HTMLElement, selection = selectionIn(element)): void {
  const signs = element.querySelectorAll<HTMLElement>('.mark-source');
  if (signs.length === 0) return;
  const [from, to] = selection ?? [Number.NaN, Number.NaN];
  for (const sign of signs) {
    const mark = sign.parentElement!;
    const start = offsetOf(element, mark.firstChild!, 0);
    sign.hidden = !(start <= to && from <= start + mark.textContent.length);
  }
}

function offsetOf(element: HTMLElement, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** Returns the ends of the selection in the source of a text; null if it is elsewhere. */
function selectionIn(element: HTMLElement): [start: number, end: number] | null {
  const selection = getSelection();
  if (!selection?.rangeCount || document.activeElement !== element) return null;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  if (!element.contains(startContainer) || !element.contains(endContainer)) return null;
  return [offsetOf(element, startContainer, startOffset), offsetOf(element, endContainer, endOffset)];
}

/** Selects a part of a text by its source; the caret alone without an end. */
function select(element: HTMLElement, start: number, end = start): void {
  const pointAt = (offset: number): [Node, number] => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let rest = offset;
    let last: Node = element;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (rest <= node.textContent!.length) return [node, rest];
      rest -= node.textContent!.length;
      last = node;
    }
    return [last, last === element ? 0 : last.textContent!.length];
  };
  // The caret cannot stand in what is hidden.
  openMarks(element, [start, end]);
  getSelection()?.setBaseAndExtent(...pointAt(start), ...pointAt(end));
}

/** Focuses a text at an offset of its source, or selects from there to `end`, as soon as it is rendered. */
export function focusText(at: string, offset = Number.POSITIVE_INFINITY, end = offset): void {
  const focus = (): boolean => {
    const element = document.querySelector<HTMLElement>(`.text[data-at="${CSS.escape(at)}"]`);
    if (element === null) return false;
    element.focus();
    const { length } = element.textContent;
    select(element, Math.min(offset, length), Math.min(end, length));
    return true;
  };
  // Signals render in a microtask; what is typed next must find the caret there.
  queueMicrotask(() => queueMicrotask(() => focus() || requestAnimationFrame(focus)));
}

/** Returns the pointer of the text that has the focus, and the caret in it; null if none has. */
export function focusedText(): { readonly at: string; readonly offset: number } | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || !element.matches('.text')) return null;
  return { at: element.dataset.at!, offset: selectionIn(element)?.[0] ?? 0 };
}

if (typeof document !== 'undefined')
  document.addEventListener('selectionchange', () => {
    const element = document.activeElement;
    if (element instanceof HTMLElement && element.matches('.text')) openMarks(element);
  });

/** What a line or chip doesn't begin with. */
const bullet = /^(?:[\s•‣▪◦●∙]|[-–*]\s)+/;
const lineEnd = /\r\n?|[\n\u2028\u2029]/;

interface TextProps {
  /** The JSON Pointer of the text. */
  readonly at: string;
  readonly value: unknown;
  /** What screen readers call it. */
  readonly name: string;
  /** What stands there while it is empty. */
  readonly ghost?: string;
  readonly tag?: string;
  readonly class?: string;
  /** Whether it is a line or chip of a list: typed bullets are dropped. */
  readonly isLine?: boolean;
  /** Whether it can have several lines. */
  readonly isLong?: boolean;
  readonly isInvalid?: boolean;
  readonly onText?: (text: string, isComposing: boolean) => void;
  /** Enter: what stands before and after the caret. */
  readonly onEnter?: (before: string, after: string) => void;
  /** Backspace at the start (-1), Delete at the end (1). */
  readonly onJoin?: (direction: -1 | 1) => void;
  /** Several pasted lines: the first has the text before the caret, the last the text after it, whose length is given. */
  readonly onLines?: (lines: readonly string[], afterLength: number) => void;
  readonly onLeave?: () => void;
}

/** A text of the document, edited where it stands. The document has the text; the element only shows it and has the caret. */
export function Text(props: TextProps): VNode {
  const { at, value, name, ghost = '', tag = 'span', isLine = false, isLong = false } = props;
  const text = String(value ?? '');
  const hasMarks = isProse(toPath(at));
  const ref = useRef<HTMLElement>(null);
  // Enter is a line break to browsers, with Shift or without.
  const keys = useRef({ isComposing: false, isShifted: false }).current;
  const ticks = useContext(Ticks);
  useLayoutEffect(() => {
    if (!keys.isComposing) draw(ref.current!, text, hasMarks);
  });
  const setText = props.onText ?? ((typed: string) => write(at, typed));
  /** Returns the element, its text, and the ends of the selection. */
  const read = () => {
    const element = ref.current!;
    const now = element.textContent;
    const [start, end] = selectionIn(element) ?? [now.length, now.length];
    return { element, now, start, end, before: now.slice(0, start), after: now.slice(end) };
  };

  /** Replaces a part of the source, and puts the caret, or a selection, into what was inserted. */
  const replace = (start: number, end: number, inserted: string, from = inserted.length, to = from) => {
    const { element, now } = read();
    const changed = now.slice(0, start) + inserted + now.slice(end);
    draw(element, changed, hasMarks);
    select(element, start + from, start + to);
    setText(changed, false);
  };
  const paste = (pasted: string) => {
    const { start, end, before, after } = read();
    const all = pasted.split(lineEnd);
    const isFilled = (line: string) => line.trim() !== '';
    const lines = all
      .slice(Math.max(0, all.findIndex(isFilled)), all.findLastIndex(isFilled) + 1 || undefined)
      .map((line, index, { length }) => (index < length - 1 ? line.trimEnd() : line))
      .map((line, index) => (isLine && (index > 0 || before === '') ? line.replace(bullet, '') : line));
    const filled = lines.filter(isFilled);
    if (props.onLines && filled.length > 1)
      props.onLines(filled.with(0, before + filled[0]).with(-1, filled.at(-1) + after), after.length);
    else replace(start, end, isLong || filled.length === 0 ? lines.join('\n') : filled.join(' '));
  };
  const enter = () => {
    const { element, start, end, before, after } = read();
    if (props.onEnter && !keys.isShifted) props.onEnter(before, after);
    else if (isLong) replace(start, end, '\n');
    else focusNext(element);
  };
  const onBeforeInput = (event: InputEvent) => {
    const { element, now, start, end } = read();
    const { inputType: kind, data, dataTransfer } = event;
    const isDeleting = kind.startsWith('delete') && start === end;
    const act = () => {
      if (kind === 'insertParagraph' || kind === 'insertLineBreak') return enter;
      if (kind === 'insertFromPaste' || kind === 'insertFromDrop')
        return () => paste(dataTransfer?.getData('text/plain') || (data ?? ''));
      if (isDeleting && kind.endsWith('Forward') && end === now.length) return () => props.onJoin?.(1);
      if (isDeleting && !kind.endsWith('Forward') && start === 0) return () => props.onJoin?.(-1);
      // Undo and redo of the browser, as in the menu of a phone, know nothing of the document.
      if (kind === 'historyUndo' || kind === 'historyRedo') return kind === 'historyUndo' ? editor.undo : editor.redo;
      if (kind.startsWith('format')) return () => {};
      // At the end of a mark, Chromium would insert it before the mark.
      const isAtMark = kind === 'insertText' && data && element.querySelector('.marked');
      return isAtMark ? () => replace(start, end, data) : null;
    };
    const own = act();
    if (own !== null) event.preventDefault();
    own?.();
  };
  const onInput = () => {
    const { element, now, start } = read();
    const { length = 0 } = (isLine && !keys.isComposing && bullet.exec(now)?.[0]) || '';
    if (length > 0) return replace(0, length, '', Math.max(0, start - length));
    setText(now, keys.isComposing);
    if (!keys.isComposing) draw(element, now, hasMarks);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    keys.isShifted = event.shiftKey;
    const sign = { b: '**', i: '*', k: '[' }[event.key.toLowerCase()];
    if (!hasMarks || sign === undefined || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    const { element, now, start, end, before, after } = read();
    const [part, { length }] = [now.slice(start, end), sign];
    if (sign === '[') replace(start, end, `[${part}](https://)`, part.length + 11);
    else if (before.endsWith(sign) && after.startsWith(sign))
      replace(start - length, end + length, part, 0, part.length);
    // At the end of a mark, it steps out of it.
    else if (part === '' && after.startsWith(sign) && after[length] !== '*') select(element, end + length);
    else replace(start, end, sign + part + sign, length, length + part.length);
  };
  const compose = (isComposing: boolean) => {
    keys.isComposing = isComposing;
    if (!isComposing) onInput();
  };
  const leave = ({ relatedTarget }: FocusEvent) => {
    if (ref.current !== null) openMarks(ref.current);
    // Chromium lets input methods write at the caret although a button has the focus.
    if (relatedTarget instanceof HTMLElement && !relatedTarget.isContentEditable) getSelection()?.removeAllRanges();
    props.onLeave?.();
    editor.endStep();
  };
  const shared = {
    ref,
    class: `text ${props.class ?? ''}${text === '' ? ' is-empty' : ''}`,
    dir: 'auto',
    'data-at': at,
  };
  if (ticks !== null) return html`<${tag} ...${shared} />`;
  return html`<${tag} ...${shared} role="textbox" contenteditable="plaintext-only" aria-label=${name} data-ghost=${ghost}
    aria-multiline=${isLong ? 'true' : 'false'} aria-placeholder=${ghost || null} aria-invalid=${props.isInvalid ? 'true' : null}
    onBeforeInput=${onBeforeInput} onInput=${onInput} onKeyDown=${onKeyDown} onBlur=${leave}
    onCompositionStart=${() => compose(true)} onCompositionEnd=${() => compose(false)} />`;
}

/** Focuses the next text that can be seen, as Enter does in a text of one line. */
function focusNext(element: HTMLElement): void {
  const texts = [...document.querySelectorAll<HTMLElement>('.paper .text')];
  const next = texts.slice(texts.indexOf(element) + 1).find((text) => text.offsetParent !== null);
  next?.focus();
}

interface FindingsProps {
  readonly at: string;
  readonly findings: readonly Finding[];
  /** Leaves out what is missing while its entry is being written. */
  readonly isActive?: boolean;
}

/** The first fault or remark of a place in words, with its mend. */
export function Findings({ at, findings, isActive = false }: FindingsProps): VNode | null {
  const found = findings.find(({ pointer }) => pointer === at);
  if (found === undefined || (isActive && [undefined, ''].includes(editor.at(toPath(at)) as string))) return null;
  const { kind, message, mend } = found;
  const act = () => mend && editor.apply(mend.patch);
  const button = mend && html`<button type="button" class="mend" onClick=${act}>${mend.label}</button>`;
  return html`<p class="finding" data-kind=${kind}>${message}${' '}${button}</p>`;
}
