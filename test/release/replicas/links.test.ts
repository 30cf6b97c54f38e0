import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isFull, report } from '../../support/figures.ts';
import { browserOf, type ClientMemory, connectByAddress } from '../../support/oauth.ts';
import { callsOf, refresh } from '../../support/oauth-flow.ts';
import { startPostgres } from '../../support/postgres.ts';
import { eventually, runCommand } from '../../support/process.ts';
import { startReplicas } from '../../support/replicas.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

test('a link that is made with one replica is opened on both, connects a client, and ends on both', async (t) => {
  const { url, replicas, shared } = await startReplicas(t, await server.createDatabase(), { env: { LIMITS: 'off' } });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(t, args, shared);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const make = async (name: string) =>
    JSON.parse(await run('share', 'new', name, '--json')) as { id: string; url: string };
  const [acme, globex] = [await make('Acme, staff engineer'), await make('Globex')];
  const at = (n: number, address: string) => replicas[n]!.url + address.slice(url.length);

  /** Opens a link, each request of which goes to the next replica. */
  async function openLink(address: string) {
    const browser = browserOf(fetch, url);
    const opened = await browser.send(await browser.open(address), { open: 'on' });
    assert.match(opened.text, /You are here through a link\./);
    return browser;
  }
  const [browser, other] = [await openLink(acme.url), await openLink(globex.url)];
  const isOpen = async (visitor: typeof browser) =>
    (await visitor.open('/')).text.includes('You are here through a link.');

  const memory: ClientMemory = {};
  const client = await connectByAddress(url, memory, {
    answer: async (asked) => {
      const consent = await browser.open(asked);
      assert.doesNotMatch(consent.text, /name="email"|Acme/);
      return (await browser.send(consent, { step: 'allow' })).url;
    },
  });
  t.after(() => client.close());
  const { structuredContent } = await client.callTool({ name: 'get_candidate' });
  assert.match(JSON.stringify(structuredContent), /Tess Example/);

  const peopleOf = async () =>
    (JSON.parse(await run('share', 'list', '--json')) as { id: string; people: number }[]).map(
      ({ id, people }) => `${id} ${people}`,
    );
  await eventually(async () => String(await peopleOf()) === `${globex.id} 1,${acme.id} 1`);

  const access = memory.tokens!.access_token;
  const statusesOf = async (address: string) =>
    Promise.all([0, 1].map(async (n) => (await fetch(at(n, address), { headers: { accept: 'text/html' } })).status));
  const ofClient = () =>
    Promise.all(
      replicas.map(async (replica) => (await callsOf(replica.url, fetch).callTool(access, 'get_candidate')).status),
    );
  assert.deepEqual(
    [await statusesOf(acme.url), await ofClient()],
    [
      [200, 200],
      [200, 200],
    ],
  );

  await run('share', 'end', acme.id, '--yes');
  const endedAt = performance.now();
  assert.deepEqual(await statusesOf(acme.url), [404, 404]);
  for (const _ of replicas) assert.equal(await isOpen(browser), false);
  await eventually(async () => String(await ofClient()) === '401,401');
  const milliseconds = Math.round(performance.now() - endedAt);
  for (const replica of replicas) {
    const clientId = String(memory.client?.client_id);
    const { status, body } = await refresh(callsOf(replica.url, fetch), clientId, memory.tokens!.refresh_token!);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  }
  assert.deepEqual(await statusesOf(globex.url), [200, 200]);
  for (const _ of replicas) assert.equal(await isOpen(other), true);
  if (isFull) assert.ok(milliseconds <= 2_000, `${milliseconds} ms`);
  report(
    'a link that is ended on one, tried on both',
    `its address and its pages at once, its client 401 after ${milliseconds} ms; nothing of another link`,
  );
});
