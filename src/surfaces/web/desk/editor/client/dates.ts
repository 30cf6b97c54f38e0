import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { isPresentWord, toDate } from 'resume-profile/date-reader';
import { toPath } from '../../../../../model/profile/patch.ts';
import type { Field } from '../fields.ts';
import { mapOf, wordsIn } from './sections.ts';
import { editor } from './state.ts';
import { html, Popover } from './ui.ts';

/** Returns a date as the resume prints it in its language; a text that is not a date as it is. */
export function printedDate(value: unknown): string {
  const { present, months, monthAndYear } = wordsIn(editor.document.peek());
  if (value === null) return present;
  const [, year, month] = /^(\d{4})(?:-(\d\d))?(?:-\d\d)?$/.exec(String(value)) ?? [];
  if (year === undefined || month === undefined) return year ?? String(value);
  return monthAndYear.replace('{month}', months[Number(month) - 1] ?? month).replace('{year}', year);
}

/** Returns what a typed date means: null for the present, undefined if it cannot be read as one date. */
function readTyped(typed: string, canGoOn: boolean): string | number | null | undefined {
  if (canGoOn && isPresentWord(typed)) return null;
  const found = toDate(typed);
  if (found?.isWhole !== true) return undefined;
  return found.date.length === 4 ? Number(found.date) : found.date;
}

interface DateFieldProps {
  readonly at: string;
  readonly value: unknown;
  readonly field: Field & { readonly kind: 'date' };
  /** What it is the date of, for screen readers. */
  readonly name: string;
  /** What stands there while there is no date. */
  readonly ghost: string;
  readonly isInvalid?: boolean;
  /** A date whose year is shown at first. */
  readonly near?: unknown;
}

/** A date as the resume prints it; it opens a grid of months with years, which also takes a date that is typed. */
export function DateField({ at, value, field, name, ghost, isInvalid, near }: DateFieldProps): VNode {
  const isEmpty = value === undefined || (value === null && field.goesOn === 'never');
  const text = isEmpty ? ghost : printedDate(value);
  const label = isEmpty ? `${name}: add` : `${name}: ${text}`;
  const look = `date${isEmpty ? ' ghost' : ''}${isInvalid ? ' is-invalid' : ''}`;
  return html`<${Popover} class=${look} popClass="date-pop pop-end" at=${at} text=${text} label=${label} title=${name}>
    ${(close: () => void) => html`<${Months} at=${at} value=${value} field=${field} near=${near} close=${close} />`}
  </${Popover}>`;
}

interface MonthsProps extends Pick<DateFieldProps, 'at' | 'value' | 'field' | 'near'> {
  readonly close: () => void;
}

function Months({ at, value, field, near, close }: MonthsProps): VNode {
  const path = toPath(at);
  const [, chosenYear, chosenMonth] = /^(\d{4})(?:-(\d\d))?/.exec(String(value ?? '')) ?? [];
  const beside = mapOf(editor.at(path.slice(0, -1)));
  const nearby = /^\d{4}/.exec(String(near ?? beside.start_date ?? beside.date ?? ''))?.[0];
  const year = useSignal(Number(chosenYear ?? nearby ?? new Date().getFullYear()));
  const fault = useSignal('');
  const typed = useRef<HTMLInputElement>(null);
  const canGoOn = field.goesOn !== 'never';
  const { language } = wordsIn(editor.document.peek());
  const months = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  const choose = (date: unknown) => {
    // Null is a value of its own: it goes on.
    editor.set(path, date);
    close();
  };
  const readText = (text: string) => {
    const date = text.trim() === '' ? value : readTyped(text, canGoOn);
    if (date === undefined && text.trim() !== '') fault.value = 'Write it as March 2018, 2018 or 2018-03-05.';
    else choose(date);
  };
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target === typed.current;
    // What is typed anywhere is a date.
    if (!isTyping && /^[\p{L}\d]$/u.test(event.key) && !event.ctrlKey && !event.metaKey) typed.current?.focus();
    if (!isTyping || event.key !== 'Enter') return;
    // The button that gets the focus must not be pressed by it.
    event.preventDefault();
    readText(typed.current!.value);
  };
  const onMonthKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4 }[event.key];
    if (step === undefined || event.altKey) return;
    event.preventDefault();
    const all = [...(event.currentTarget as HTMLElement).children] as HTMLElement[];
    const next = all.indexOf(document.activeElement as HTMLElement) + step;
    if (next < 0 || next > 11) year.value += Math.sign(step);
    all[(next + 12) % 12]!.focus();
  };
  const goesOn = path[0] === 'experience' ? 'I still work here' : 'It goes on';
  const month = (_: unknown, index: number) => {
    const digits = String(index + 1).padStart(2, '0');
    const name = months.format(Date.UTC(2000, index));
    const isChosen = chosenMonth === digits && Number(chosenYear) === year.value;
    const act = () => choose(`${year.value}-${digits}`);
    return html`<button type="button" aria-pressed=${isChosen} aria-label=${`${name} ${year}`} onClick=${act}>${name}</button>`;
  };
  const button = (text: unknown, date: unknown) =>
    html`<p class="pop-actions"><button type="button" onClick=${() => choose(date)}>${text}</button></p>`;
  const ongoing = html`<label class="choice"><input type="radio" checked=${value === null} onClick=${() => choose(null)} /> ${goesOn}</label>`;
  return html`<div style=${{ display: 'contents' }} onKeyDown=${onKey}><p class="date-year">
      <button type="button" class="icon" aria-label="The year before" onClick=${() => year.value--}>‹</button>
      <output>${year}</output>
      <button type="button" class="icon" aria-label="The next year" onClick=${() => year.value++}>›</button></p>
    <div class="date-months" role="group" aria-label=${`Months of ${year}`} onKeyDown=${onMonthKey}>${Array.from({ length: 12 }, month)}</div>
    ${button(html`The year alone: ${year}`, year.value)}
    ${canGoOn && ongoing}
    <input ref=${typed} type="text" aria-label="Typed" placeholder="or type: March 2018" autocomplete="off" />
    ${fault.value && html`<p class="finding" role="alert">${fault}</p>`}
    ${value != null && !field.isRequired && button('No date', undefined)}</div>`;
}
