import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cleanup, newFolder } from '../../../support/files.ts';
import { freePort } from '../../../support/free-port.ts';
import { isListening } from '../../../support/is-listening.ts';
import { eventually } from '../../../support/process.ts';

/** The client's address that these proxies forward. */
export const clientAddress = '198.51.100.7';

/** Proxies that share their connections to a service between clients, so that a response to a smuggled request would reach another client. */
const proxies = {
  nginx: {
    args: (file: string, folder: string) => ['-e', 'stderr', '-p', folder, '-c', file],
    config: (port: number, service: string) => `
      daemon off; worker_processes 1; pid nginx.pid; ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http {
        access_log off; client_body_temp_path .; proxy_temp_path .; fastcgi_temp_path .; uwsgi_temp_path .; scgi_temp_path .;
        client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s; underscores_in_headers on;
        upstream service { server ${service}; keepalive 4; }
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://service; proxy_http_version 1.1; proxy_request_buffering off;
            proxy_set_header Connection ""; proxy_set_header Host 127.0.0.1;
            proxy_set_header X-Forwarded-For ${clientAddress}; proxy_read_timeout 3s;
          }
        }
      }`,
  },
  haproxy: {
    args: (file: string) => ['-db', '-q', '-f', file],
    // Forwards requests that it finds invalid, to test how the service handles them.
    config: (port: number, service: string) =>
      `
      defaults
        mode http
        option accept-invalid-http-request
        timeout connect 3s
        timeout client 1s
        timeout server 3s
        timeout http-request 1s
        timeout http-keep-alive 1s
        http-reuse always
      listen proxy
        bind 127.0.0.1:${port}
        http-request set-header X-Forwarded-For ${clientAddress}
        server service ${service}\n`.replace(/^ {6}/gm, ''),
  },
};

export type ProxyName = keyof typeof proxies;

/** Returns why a proxy cannot be started; false if it can. */
export const isMissing = (proxy: ProxyName): string | false =>
  spawnSync(proxy, ['-v'], { stdio: 'ignore' }).error === undefined ? false : `needs ${proxy}`;

/** Starts a proxy in front of a service; returns its address. */
export async function startProxy(t: Cleanup, proxy: ProxyName, url: string): Promise<string> {
  const folder = newFolder(t);
  const port = await freePort();
  const file = join(folder, 'proxy.conf');
  const { args, config } = proxies[proxy];
  writeFileSync(file, config(port, new URL(url).host));
  const child = spawn(proxy, args(file, folder), { cwd: folder, stdio: 'ignore' });
  t.after(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await eventually(() => isListening(port));
  return `http://127.0.0.1:${port}`;
}
