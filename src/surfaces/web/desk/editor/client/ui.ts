import { signal } from '@preact/signals';
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toPointer } from '../../../../../model/profile/patch.ts';
import type { Path } from '../../../../../model/profile/working-copy.ts';
import type { EditorPage } from '../editor-page.ts';

/** Makes elements and components of a template: `html\`<p class=${name}>…</p>\``. */
// The types of htm are those of a CommonJS module.
export const html = (htm as unknown as typeof htm.default).bind(h) as (
  strings: TemplateStringsArray,
  ...values: unknown[]
) => VNode;

let opened: EditorPage | null = null;

/** Returns what the service gave the editor when the page was opened. */
export function page(): EditorPage {
  return opened!;
}

export function openPage(given: EditorPage): void {
  opened = given;
}

/** Returns the view that the address names; other fragments are places of the paper, such as the one to skip to. */
const hash = () =>
  (typeof location !== 'undefined' &&
    /^#(look|seen|versions|version=.+|publish)$/s.exec(decodeURIComponent(location.hash))?.[1]) ||
  '';

/** What the middle shows, as in the address: `''` is the paper; `look`, `seen`, `versions`, `version=NAME`. */
export const view = signal(hash());

/** Follows the address after the browser has gone back or forward. */
export function followAddress(): void {
  view.value = hash();
}

/** Shows a view, with its own step in the history of the browser. */
export function show(name: string): void {
  if (name === view.value) return;
  history.pushState(null, '', `${location.pathname}${location.search}${name && `#${name}`}`);
  view.value = name;
  scrollTo(0, 0);
}

/** Opens what a place is in, such as the drawer of its entry: a drawer is open while this is below its entry. */
export const wanted = signal<Path | null>(null);

let viewOf: (path: Path) => string = () => '';

/** Sets which view has the place of a path. */
export function setViewOf(given: typeof viewOf): void {
  viewOf = given;
}

const focusable = 'a[href], button:not(:disabled), input, select, textarea, [contenteditable], [tabindex="0"]';

/** Focuses the element of a path, in its view, or of the closest path above it that has an element. */
export function go(path: Path): void {
  show(viewOf(path));
  wanted.value = path;
  // Signals render in a microtask or the next frame, a drawer in the one after it.
  requestAnimationFrame(() => requestAnimationFrame(() => focusPlace(path)));
}

function focusPlace(path: Path): void {
  for (let length = path.length; length > 0; length--) {
    const place = document.querySelector(`[data-at="${CSS.escape(toPointer(path.slice(0, length)))}"]`);
    if (!(place instanceof HTMLElement)) continue;
    const target = place.matches(focusable) ? place : (place.querySelector<HTMLElement>(focusable) ?? place);
    target.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'center' });
    if (target.isContentEditable) getSelection()?.selectAllChildren(target);
    if (target.isContentEditable) getSelection()?.collapseToEnd();
    return;
  }
}

/** What the live region says. */
export const announced = signal('');

/** Says a text to screen readers. The same text again is said again. */
export function announce(text: string): void {
  announced.value = announced.peek() === text ? `${text}\u00a0` : text;
}

interface PopoverProps {
  /** The text of the button, or what it shows. */
  readonly text: ComponentChildren;
  /** The name of the button, if it says more than its text. */
  readonly label?: string;
  /** The name of what opens; by default the one of the button. */
  readonly title?: string;
  readonly class?: string;
  readonly popClass?: string;
  /** The JSON Pointer of the value that it changes. */
  readonly at?: string;
  readonly isDisabled?: boolean;
  /** Shows it open at first, as for an entry that was just added. */
  readonly isOpen?: boolean;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small dialog below it. Escape, a click outside and leaving it close it, and the focus returns. */
export function Popover(props: PopoverProps): VNode {
  const { text, label, title, at, isDisabled = false, children } = props;
  const [isOpen, setOpen] = useState(props.isOpen ?? false);
  const place = useRef<HTMLSpanElement>(null);
  const close = () => {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  };
  // Before the browser goes on: what is typed next belongs into it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const pop = place.current?.querySelector<HTMLElement>('.pop');
    (
      pop?.querySelector<HTMLElement>('[autofocus], [aria-pressed="true"]') ??
      pop?.querySelector<HTMLElement>(focusable)
    )?.focus();
    pop?.scrollIntoView({ block: 'nearest' });
    const outside = ({ target }: Event) => {
      if (target instanceof Node && document.contains(target) && !place.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  return html`<span class="has-pop" ref=${place} onKeyDown=${onKeyDown}>
    <button type="button" class=${props.class} aria-label=${label} aria-haspopup="dialog" aria-expanded=${isOpen}
      data-at=${at} disabled=${isDisabled} onClick=${() => (isOpen ? close() : setOpen(true))}>${text}</button>
    ${isOpen && html`<div class=${`pop ${props.popClass ?? ''}`} role="dialog" aria-label=${title ?? label ?? text}>${children(close)}</div>`}
  </span>`;
}

interface ConfirmProps {
  readonly text: string;
  /** What ends, as a question. */
  readonly question: string;
  readonly class?: string;
  readonly act: () => void;
}

/** A button that asks once, in place, before it acts. */
export function Confirm({ text, question, act, ...props }: ConfirmProps): VNode {
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isAsking) first.current?.focus();
  }, [isAsking]);
  if (!isAsking)
    return html`<button type="button" class=${props.class} onClick=${() => setAsking(true)}>${text}</button>`;
  return html`<span>${question}${' '}
    <button type="button" ref=${first} onClick=${act}>${text}</button>${' '}
    <button type="button" onClick=${() => setAsking(false)}>Keep</button></span>`;
}
