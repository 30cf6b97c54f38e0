import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, get } from './request.ts';
import { type Server, startServer } from './server-process.ts';

/** The installed version, such as `nginx/1.22.1`; undefined if there is none. */
export const nginxVersion = /nginx\/\S+/.exec(String(spawnSync('nginx', ['-v']).stderr))?.[0];

/** Starts nginx as one process that returns a constant answer. */
export async function startNginx(answer: Answer, at: string): Promise<Server> {
  const folder = mkdtempSync(join(at, 'nginx-'));
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, configOf(answer, folder, port));
  // It prints nothing itself.
  const script = 'echo "Listening on $1"; exec nginx -p "$2" -c "$3" -e stderr';
  const command = ['sh', '-c', script, 'sh', `http://127.0.0.1:${port}`, folder, config];
  const server = await startServer('nginx, constant answer', command, folder);
  for (let tries = 0; ; tries += 1)
    try {
      await ask(server, get('/'));
      return server;
    } catch (error) {
      if (tries === 100) throw error;
      await pause(20);
    }
}

function configOf({ status, headers, body }: Answer, folder: string, port: number): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  // nginx has no way to write a dollar sign.
  if (body.includes('$')) throw new Error('nginx cannot return a body with a dollar sign');
  const { 'content-type': type = '', 'content-length': _, ...others } = headers;
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  default_type ${type};
  server {
    listen 127.0.0.1:${port};
    location / {
      ${Object.entries(others)
        .map(([name, value]) => `add_header ${name} ${quote(value)};`)
        .join('\n      ')}
      return ${status} ${quote(body)};
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
