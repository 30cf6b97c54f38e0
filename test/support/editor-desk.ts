import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PatchOperation, WorkingCopy, WorkingEvent } from '../../src/model/profile/working-copy.ts';
import type { EditorPage } from '../../src/surfaces/web/desk/editor/editor-page.ts';
import { formPost, openOwnDesk, signIn } from './desk.ts';

type Service = Parameters<typeof signIn>[0];

/** The state that the page of the editor begins with. */
export function stateIn(page: string): EditorPage {
  const [, json] = /id="editor-state">(.*?)<\/script>/s.exec(page) ?? assert.fail(page);
  return JSON.parse(json!);
}

/** A change of its own that replaces the text at a place. */
export const typing = (path: string, before: unknown, value: unknown, id: string = randomUUID()) => ({
  ...{ id, step: id },
  patch: [
    { op: 'test', path, value: before },
    { op: 'replace', path, value },
  ] satisfies PatchOperation[],
});

/** What a tab of the editor sends, with the session of a browser. */
export function openTab({ ask }: Pick<Service, 'ask'>, { cookie }: { readonly cookie: string }) {
  let token = '';
  async function send(path: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) {
    const response = await ask(`/desk/profile/${path}`, {
      method,
      headers: {
        ...{ cookie, 'x-form-token': token, 'sec-fetch-site': 'same-origin' },
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    token = response.headers.get('x-form-token') ?? token;
    return { status: response.status, body: await response.json() };
  }
  const copy = async (): Promise<WorkingCopy> => (await send('changes')).body;
  return {
    send,
    copy,
    /** Sends events with a revision, the latest one unless another is given. */
    patch: async (events: readonly WorkingEvent[], revision?: string) =>
      send('changes', 'PATCH', { events }, { 'if-match': `"${revision ?? (await copy()).revision}"` }),
    /** Makes a text the working copy, as the page of the YAML does. */
    async write(text: string) {
      const { revision } = await copy();
      return ask('/desk/profile/yaml/save', formPost({ form_token: token, text, revision }, { cookie }));
    },
    /** Publishes the working copy as it is. */
    publish: async (more: object = {}) => send('publish', 'POST', { revision: (await copy()).revision, ...more }),
    /** Returns the unpublished differences in words, each with its patch. */
    async differences(): Promise<{ words: string; patch: readonly PatchOperation[] }[]> {
      const { differences } = (await send('changes/differences')).body;
      return differences.map(({ words, patch }: { words: { text: string }[]; patch: PatchOperation[] }) => ({
        words: words.map(({ text }) => text).join(''),
        patch,
      }));
    },
  };
}

/** Opens a service with a profile file of its own, and a tab of the editor. */
export async function openEditorDesk(...args: Parameters<typeof openOwnDesk>) {
  const desk = await openOwnDesk(...args);
  const tab = openTab(desk, desk);
  await tab.copy();
  return {
    ...desk,
    ...tab,
    state: async () => stateIn(await desk.page('/desk/profile')),
    /** Opens a tab in another browser, with a session of its own. */
    async otherBrowser() {
      const other = openTab(desk, await signIn(desk));
      await other.copy();
      return other;
    },
  };
}
