import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { decodeJwt } from 'jose';
import { dial } from '../../support/dial.ts';
import { fixture } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { connectTo } from '../../support/mcp-service.ts';
import { postJson } from '../../support/post-json.ts';
import { eventually, runCommand, startService } from '../../support/process.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

const PROFILE = fixture('profile.yaml');

/** Reads the metrics: the value of each series by its name, with its labels in the documented order. */
async function scrape(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  const series = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
  return { response, text, series };
}

const metricsPort = await freePort();
const service = await startService(
  { after },
  { PROFILE, LIMITS: '1', METRICS_PORT: String(metricsPort), SMTP_URL: 'smtp://127.0.0.1:1' },
);
const token = await service.token('ada@example.org');
const get = async (path: string, bearer?: string) =>
  (await fetch(service.url + path, bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } }))
    .status;

suite('The metrics', () => {
  test('count every call by operation, surface and outcome, and how long it took', async () => {
    const { response, series: none } = await scrape(metricsPort);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4(;|$)/);
    assert.equal(
      none.get('candidate_profile_calls_total{operation="get_candidate",surface="rest",code="OK"}'),
      undefined,
    );

    for (let n = 0; n < 3; n += 1) assert.equal(await get('/candidate', token), 200);
    assert.equal(await get('/experience/none', token), 404);
    assert.equal(await get('/candidate'), 401);
    assert.equal(await get('/candidate', `${token}x`), 401);
    const agent = await connectTo({ baseUrl: service.url, token }, 'modern');
    for (let n = 0; n < 2; n += 1) await agent.callTool({ name: 'get_candidate', arguments: {} });
    await agent.callTool({ name: 'get_project', arguments: { id: 'none' } });
    await agent.readResource({ uri: 'candidate-profile://profile/candidate' });

    const { series } = await scrape(metricsPort);
    for (const [labels, count] of [
      ['operation="create_auth_token",surface="rest",code="OK"', 1],
      ['operation="get_candidate",surface="rest",code="OK"', 3],
      ['operation="get_candidate",surface="rest",code="UNAUTHORIZED"', 2],
      ['operation="get_experience",surface="rest",code="NOT_FOUND"', 1],
      ['operation="get_candidate",surface="mcp",code="OK"', 3],
      ['operation="get_project",surface="mcp",code="NOT_FOUND"', 1],
    ] as const)
      assert.equal(series.get(`candidate_profile_calls_total{${labels}}`), count, labels);

    const labels = 'operation="get_candidate",surface="rest"';
    assert.equal(series.get(`candidate_profile_call_seconds_count{${labels}}`), 5);
    assert.ok(series.get('nodejs_eventloop_lag_p99_seconds')! > 0);
  });

  test('count tokens issued and refused, and limits hit', async () => {
    const before = (await scrape(metricsPort)).series;
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await fetch(`${service.url}/auth/token`, postJson({ email: 'bob@example.org' }))).status);
    const refused = statuses.filter((status) => status === 429).length;
    assert.ok(refused >= 2, String(statuses));
    assert.equal(await get('/projects', 'nonsense'), 401);
    assert.equal(await get('/mcp', 'nonsense'), 401);

    const grown = async (name: string) => ((await scrape(metricsPort)).series.get(name) ?? 0) - (before.get(name) ?? 0);
    const event = (labels: string) => grown(`candidate_profile_events_total{${labels}}`);
    assert.equal(await event('event="token_issued",operation=""'), 12 - refused);
    assert.equal(await event('event="limit_hit",operation="create_auth_token"'), refused);
    assert.equal(await event('event="token_refused",operation=""'), 2);
    const calls = 'operation="create_auth_token",surface="rest",code="RATE_LIMITED"';
    assert.equal(await grown(`candidate_profile_calls_total{${calls}}`), refused);
  });

  test('count sockets refused', async (t) => {
    const sockets = await Promise.all(Array.from({ length: 60 }, () => dial(t, service.url)));
    const series = 'candidate_profile_events_total{event="socket_refused",operation=""}';
    await eventually(async () => ((await scrape(metricsPort)).series.get(series) ?? 0) >= 10);
    for (const { hangUp } of sockets) hangUp();
  });

  test('show how many notices wait, since when, and how many were given up', async (t) => {
    const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    t.after(() => database.close());
    const queued = Number(database.prepare('select count(*) as n from outbox').get()?.n);
    const outbox = async () => {
      const { series } = await scrape(metricsPort);
      const notices = (state: string) => series.get(`candidate_profile_outbox_notices{state="${state}"}`);
      return [notices('waiting'), notices('dead'), series.get('candidate_profile_outbox_oldest_seconds')! >= 3_600];
    };
    assert.ok(queued > 1);
    assert.deepEqual(await outbox(), [queued, 0, false]);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const oldest = 'where rowid = (select min(rowid) from outbox)';
    database.prepare(`update outbox set created_at = ? ${oldest}`).run(hourAgo);
    assert.deepEqual(await outbox(), [queued, 0, true]);
    database.exec(`update outbox set due_at = null ${oldest}`);
    assert.deepEqual(await outbox(), [queued - 1, 1, false]);
  });

  test('are those that docs/operations.md names, with the labels it names, and no others of our own', async () => {
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/`((?:candidate_profile|nodejs|process)_\w+)(?:\{([\w,]+)\})?`/g)];
    assert.ok(documented.length >= 7);
    const { text } = await scrape(metricsPort);
    for (const [, name = '', labels] of documented) {
      const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];
      assert.ok(type, `${name} is not there`);
      const series = type === 'histogram' ? `${name}_count` : name;
      const spelled = labels === undefined ? '' : `\\{${labels.replace(/\w+/g, '$&="[^"]*"')}\\}`;
      assert.match(text, new RegExp(`^${series}${spelled} \\S+$`, 'm'));
    }
    const own = [...text.matchAll(/^# TYPE (candidate_profile_\w+) /gm)].map(([, name]) => name);
    assert.deepEqual(
      own.sort(),
      [...new Set(documented.map(([, name = '']) => name))]
        .filter((name) => name.startsWith('candidate_profile_'))
        .sort(),
    );
  });

  test('hold no e-mail address, token or network address [TRUST-27]', async () => {
    const { text } = await scrape(metricsPort);
    assert.ok(text.includes('token_issued'));
    assert.doesNotMatch(text, /@|ada|bob|127\.0|::1|eyJ|nonsense/);
    for (const hidden of [decodeJwt(token).jti!, ...token.split('.')]) assert.ok(!text.includes(hidden));
  });

  test('are at GET /metrics of their own port and nowhere else', async () => {
    const at = `http://127.0.0.1:${metricsPort}`;
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/metrics/'],
      ['GET', '/metrics?all'],
      ['GET', '/candidate'],
      ['GET', '/healthz'],
      ['HEAD', '/metrics'],
      ['POST', '/metrics'],
      ['OPTIONS', '/metrics'],
    ] as const) {
      const response = await fetch(at + path, { method });
      assert.equal(response.status, 404, `${method} ${path}`);
      assert.doesNotMatch(await response.text(), /candidate_profile_/);
    }
    for (const bearer of [undefined, token]) assert.equal(await get('/metrics', bearer), 404);
    // As a page in a browser does after DNS rebinding.
    const asked = request(`${at}/metrics`, { headers: { host: 'evil.example' } }).end();
    const [rebound] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(rebound.statusCode, 404);
    rebound.resume();
  });

  test('are only on loopback, whatever HOST is, and end with the service', async (t) => {
    const port = await freePort();
    const everywhere = await startService(t, {
      PROFILE,
      HOST: '0.0.0.0',
      ALLOW_SAMPLE: 'true',
      METRICS_PORT: String(port),
    });
    await scrape(port);
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    // Every machine has the addresses 127.0.0.0/8, so there is one that the metrics don't listen on.
    const others = ['127.0.0.2', ...own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)];
    for (const address of others.filter((address) => address !== '127.0.0.1')) {
      const { hangUp } = await dial(t, `http://${address}:${new URL(everywhere.url).port}`);
      hangUp();
      await assert.rejects(dial(t, `http://${address}:${port}`), { code: 'ECONNREFUSED' });
    }
    everywhere.stop();
    assert.equal(await everywhere.exited(), 0);
    await assert.rejects(dial(t, `http://127.0.0.1:${port}`), { code: 'ECONNREFUSED' });
  });

  test('stop the start with one line if their port is in use', async (t) => {
    const env = { PROFILE, PORT: '0', METRICS_PORT: String(metricsPort) };
    const { code, stdout, stderr } = await runCommand(t, ['serve'], env);
    assert.deepEqual([code, stdout], [1, '']);
    const words = stderr.split('\n').filter((line) => !line.startsWith('{'));
    assert.deepEqual(words, [`METRICS_PORT: ${metricsPort} cannot be listened on: EADDRINUSE`, '']);
  });
});
