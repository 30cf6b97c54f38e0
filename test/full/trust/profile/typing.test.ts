import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { fold } from '../../../../src/model/profile/patch.ts';
import type { WorkingEvent } from '../../../../src/model/profile/working-copy.ts';
import type { Send } from '../../../../src/surfaces/web/desk/editor/client/connection.ts';
import { createEditor } from '../../../../src/surfaces/web/desk/editor/client/state.ts';
import { confirmLink, sample } from '../../../support/desk.ts';
import { openTab } from '../../../support/editor-desk.ts';
import { openBrowserStorage } from '../../../support/editor-service.ts';
import { report, scaled } from '../../../support/figures.ts';
import { newFolder } from '../../../support/files.ts';
import { eventually, runCommand, startProcess } from '../../../support/process.ts';

const kills = scaled(200, 4);
const actionsBetweenKills = 12;
const killsBetweenPublishes = 10;
const maxLength = 120;

const role = ['experience', 0, 'roles', 0] as const;
const path = [...role, 'accomplishments'];
interface Profile {
  readonly experience: readonly [{ readonly roles: readonly [{ readonly accomplishments: readonly string[] }] }];
}
const linesIn = (profile: unknown) => (profile as Profile).experience[0].roles[0].accomplishments;

const below = (limit: number) => Math.floor(Math.random() * limit);
const isOneIn = (count: number) => below(count) === 0;

test('what is typed while the service is killed and connections are cut is there, once [TRUST-80]', async (t) => {
  const folder = newFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, sample);
  const env = { PROFILE: file, LOG_LEVEL: 'error', OWNER_EMAIL: 'owner@example.net' };
  let service = await startProcess(t, env, folder);
  const printed = await runCommand(t, ['desk'], { ...env, PORT: new URL(service.url).port }, folder);
  const cookie = await confirmLink(printed.stdout.trim());
  let isUp = true;
  // Another program may have taken the port of a killed process.
  const ask = (path: string, init?: RequestInit) =>
    isUp ? fetch(service.url + path, init) : Promise.reject(new TypeError('fetch failed'));
  const reader = openTab({ ask }, { cookie });

  const counts = { keys: 0, cut: 0, unread: 0, killed: 0, closed: 0, stored: 0 };
  const browser = openBrowserStorage();
  let openTabs = 0;

  /** Opens a tab of the editor whose requests are cut at any moment; once it is closed, none of its requests is answered. */
  async function openEditor() {
    let isClosed = false;
    const cut = new Set<AbortController>();
    const tab = openTab(
      {
        async ask(path, init) {
          const connection = new AbortController();
          cut.add(connection);
          const isCut = isOneIn(5);
          const timer = isCut ? setTimeout(() => connection.abort(), below(60)) : undefined;
          try {
            const response = await ask(path, { ...init, signal: connection.signal });
            const bytes = await response.arrayBuffer();
            if (isOneIn(8)) {
              counts.unread++;
              throw new TypeError('the answer is lost');
            }
            return new Response(bytes, response);
          } catch (error) {
            if (connection.signal.aborted) counts.cut++;
            else if (!isUp) counts.killed++;
            throw error;
          } finally {
            clearTimeout(timer);
            cut.delete(connection);
            if (isClosed) await new Promise(() => {});
          }
        },
      },
      { cookie },
    );
    const send: Send = async (path, request) => {
      if (isClosed) await new Promise(() => {});
      const revision = request?.revision === undefined ? {} : { 'if-match': `"${request.revision}"` };
      const once = () => tab.send(path, request?.method, request?.body, revision);
      const answer = await once();
      return answer.status === 403 ? once() : answer;
    };
    const id = `tab-${openTabs++}`;
    const editor = createEditor(await reader.copy(), browser.storage, send, browser.tab(id));
    const close = () => {
      isClosed = true;
      browser.close(id);
    };
    return { editor, close };
  }

  let { editor, close } = await openEditor();
  let lines: readonly string[] = linesIn(editor.document.value);
  let [past, future]: (readonly string[])[][] = [[], []];
  const change = (next: readonly string[]) => {
    past!.push(lines);
    future = [];
    lines = next;
  };

  const actions: (() => void | Promise<void>)[] = [
    async function type() {
      const index = below(lines.length);
      const before = lines[index]!;
      const word = ` word${counts.keys}`;
      change(lines.with(index, before + word));
      for (let length = 1; length <= word.length; length++) {
        editor.set([...path, index], before + word.slice(0, length), { joins: word });
        counts.keys++;
        await pause(below(4));
      }
      if (isOneIn(2)) editor.endStep();
    },
    function split() {
      const index = below(lines.length);
      const line = lines[index]!;
      const at = 1 + below(line.length - 1);
      if (line.length < 2) return;
      editor.step(() => {
        editor.set([...path, index], line.slice(0, at));
        editor.insert([...path, index + 1], line.slice(at));
      });
      change(lines.toSpliced(index, 1, line.slice(0, at), line.slice(at)));
    },
    function join() {
      if (lines.length < 6) return;
      const index = 1 + below(lines.length - 1);
      const joined = lines[index - 1]! + lines[index]!;
      editor.step(() => {
        editor.remove([...path, index]);
        editor.set([...path, index - 1], joined);
      });
      change(lines.toSpliced(index - 1, 2, joined));
    },
    function removeLong() {
      const index = lines.findIndex(({ length }) => length > maxLength);
      if (index === -1 || lines.length < 3) return;
      editor.remove([...path, index]);
      change(lines.toSpliced(index, 1));
    },
    function undo() {
      const before = past!.pop();
      assert.equal(editor.undo() !== null, before !== undefined);
      if (before === undefined) return;
      future!.push(lines);
      lines = before;
    },
    function redo() {
      const after = future!.pop();
      assert.equal(editor.redo() !== null, after !== undefined);
      if (after === undefined) return;
      past!.push(lines);
      lines = after;
    },
  ];

  async function type(): Promise<void> {
    for (let count = 0; count < actionsBetweenKills; count++) {
      await actions[isOneIn(2) ? 0 : below(actions.length)]!();
      assert.deepEqual(linesIn(editor.document.value), lines);
    }
  }

  for (let killed = 1; killed <= kills || counts.stored === 0; killed++) {
    const typing = type();
    await pause(below(250));
    isUp = false;
    service.kill('SIGKILL');
    await Promise.all([typing, service.exited()]);
    const isReopened = isOneIn(3);
    if (isReopened) close();
    service = await startProcess(t, env, folder);
    isUp = true;

    const { changes: stored } = await reader.copy();
    const unsent = [...browser.items.values()].flatMap((kept) => JSON.parse(kept).pending as WorkingEvent[]);
    const ids = new Set(stored.map(({ id }) => id));
    counts.stored += unsent.filter((event) => 'patch' in event && ids.has(event.id)).length;
    if (isReopened) {
      counts.closed++;
      ({ editor, close } = await openEditor());
    }
    await eventually(async () => (await editor.flush()) && editor.saving.value === 'saved');
    assert.deepEqual(linesIn(editor.document.value), lines, `in the browser after kill ${killed}`);
    const { base, changes, conflicts } = await reader.copy();
    assert.deepEqual(linesIn(fold(base, changes)), lines, `in the service after kill ${killed}`);
    assert.deepEqual([conflicts, editor.copy.value.conflicts, browser.items.size], [[], [], 0]);

    if (killed % killsBetweenPublishes > 0 && killed < kills) continue;
    assert.equal((await reader.publish()).status, 200);
    assert.deepEqual(linesIn(parse(readFileSync(file, 'utf8'))), lines, `in the file after kill ${killed}`);
    await eventually(() => editor.refresh());
    [past, future] = [[], []];
  }
  report(
    'typing while the service is killed and connections are cut',
    `${kills} kills, ${counts.keys} keys, ${counts.cut} requests cut, ${counts.unread} answers lost, ${counts.killed} requests to a killed service, ${counts.closed} tabs closed before they had sent all; ${counts.stored} changes stored whose answer was lost: 0 lost, 0 doubled`,
  );
  close();
});
