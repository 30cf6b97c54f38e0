import { effect, useSignal } from '@preact/signals';
import { render, type VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Path } from '../../../../../model/profile/working-copy.ts';
import { Beside } from './beside.ts';
import type { Answer, Send, Tabs } from './connection.ts';
import { Look } from './look.ts';
import { Paper } from './paper.ts';
import { Publish } from './publish.ts';
import { Rail } from './rail.ts';
import { Seen } from './seen.ts';
import { editor, openEditor } from './state.ts';
import { announced, go, html, openPage, page, view } from './ui.ts';
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
  id: crypto.randomUUID(),
  // Browsers free the locks of a tab when it is closed or crashes.
  whenClosed: (id, act) => void navigator.locks?.request(lockOf(id), act),
};
void navigator.locks?.request(lockOf(tabs.id), () => new Promise(() => {}));

openEditor(page().copy, localStorage, send, tabs);

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') void editor.flush();
  else void editor.refresh();
});
addEventListener('pagehide', () => void editor.flush());
addEventListener('online', () => void editor.flush());

const views: Record<string, () => VNode> = { look: Look, seen: Seen, versions: Versions, version: Versions };

function App(): VNode {
  const isRailOpen = useSignal(false);
  const [name = ''] = view.value.split('=');
  const Middle = views[name] ?? Paper;
  return html`<div class="ed" data-view=${name in views ? name : 'paper'}>
    <div class="ed-bar"><${Publish} /></div>
    <nav class=${`ed-rail${isRailOpen.value ? ' is-open' : ''}`} aria-label="Resume"><${Rail} /></nav>
    <div class="ed-middle"><${Middle} /></div>
    <aside class="ed-aside" aria-label="What becomes of it"><${Beside} /></aside>
    <p class="unseen" role="status">${announced}</p>
  </div>`;
}

render(html`<${App} />`, document.getElementById('editor')!);
