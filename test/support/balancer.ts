import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isFull } from './figures.ts';
import { type Cleanup, newFolder } from './files.ts';
import { freePort } from './free-port.ts';

/** A proxy that sends each request to the next of its servers. */
interface Balancer {
  readonly url: string;
  /** Whether it would send a request to each of them. */
  hasAll(): Promise<boolean>;
}

/** Starts a balancer for servers (`HOST:PORT`) that may start later: haproxy for a full run. */
export const startBalancer = (t: Cleanup, servers: readonly string[]): Promise<Balancer> =>
  (isFull ? startHaproxy : startRoundRobin)(t, servers);

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** haproxy as docs/scaling.md describes it: a request that could not be sent is sent to the other server. */
async function startHaproxy(t: Cleanup, servers: readonly string[]): Promise<Balancer> {
  const folder = newFolder(t);
  const [port, healthPort] = [await freePort(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  balance roundrobin
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
listen replicas
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  default-server check inter 100ms fall 1 rise 1
${servers.map((server, n) => `  server replica${n + 1} ${server}`).join('\n')}
frontend health
  bind 127.0.0.1:${healthPort}
  monitor-uri /
  monitor fail if { nbsrv(replicas) lt ${servers.length} }
`,
  );
  const child = spawn('haproxy', ['-db', '-q', '-f', file], { cwd: folder, stdio: 'inherit' });
  t.after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  return { url: `http://127.0.0.1:${port}`, hasAll: () => isOk(`http://127.0.0.1:${healthPort}/`) };
}

/** The same in this process, for a machine without haproxy: it tries each server in turn until one accepts the connection. */
async function startRoundRobin(t: Cleanup, servers: readonly string[]): Promise<Balancer> {
  let next = 0;
  const proxy = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', rawHeaders } = incoming;
    const body = await buffer(incoming);
    const headers = [...endToEnd(rawHeaders), 'Connection', 'close', 'X-Forwarded-For', '127.0.0.1'];
    const first = next++;
    const attempt = (nth: number): void => {
      const [host, port] = servers[(first + nth) % servers.length]!.split(':');
      const sent = request({ host, port, method, path, headers, agent: false });
      sent.on('response', (response) => {
        outgoing.writeHead(response.statusCode!, endToEnd(response.rawHeaders));
        response.pipe(outgoing);
        outgoing.on('close', () => response.destroy());
        response.on('error', () => outgoing.destroy());
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && nth + 1 < servers.length) attempt(nth + 1);
        else if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
      sent.end(body);
    };
    attempt(0);
  }

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    hasAll: async () => (await Promise.all(servers.map((server) => isOk(`http://${server}/readyz`)))).every(Boolean),
  };
}

/** Returns the raw headers that are not about the connection. */
const endToEnd = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => !/^(connection|keep-alive)$/i.test(raw[index - (index % 2)]!));
