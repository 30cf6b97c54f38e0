import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Cleanup, newFolder } from './files.ts';
import { eventually } from './process.ts';

/** The characters that WebDriver has for keys. */
const codes: Record<string, string> = {
  ...{ Backspace: '\uE003', Enter: '\uE006', Control: '\uE009', End: '\uE010', Home: '\uE011' },
};

/**
 * Opens a tab of Debian's Firefox, driven by WebDriver BiDi: the one that Playwright drives is a build of its own. The test fails
 * if a page logs an error.
 */
export async function openFirefox(t: Cleanup) {
  const args = ['--headless', '--no-remote', '--profile', newFolder(t), '--remote-debugging-port', '0'];
  const child = spawn('firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    exited.then(([code]) => reject(new Error(`Firefox ended: ${code}`)), reject);
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes('BiDi listening on ')) resolve(line.replace(/.* /, ''));
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const faults: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(data);
    if (method === 'log.entryAdded' && params.level === 'error') faults.push(params.text);
  });
  let sent = 0;
  // biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own.
  async function command(method: string, params: object): Promise<any> {
    const messages = on(socket, 'message');
    socket.send(JSON.stringify({ id: ++sent, method, params }));
    for await (const [{ data }] of messages) {
      const { id, error, message, result } = JSON.parse(data);
      if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
      if (id === sent) return result;
    }
  }
  await command('session.new', { capabilities: {} });
  await command('session.subscribe', { events: ['log.entryAdded'] });
  // In the first tab, the address bar keeps the focus.
  const { context } = await command('browsingContext.create', { type: 'tab' });
  t.after(async () => {
    await command('browser.close', {});
    await exited;
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });

  const inPage = { target: { context }, awaitPromise: true };
  const perform = (source: object) => command('input.performActions', { context, actions: [source] });
  /** Waits for an element by its role and name. */
  const find = (role: string, name: string): Promise<object> =>
    eventually(async () => {
      const locator = { type: 'accessibility', value: { role, name } };
      const { nodes } = await command('browsingContext.locateNodes', { context, locator });
      return nodes.length > 0 && nodes[0];
    });
  return {
    goto: (url: string) => command('browsingContext.navigate', { context, url, wait: 'complete' }),
    find,
    async click(role: string, name: string): Promise<void> {
      const element = await find(role, name);
      const functionDeclaration = '(element) => element.scrollIntoView({ block: "center" })';
      await command('script.callFunction', { ...inPage, functionDeclaration, arguments: [element] });
      const origin = { type: 'element', element };
      const button = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
      const actions = [{ type: 'pointerMove', x: 0, y: 0, origin }, ...button];
      await perform({ type: 'pointer', id: 'mouse', actions });
    },
    /** Types a text, or presses a key such as `Control+z`. */
    type: (text: string) => perform({ type: 'key', id: 'keys', actions: [...text].flatMap((key) => pressing([key])) }),
    press: (keys: string) => perform({ type: 'key', id: 'keys', actions: pressing(keys.split('+')) }),
    /** Returns the value of an expression in the page. */
    evaluate: async (expression: string): Promise<unknown> =>
      (await command('script.evaluate', { ...inPage, expression })).result.value,
  };
}

const pressing = (keys: readonly string[]) => [
  ...keys.map((key) => ({ type: 'keyDown', value: codes[key] ?? key })),
  ...keys.toReversed().map((key) => ({ type: 'keyUp', value: codes[key] ?? key })),
];
