import { effect, signal } from '@preact/signals';
import { type ComponentChildren, render, type VNode } from 'preact';
import { Beside } from './beside.ts';
import { type Answer, newId, type Saving, type Send, type Tabs } from './connection.ts';
import { Look, preferLetter } from './look.ts';
import { Paper } from './paper.ts';
import { viewOf } from './places.ts';
import { Publish, PublishedPage, published } from './publish.ts';
import { Rail } from './rail.ts';
import { listOf } from './sections.ts';
import { Seen } from './seen.ts';
import { editor, openEditor } from './state.ts';
import { announce, announced, followAddress, go, html, openPage, page, setViewOf, view } from './ui.ts';
import { Versions } from './versions.ts';

openPage(JSON.parse(document.getElementById('editor-state')!.textContent!));
let { formToken } = page();

/** Each answer brings the token that the next request needs, even after another session has been opened. */
const send: Send = async (path, request) => {
  const ask = async (): Promise<Response> => {
    const body = request === undefined ? null : JSON.stringify(request.body);
    const response = await fetch(`${page().paths.profile}/${path}`, {
      method: request?.method ?? 'GET',
      body,
      headers: {
        accept: 'application/json',
        'x-form-token': formToken,
        ...(request && { 'content-type': 'application/json' }),
        ...(request?.revision !== undefined && { 'if-match': `"${request.revision}"` }),
      },
      // Browsers go on sending this much after the page is left.
      keepalive: body !== null && body.length < 60_000,
    });
    formToken = response.headers.get('x-form-token') ?? formToken;
    return response;
  };
  const before = formToken;
  let response = await ask();
  if (response.status === 403 && formToken !== before) response = await ask();
  return { status: response.status, body: await response.json().catch(() => null) } satisfies Answer;
};

const lockOf = (id: string) => `resume-changes ${id}`;
const tabs: Tabs = {
  id: newId(),
  place: page().paths.profile,
  // Browsers free the locks of a tab when it is closed or crashes. Without HTTPS they have none.
  whenClosed: (id, act) => void (navigator.locks ? navigator.locks.request(lockOf(id), act) : act()),
};
void navigator.locks?.request(lockOf(tabs.id), () => new Promise(() => {}));

openEditor(page().copy, localStorage, send, tabs);
setViewOf(viewOf);
preferLetter(navigator.language);

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void editor.flush();
  else void editor.refresh();
});
addEventListener('pagehide', () => void editor.flush());
addEventListener('online', () => void editor.flush());
addEventListener('popstate', followAddress);

// Signing out ends what could send the changes: they are sent first, or the owner is asked.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.action.includes('/desk/sign-out') || editor.saving.value === 'saved')
    return;
  event.preventDefault();
  void editor.flush().then((isSaved) => {
    if (isSaved || confirm('Your last changes are not saved yet. They stay in this browser. Sign out?')) form.submit();
  });
});

/** Undoes or redoes a step, and goes to where it was made. */
function turnBack(kind: 'undo' | 'redo'): void {
  const path = editor[kind]();
  if (path === null) return;
  announce(kind === 'undo' ? 'Undone' : 'Redone');
  // Of a list that came back or was ordered anew, to its first entry.
  if (path.length > 0) go(listOf(editor.at(path)).length > 0 ? [...path, 0] : path);
}

document.addEventListener(
  'keydown',
  (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    // Fields of dialogs have the undo of the browser.
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') return;
    event.preventDefault();
    turnBack(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  },
  true,
);

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 1000);

function savedWords(): string {
  const seconds = Math.max(0, Math.round((now.value - (editor.savedAt.value?.getTime() ?? Number.NaN)) / 1000));
  if (Number.isNaN(seconds)) return 'Saved';
  return seconds < 60 ? `Saved ${seconds} s ago` : `Saved ${Math.floor(seconds / 60)} min ago`;
}

/** Whether all is saved, with what to do if it is not. */
function Saved(): VNode {
  const saving = editor.saving.value;
  const words: Record<Saving, ComponentChildren> = {
    saved: savedWords(),
    saving: 'Saving …',
    'not-saved': 'Not saved yet',
    'signed-out': html`<a href=${location.pathname}>Sign in</a>: your session has ended`,
  };
  const isKept = saving === 'not-saved' || saving === 'signed-out';
  return html`<span class="ed-saved" data-state=${saving}
    title=${isKept ? 'What you type is kept in this browser, and sent as soon as it can be.' : null}>${words[saving]}</span>`;
}

effect(() => {
  if (editor.saving.value === 'not-saved') announce('Not saved yet. What you type is kept in this browser.');
  if (editor.saving.value === 'signed-out') announce('Your session has ended. What you type is kept in this browser.');
});

const isRailOpen = signal(false);

function Arrow({ kind, isOn }: { readonly kind: 'undo' | 'redo'; readonly isOn: boolean }): VNode {
  return html`<button type="button" class="icon" aria-label=${kind === 'undo' ? 'Undo' : 'Redo'} disabled=${!isOn} onClick=${() => turnBack(kind)}>
    <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true">
      <path d="M6 2.5 2.5 6 6 9.5M2.5 6H10a3.5 3.5 0 0 1 0 7H7" transform=${kind === 'undo' ? null : 'matrix(-1 0 0 1 16 0)'} />
    </svg></button>`;
}

function Bar(): VNode {
  const toggle = () => {
    isRailOpen.value = !isRailOpen.value;
  };
  return html`<div class="ed-bar" role="group" aria-label="Changes">
    <button type="button" class="ed-menu" aria-expanded=${isRailOpen.value} onClick=${toggle}>Sections</button>
    <${Saved} />
    <${Arrow} kind="undo" isOn=${editor.canUndo.value} /><${Arrow} kind="redo" isOn=${editor.canRedo.value} />
    <${Publish} send=${send} />
  </div>`;
}

/** Says why nothing can be edited, and what is wrong with the text. */
function Unreadable(): VNode {
  const [fault] = editor.copy.value.unreadable;
  return html`<div class="notice bad"><p>The file cannot be read${fault && `, because of line ${fault.line}: ${fault.message}`}.
    Below is what could be read last. <a href=${page().paths.yaml}>Correct the file (YAML)</a>, or undo.</p></div>`;
}

const views: Record<string, () => VNode> = { look: Look, seen: Seen, versions: Versions, version: Versions };

function App(): VNode {
  const name = view.value.split('=')[0]!;
  const Middle = views[name] ?? Paper;
  const close = (event: Event) => {
    if (!(event.target instanceof Element && event.target.closest('a, button, .ed-scrim'))) return;
    isRailOpen.value = false;
    published.value = null;
  };
  return html`<div class="ed" data-view=${name in views ? name : 'paper'}>
    <${Bar} />
    <nav class=${`ed-rail${isRailOpen.value ? ' is-open' : ''}`} aria-label="Resume" onClick=${close}><${Rail} /></nav>
    ${isRailOpen.value && html`<div class="ed-scrim" onClick=${close}></div>`}
    <div class="ed-middle" id="content">
      ${!editor.isReadable.value && html`<${Unreadable} />`}
      ${published.value ? html`<${PublishedPage} send=${send} />` : html`<${Middle} />`}
    </div>
    <aside class="ed-aside" aria-label="Beside it"><${Beside} /></aside>
    <p class="unseen" role="status">${announced}</p>
  </div>`;
}

render(html`<${App} />`, document.getElementById('editor')!);
