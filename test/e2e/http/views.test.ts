import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openHttpServer } from '../../../src/adapters/http/server.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { report, scaled } from '../../support/figures.ts';
import { newFolder } from '../../support/files.ts';
import { openTestService } from '../../support/in-process.ts';
import { randomOf } from '../../support/random.ts';
import { grant, notice } from '../../support/store.ts';
import { byHand, viewedProfile } from '../../support/viewed-profile.ts';

const folder = newFolder({ after });

async function openWith(name: string, text: string) {
  const PROFILE = join(folder, `${name}.yaml`);
  writeFileSync(PROFILE, text);
  const service = await openTestService({ PROFILE });
  after(service.close);
  return service;
}

const paths = [
  ...['/candidate', '/experience', '/projects', '/resume', '/background', '/availability', '/experience?current=true'],
  ...['/experience/exp_confluent', '/experience/exp_rackspace', '/projects/proj_log', '/projects/proj_toy'],
];

test('tokens of three views, mixed on a connection, are never answered what another one reads', async (t) => {
  const service = await openWith('viewed', viewedProfile);
  const { app, opened } = service;
  const { tokens, store } = opened;
  const answers = new Map<string, Map<string, string>>();
  const readers: { readonly view: string; readonly token: string }[] = [];
  for (const [view, text] of Object.entries(byHand)) {
    const written = await openWith(view, text);
    const expected = new Map<string, string>();
    for (const path of paths) {
      const response = await written.get(path);
      expected.set(path, `${response.status} ${response.headers.get('etag')} ${await response.text()}`);
    }
    answers.set(view, expected);

    const whole = await tokens.prepare(byAddress(`${view}@example.org`));
    await store.tokens.add(whole, { ...notice, about: whole.jti });
    await tokens.setView({ kind: 'jti', jti: whole.jti }, view);
    const given = { ...grant, id: `grant of ${view}`, expiresAt: whole.expiresAt };
    await store.oauth.grants.add(given, { ...notice, about: given.id });
    await tokens.setView({ kind: 'grant', id: given.id }, view);
    const access = { clientId: 'client', scopes: ['profile:read'], isForMcp: false, isVerified: false } as const;
    const scoped = await tokens.prepare(byAddress(`${view}@example.org`), access, given.id);
    for (const token of [whole, scoped]) readers.push({ view, token: await tokens.sign(token) });
  }
  assert.equal(new Set([...answers.values()].map((expected) => expected.get('/experience'))).size, 3);

  let atOnce = 0;
  const server = await openHttpServer(
    { host: '127.0.0.1', port: 0, tls: undefined, isHttps: true, trustProxy: new BlockList(), socketsPerAddress: 50 },
    (request, connection) => app.fetch(request, connection),
    (head, connection) => {
      const reply = app.replyAtOnce(head, connection);
      if (reply !== null) atOnce += 1;
      return reply;
    },
  );
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  t.after(async () => {
    agent.destroy();
    await server.close(0);
  });

  const { pick } = randomOf(26);
  const ports = new Set<number | undefined>();
  const requests = scaled(100_000, 2_000);
  for (let count = 0; count < requests; count += 1) {
    const [{ view, token }, path] = [pick(readers), pick(paths)];
    const headers = { authorization: `Bearer ${token}` };
    const [response] = (await once(http.get({ port: server.port, agent, path, headers }), 'response')) as [
      http.IncomingMessage,
    ];
    ports.add(response.socket.localPort);
    const body = Buffer.concat(await response.toArray()).toString();
    const { etag = null } = response.headers;
    const given = `${response.statusCode} ${etag} ${body}`;
    assert.equal(given, answers.get(view)!.get(path), `${view} ${path}`);
  }
  assert.equal(ports.size, 1);
  assert.ok(atOnce > requests / 4);
  report('Tokens of three views on one connection', `${requests.toLocaleString('en')} requests, each its own view`);
});
