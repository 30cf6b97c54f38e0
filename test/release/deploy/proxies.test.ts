import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { root } from '../../support/deployment.ts';
import { type Cleanup, fixture, newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { clientOf } from '../../support/mcp-service.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { check, type ProxyName, programs, startProxy } from './proxies.ts';

const names = Object.keys(programs) as ProxyName[];
const certificate = readFileSync(fixture('tls-cert.pem'), 'utf8');
// For `fetch`, which the MCP client uses.
setDefaultCACertificates([...getCACertificates('default'), certificate]);
const profile = readFileSync(fixture('profile.yaml'), 'utf8');

interface Ask {
  readonly from?: string;
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  readonly agent?: http.Agent;
}

/**
 * Sends a request from an address of this machine; Node's `fetch` can choose neither address nor Host. As browsers do, sends it once
 * more if a connection that was kept ends before the response: the proxy may close it at the moment that the request is sent.
 */
async function ask(url: string, options: Ask = {}): Promise<{ status: number; body: string }> {
  const { from = '127.0.0.1', method = 'GET', headers = {}, body, agent } = options;
  const { request } = url.startsWith('https:') ? https : http;
  const outgoing = request(url, {
    method,
    localAddress: from,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    servername: 'localhost', // otherwise it is that of the header Host
    ca: certificate,
    ...(agent && { agent }),
  });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    return { status: response.statusCode!, body: await text(response) };
  } catch (error) {
    if (!outgoing.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return ask(url, options);
  }
}

/** Starts a service behind a proxy that it trusts. */
async function startBehind(t: Cleanup, name: ProxyName, env: Record<string, string> = {}, host = '127.0.0.1') {
  const folder = newFolder(t);
  const [file, port] = [join(folder, 'profile.yaml'), await freePort()];
  writeFileSync(file, profile);
  const proxy = await startProxy(t, name, [`127.0.0.1:${port}`, `127.0.0.1:${port}`], host);
  const scheme = new URL(proxy.url).protocol;
  const BASE_URL = `${scheme}//${host}:${proxy.port}`;
  const settings = {
    PORT: `${port}`,
    BASE_URL,
    TRUST_PROXY: '127.0.0.1',
    ALLOW_SAMPLE: 'true',
    ALLOW_INSECURE_HTTP: 'true',
  };
  const service = await startProcess(t, { ...settings, LOG_LEVEL: 'silent', ...env }, folder);
  await eventually(async () => (await ask(`${proxy.url}/readyz`, { headers: { host } })).status === 200);
  const rename = (candidate: string) => {
    writeFileSync(`${file}.draft`, profile.replace('Tess Example', candidate));
    renameSync(`${file}.draft`, file);
  };
  return { proxy, service, rename };
}

/** Subscribes to the candidate through a proxy. */
async function subscribe(url: string, token: string) {
  const client = clientOf('modern');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const notified = new Promise<string>((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', () => resolve('notified')),
  );
  try {
    await client.listen({ resourceSubscriptions: ['candidate-profile://profile/candidate'] });
    return { notified, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

for (const name of names)
  suite(`Behind ${name}, configured as in deploy/`, () => {
    test('the program finds no fault in the configuration', async (t) => {
      assert.match(await check(t, name), /Valid configuration|syntax is ok|Configuration file is valid/);
    });

    test('limits count the client, whatever it says it is', async (t) => {
      const { proxy } = await startBehind(t, name, { LIMITS: '1' });
      const token = (from: string, forwarded?: string | string[]) =>
        ask(`${proxy.url}/auth/token`, {
          from,
          method: 'POST',
          body: { email: 'visitor@example.org' },
          headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
        }).then(({ status }) => status);
      const first = [];
      for (let call = 0; call < 11; call += 1) first.push(await token('127.0.0.2'));
      assert.deepEqual(first, [...Array(10).fill(200), 429]);
      const forged = ['203.0.113.9', '127.0.0.1', '203.0.113.9, 127.0.0.1', ['203.0.113.9', '127.0.0.1']];
      for (const forwarded of forged) assert.equal(await token('127.0.0.2', forwarded), 429, `${forwarded}`);
      assert.equal(await token('127.0.0.3'), 200);
    });

    test('the service sees the name that the client asked for, and refuses others on /mcp', async (t) => {
      const { proxy } = await startBehind(t, name, {}, 'profile.example.org');
      const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const statusFor = async (host: string) =>
        (await ask(`${proxy.url}/mcp`, { method: 'POST', body, headers: { host } })).status;
      // 401: the host is accepted, and the token is missing. Caddy itself answers for names that it does not serve.
      assert.equal(await statusFor(`profile.example.org:${proxy.port}`), 401);
      assert.equal(await statusFor('evil.example.org'), name === 'caddy' ? 200 : 403);
    });

    test('a subscriber is notified at once, and its subscription ends when it leaves', async (t) => {
      const { proxy, service, rename } = await startBehind(t, name, { LIMITS: '1' });
      const token = await service.token();
      const open = [await subscribe(proxy.url, token), await subscribe(proxy.url, token)];
      rename('Tess Renamed');
      assert.deepEqual(await Promise.all(open.map(({ notified }) => notified)), ['notified', 'notified']);
      // An address may have two: a third is refused while the service believes that both are open.
      await assert.rejects(subscribe(proxy.url, token), /429|Too many subscriptions/);
      for (const { close } of open) await close();
      // Each attempt counts as messages of the token, of which it may send 120 a minute.
      const tryAgain = () => pause(1_000).then(() => subscribe(proxy.url, token).catch(() => false as const));
      const another = await eventually(tryAgain);
      await another.close();
    });

    test('an upload of 20 MiB reaches the desk, and a page of the service answers', async (t) => {
      const { proxy } = await startBehind(t, name);
      const body = new FormData();
      body.set('resume', new Blob([new Uint8Array(20 * 1024 ** 2)]), 'resume.pdf');
      const headers = { origin: proxy.url };
      const response = await fetch(`${proxy.url}/desk/profile/import/read`, { method: 'POST', headers, body });
      assert.deepEqual([response.status, /Sign in to your desk/.test(await response.text())], [403, true]);
    });

    test('documents and styles come compressed, a page with a form does not', async (t) => {
      const { proxy } = await startBehind(t, name);
      const encodingOf = async (path: string) => {
        const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
        const response = await fetch(proxy.url + path, { headers });
        return { encoding: response.headers.get('content-encoding'), text: await response.text() };
      };
      const page = await encodingOf('/');
      assert.equal(page.encoding, null);
      const style = /\/assets\/style\.[\w-]+\.css/.exec(page.text)![0];
      for (const path of ['/openapi.json', style]) assert.equal((await encodingOf(path)).encoding, 'gzip', path);
    });

    test('no request fails while the proxy reads its configuration again', async (t) => {
      const { proxy } = await startBehind(t, name);
      const statuses = await whileAsking(`${proxy.url}/healthz`, proxy.reload);
      assert.deepEqual([...new Set(statuses)], [200]);
    });

    test('no request fails while one of two replicas is stopped and started again', async (t) => {
      const ports = [await freePort(), await freePort()] as const;
      const proxy = await startProxy(t, name, [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`]);
      const start = (port: number) =>
        startProcess(t, { PORT: `${port}`, LOG_LEVEL: 'silent', TRUST_PROXY: '127.0.0.1' });
      const [first] = await Promise.all(ports.map(start));
      await eventually(async () => (await ask(`${proxy.url}/readyz`)).status === 200);
      const statuses = await whileAsking(`${proxy.url}/healthz`, async () => {
        first!.kill('SIGTERM');
        assert.equal(await first!.exited(), 0);
        await start(ports[0]);
      });
      assert.deepEqual([...new Set(statuses)], [200]);
    });
  });

/** Sends requests one after the other on each of four connections until a function is done; returns their statuses, or errors. */
async function whileAsking(url: string, act: () => Promise<void>): Promise<(number | string)[]> {
  const statuses: (number | string)[] = [];
  let isDone = false;
  async function client(index: number): Promise<void> {
    const Agent = url.startsWith('https:') ? https.Agent : http.Agent;
    // Half of the clients keep their connection, the others open one for each request.
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    while (!isDone) {
      const status = await ask(url, { agent }).then(
        (answer) => answer.status,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      statuses.push(status);
    }
    agent.destroy();
  }
  const clients = [0, 1, 2, 3].map(client);
  await eventually(() => statuses.length >= 40);
  try {
    await act();
    const seen = statuses.length;
    await eventually(() => statuses.length >= seen + 40);
  } finally {
    isDone = true;
    await Promise.all(clients);
  }
  return statuses;
}

/** Returns a block of code of docs/operations.md. */
const documented = (language: string): string =>
  readFileSync(join(root, 'docs/operations.md'), 'utf8').split(`\n\`\`\`${language}\n`)[1]!.split('\n```')[0]!;

for (const name of ['nginx', 'caddy'] as const)
  test(`behind ${name} with the lines of docs/operations.md, the service is below a path of its host`, async (t) => {
    const [folder, port, own] = [newFolder(t), await freePort(), await freePort()];
    const lines = documented(name === 'nginx' ? 'nginx' : 'caddyfile').replace('127.0.0.1:3000', `127.0.0.1:${own}`);
    const file = join(folder, 'proxy.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((one) => `${one}_temp_path .;`)
      .join(' ');
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const text =
      name === 'nginx'
        ? `daemon off; pid nginx.pid; ${user} events {} http { ${temporary} access_log off; upstream candidate_profile { server 127.0.0.1:${own}; } server { listen 127.0.0.1:${port}; proxy_set_header Host $http_host; ${lines} } }`
        : `{\nadmin off\n}\nhttp://127.0.0.1:${port} {\n${lines}\n}\n`;
    writeFileSync(file, text);
    const words =
      name === 'nginx'
        ? ['nginx', '-e', 'stderr', '-p', folder, '-c', file]
        : ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
    const child = spawn(words[0]!, words.slice(1), { env: { ...process.env, HOME: folder }, stdio: 'ignore' });
    const exited = once(child, 'exit');
    t.after(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    const origin = `http://127.0.0.1:${port}`;
    const env = { PORT: `${own}`, BASE_URL: `${origin}/cv`, ALLOW_SAMPLE: 'true', LOG_LEVEL: 'silent' };
    await startProcess(t, env, folder);
    await eventually(async () => (await ask(`${origin}/cv/readyz`).catch(() => null))?.status === 200);
    for (const path of ['/cv/', '/cv/docs', '/.well-known/oauth-protected-resource/cv/mcp'])
      assert.equal((await fetch(origin + path)).status, 200, path);
    for (const path of ['oauth-authorization-server/cv', 'openid-configuration/cv'])
      assert.equal(JSON.parse((await ask(`${origin}/.well-known/${path}`)).body).issuer, `${origin}/cv`);
    assert.equal((await ask(`${origin}/other`)).body.includes('NOT_FOUND'), false);
  });
