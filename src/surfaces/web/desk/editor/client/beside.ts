import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { equals, toPath } from '../../../../../model/profile/patch.ts';
import { type Preview, type PrintedPreview, previewWidth } from '../../../../../model/profile/printed-preview.ts';
import type { Conflict, Path, Value } from '../../../../../model/profile/working-copy.ts';
import { labelOf } from '../labels.ts';
import { findText } from './find-text.ts';
import { editor } from './state.ts';
import { go, html, page, view } from './ui.ts';

/** The tabs, with the name of each in the sentence that nothing in it has changed. */
const tabs = [
  { name: 'pdf', title: 'PDF', inWords: 'The PDF' },
  { name: 'page', title: 'Page', inWords: 'The page' },
  { name: 'stranger', title: 'A stranger', inWords: 'What a stranger sees' },
  { name: 'assistant', title: 'An assistant', inWords: 'What an assistant reads first' },
  { name: 'off', title: 'Off', inWords: '' },
] as const;
type Tab = (typeof tabs)[number]['name'];

const key = 'candidate-profile-beside';
const kept = () => tabs.find(({ name }) => name === localStorage.getItem(key))?.name ?? 'pdf';

const tab = signal<Tab>('pdf');
const isLarge = signal(false);
const isDrawing = signal(false);
const shown = signal<Preview | null>(null);
const note = signal('');

/** The version for readers that is edited. */
const versionNow = (): string | undefined => /^version=(.+)$/s.exec(view.value)?.[1];

/** Returns a preview of the working copy as the service has it. Rejects if it cannot be reached. */
export async function askPreview(name: Tab, version?: string): Promise<Preview> {
  const query = new URLSearchParams({ tab: name, ...(version !== undefined && { view: version }) });
  const response = await fetch(`${page().paths.profile}/preview?${query}`);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}

let isAsking = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** What was drawn last, of which document. */
let drawn = { of: '', revision: '', document: null as Value };

/** Draws what is typed, once nothing more is typed for a moment. */
function drawSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void draw(), 300);
}

async function draw(): Promise<void> {
  if (tab.value === 'off' || isAsking) return;
  isAsking = true;
  const slow = setTimeout(() => {
    isDrawing.value = true;
  }, 400);
  try {
    await editor.flush();
    const of = `${tab.value} ${versionNow() ?? ''}`;
    const { revision } = editor.copy.value;
    const isKnown = drawn.of === of && drawn.revision === revision;
    if (!isKnown) {
      const preview = await askPreview(tab.value, versionNow());
      if (preview.isLater !== true) take(preview, of, revision);
      drawSoon();
    }
  } catch {
    note.value = 'It cannot be drawn at the moment.';
    timer = setTimeout(() => void draw(), 5_000);
  }
  clearTimeout(slow);
  isDrawing.value = false;
  isAsking = false;
}

function take(preview: Preview, of: string, revision: string): void {
  const before = shown.value;
  const isSame = of === drawn.of && preview.digest === before?.digest;
  const document = editor.document.value;
  // What is the same is not loaded again.
  const { pictures, frame } = (isSame && before) || preview;
  shown.value = { ...preview, ...(pictures && { pictures }), ...(frame && { frame }) };
  if (preview.isEarlier) note.value = 'Shown as it was before: what is written now has a fault.';
  else note.value = isSame && !equals(drawn.document, document) ? `${tabNow().inWords} does not change by this.` : '';
  drawn = { of, revision, document };
}

const tabNow = () => tabs.find(({ name }) => name === tab.value)!;

/** The whole column beside the paper. */
export function Beside() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tab.value = kept();
    return effect(() => {
      void [editor.document.value, editor.copy.value.revision, view.value, tab.value];
      drawSoon();
    });
  }, []);
  const choose = (name: Tab) => {
    localStorage.setItem(key, name);
    tab.value = name;
    shown.value = null;
    note.value = '';
    if (name === 'off') isLarge.value = false;
  };
  const byArrow = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs.at((tabs.findIndex(({ name }) => name === tab.value) + step) % tabs.length)!;
    choose(next.name);
    place.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  const enlarge = () => {
    isLarge.value = !isLarge.value;
  };
  const shrink = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') isLarge.value = false;
  };
  const preview = shown.value;
  return html`<div class=${`ed-beside ${isLarge.value ? 'is-large' : ''}`} ref=${place} onKeyDown=${shrink}>
    <div class="aside-tabs" role="tablist" aria-label="What becomes of it" onKeyDown=${byArrow}>
      ${tabs.map(
        ({ name, title }) => html`<button type="button" role="tab" data-tab=${name} aria-selected=${name === tab.value}
          aria-controls="beside" tabindex=${name === tab.value ? 0 : -1} onClick=${() => choose(name)}>${title}</button>`,
      )}
    </div>
    <div id="beside" role="tabpanel" aria-label=${tabNow().title}>
      ${
        tab.value !== 'off' &&
        html`${
          preview?.refusal === undefined &&
          html`<div class="aside-view" aria-busy=${isDrawing.value} tabindex="0" role="group" aria-label="What is shown">${preview && html`<${Shown} ...${preview} />`}</div>`
        }
      <p class="aside-note">${isDrawing.value && 'Drawing … '}${preview?.refusal ?? `${note.value} ${preview?.caption ?? ''} `}${
        (preview?.pictures ?? preview?.frame) !== undefined &&
        html`Click a line to go to it. <button type="button" aria-pressed=${isLarge.value} onClick=${enlarge}>${isLarge.value ? 'Smaller' : 'Larger'}</button>`
      }</p>`
      }
    </div>
    <${Things} warnings=${tab.value === 'off' ? [] : (preview?.warnings ?? [])} />
  </div>`;
}

function Shown({ pictures, texts = [], frame, answers }: Preview) {
  if (frame !== undefined) return html`<${Frame} src=${frame} />`;
  if (answers !== undefined)
    return answers.map(({ name, json }) => html`<h3><code>${name}</code></h3><pre dir="auto">${json}</pre>`);
  return pictures?.map(
    (src, index) => html`<img key=${index} src=${src} alt=${`Page ${index + 1} of the resume`} width=${previewWidth}
      onClick=${(event: MouseEvent) => goToPrinted(event, texts, index)} />`,
  );
}

/** Goes to the text of the line that was clicked in the picture of a page. */
function goToPrinted(
  { currentTarget, offsetX, offsetY }: MouseEvent,
  texts: PrintedPreview['texts'],
  page: number,
): void {
  const scale = previewWidth / (currentTarget as HTMLElement).clientWidth;
  const [x, y] = [offsetX * scale, offsetY * scale];
  const far = (text: PrintedPreview['texts'][number]) =>
    text.page === page
      ? Math.hypot(
          Math.max(text.x - x, 0, x - text.x - text.width),
          3 * Math.max(text.y - text.size - y, 0, y - text.y - text.size / 3),
        )
      : Number.POSITIVE_INFINITY;
  const distances = texts.map(far);
  goToText(
    texts.map(({ text }) => text),
    distances.indexOf(Math.min(...distances)),
  );
}

function goToText(lines: readonly string[], index: number): void {
  const path = findText(editor.document.value, lines, index);
  if (path === null) return;
  isLarge.value = false;
  go(path);
}

/** A page of visitors, as wide as a phone or, enlarged, as a screen, and scaled into the column. */
function Frame({ src }: { readonly src: string }) {
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const width = isLarge.value ? 1080 : 440;
  const fit = () => {
    const [around, inner] = [place.current, frame.current];
    const root = inner?.contentDocument?.documentElement;
    if (!around || !inner || !root) return;
    const scale = around.clientWidth / width;
    inner.style.cssText = `width: ${width}px; height: 600px; transform: scale(${scale})`;
    const { scrollHeight } = root;
    inner.style.height = `${scrollHeight}px`;
    around.style.height = `${scrollHeight * scale}px`;
  };
  useEffect(fit, [width]);
  const click = ({ clientX, clientY }: MouseEvent) => {
    const inner = frame.current?.contentDocument;
    const { left, top, width: drawnWidth } = place.current!.getBoundingClientRect();
    const scale = width / drawnWidth;
    const clicked = inner?.elementFromPoint((clientX - left) * scale, (clientY - top) * scale);
    if (!inner || !clicked) return;
    const walker = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT);
    const nodes: Node[] = [];
    while (walker.nextNode()) if (walker.currentNode.nodeValue?.trim()) nodes.push(walker.currentNode);
    goToText(
      nodes.map(({ nodeValue }) => nodeValue!),
      nodes.findIndex((node) => clicked.contains(node)),
    );
  };
  return html`<div class="aside-frame" ref=${place} onClick=${click}><iframe ref=${frame} src=${src} title="The page, as others see it" onLoad=${fit}></iframe></div>`;
}

/** The card of faults, remarks and conflicts; each leads to its place. */
function Things({ warnings }: { readonly warnings: PrintedPreview['warnings'] }) {
  const { findings, conflicts } = editor.copy.value;
  const count = findings.length + conflicts.length + warnings.length;
  if (count === 0) return null;
  const link = (path: Path, words: string) => html`<button type="button" onClick=${() => go(path)}>${words}</button>`;
  return html`<section class="things" aria-labelledby="things">
    <h2 id="things">${count === 1 ? 'One thing' : `${numerals[count] ?? count} things`} to look at</h2>
    <ul>
      ${conflicts.map((conflict) => html`<li class="thing" key=${conflict.pointer}><${Choice} ...${conflict} /></li>`)}
      ${findings.map(
        ({
          kind,
          pointer,
          summary,
          mend,
        }) => html`<li class=${`thing ${kind === 'fault' ? 'bad' : ''}`}>${summary}${' '}
          ${mend && html`<button type="button" onClick=${() => editor.apply(mend.patch)}>${mend.label}</button>`}${' '}
          ${link(toPath(pointer), 'Show it')}</li>`,
      )}
      ${warnings.map(({ path, message }) => html`<li class="thing">${message}. ${link(path, 'Show it')}</li>`)}
    </ul>
  </section>`;
}

const numerals = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** Two values of one place, of which one is chosen. */
function Choice({ pointer, mine, theirs }: Conflict) {
  const path = toPath(pointer);
  const words = (value: Value) =>
    value == null ? 'nothing' : typeof value === 'string' ? `“${value}”` : JSON.stringify(value);
  const choose = (value: 'mine' | 'theirs', now: Value) =>
    html`<button type="button" onClick=${() => void editor.choose(pointer, value)}>${words(now)}</button>`;
  return html`<button type="button" onClick=${() => go(path)}>${nameOf(path)}</button> was changed elsewhere, too.
    Keep yours, ${choose('mine', mine)}, or take ${choose('theirs', theirs)}?`;
}

/** The label of a field. */
function nameOf(path: Path): string {
  const keys = path.filter((step) => typeof step === 'string');
  try {
    return labelOf(keys.join('.')).label;
  } catch {
    return keys.at(-1) ?? 'The document';
  }
}
