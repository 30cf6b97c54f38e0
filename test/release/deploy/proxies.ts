import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readDeployed } from '../../support/deployment.ts';
import { type Cleanup, fixture, newFolder } from '../../support/files.ts';
import { freePort } from '../../support/free-port.ts';
import { isListening } from '../../support/is-listening.ts';
import { eventually } from '../../support/process.ts';

const run = promisify(execFile);

/** The values for the addresses and the certificate that an owner fills in. */
interface Place {
  readonly folder: string;
  /** The port of 127.0.0.1 for visitors, and one for what else the proxy listens on. */
  readonly port: number;
  readonly otherPort: number;
  /** Two addresses, HOST:PORT; they may be the same. */
  readonly upstreams: readonly [string, string];
  /** The name that visitors use. */
  readonly host: string;
}

interface Program {
  readonly scheme: 'http' | 'https';
  /** Writes the configuration into the folder, and returns how to run, check and reload it. */
  prepare(place: Place): {
    run: string[];
    check: string[];
    reload: string[] | 'new process';
    env?: Record<string, string>;
  };
}

/** Replaces texts that must be there. */
function adapt(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((rest, [from, to]) => {
    assert.ok(rest.includes(from), `${from} is not in the file any more`);
    return rest.replaceAll(from, () => to);
  }, text);
}

const [certificate, key] = [fixture('tls-cert.pem'), fixture('tls-key.pem')];

/** The proxies of deploy/, with free ports and a certificate of the tests. */
export const programs = {
  caddy: {
    scheme: 'http',
    prepare({ folder, port, otherPort, upstreams, host }) {
      const file = join(folder, 'Caddyfile');
      const admin = `127.0.0.1:${otherPort}`;
      writeFileSync(file, adapt(readDeployed('Caddyfile'), [['\tgrace_period', `\tadmin ${admin}\n\tgrace_period`]]));
      const options = ['--config', file, '--adapter', 'caddyfile'];
      return {
        run: ['caddy', 'run', ...options],
        check: ['caddy', 'validate', ...options],
        reload: ['caddy', 'reload', ...options, '--force', '--address', admin],
        env: {
          // With https Caddy would add a certification authority to this machine.
          DOMAIN: `http://${host}:${port}`,
          UPSTREAMS: upstreams.join(' '),
          HOME: folder,
        },
      };
    },
  },
  nginx: {
    scheme: 'https',
    prepare({ folder, port, otherPort, upstreams, host }) {
      const [first, second] = upstreams;
      const site = adapt(readDeployed('nginx.conf'), [
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen 127.0.0.1:${otherPort};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
        ['/etc/letsencrypt/live/profile.example.org/fullchain.pem', certificate],
        ['/etc/letsencrypt/live/profile.example.org/privkey.pem', key],
        ['profile.example.org', host],
        ['server 127.0.0.1:3000;', `server ${first};`],
        ['    # server 127.0.0.1:3001;', first === second ? '    #' : `    server ${second};`],
      ]);
      writeFileSync(join(folder, 'site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path .;`);
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      const main = `daemon off; pid nginx.pid; ${user} events {} http { ${temporary.join(' ')} include site.conf; }`;
      writeFileSync(join(folder, 'nginx.conf'), main);
      const nginx = ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
      return { run: nginx, check: [...nginx, '-t'], reload: [...nginx, '-s', 'reload'] };
    },
  },
  haproxy: {
    scheme: 'https',
    prepare({ folder, port, otherPort, upstreams }) {
      const pem = join(folder, 'certificate.pem');
      writeFileSync(pem, `${readFileSync(certificate, 'utf8')}${readFileSync(key, 'utf8')}`);
      const file = join(folder, 'haproxy.cfg');
      const configuration = adapt(readDeployed('haproxy.cfg'), [
        ['bind :80', `bind 127.0.0.1:${otherPort}`],
        ['bind :443', `bind 127.0.0.1:${port}`],
        ['/etc/haproxy/profile.example.org.pem', pem],
        ['127.0.0.1:3000', upstreams[0]],
        ['127.0.0.1:3001', upstreams[1]],
      ]);
      writeFileSync(file, configuration);
      return { run: ['haproxy', '-db', '-f', file], check: ['haproxy', '-c', '-f', file], reload: 'new process' };
    },
  },
} satisfies Record<string, Program>;

export type ProxyName = keyof typeof programs;

async function newPlace(t: Cleanup, upstreams: Place['upstreams'], host: string): Promise<Place> {
  return { folder: newFolder(t), port: await freePort(), otherPort: await freePort(), upstreams, host };
}

/** Runs the program's own check of its configuration; returns what it printed. Throws if the check fails. */
export async function check(t: Cleanup, name: ProxyName): Promise<string> {
  const place = await newPlace(t, ['127.0.0.1:3000', '127.0.0.1:3001'], 'profile.example.org');
  const { check, env = {} } = (programs[name] as Program).prepare(place);
  const { stdout, stderr } = await run(check[0]!, check.slice(1), { env: { ...process.env, ...env } });
  return `${stdout}${stderr}`;
}

/** Starts a proxy with the configuration of deploy/ in front of one or two services. */
export async function startProxy(t: Cleanup, name: ProxyName, upstreams: Place['upstreams'], host = '127.0.0.1') {
  const place = await newPlace(t, upstreams, host);
  const { scheme, prepare }: Program = programs[name];
  const { run: words, reload, env = {} } = prepare(place);
  const inherited = { ...process.env, ...env };
  const start = (more: readonly string[] = []) => {
    const child = spawn(words[0]!, [...words.slice(1), ...more], { env: inherited, stdio: 'ignore' });
    const exited = once(child, 'exit');
    t.after(async () => {
      // nginx has processes of its own, which it ends; Caddy would wait for its streams.
      child.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL');
      await exited;
    });
    return { pid: child.pid!, exited };
  };
  let current = start();
  await eventually(() => isListening(place.port));
  return {
    port: place.port,
    url: `${scheme}://127.0.0.1:${place.port}`,
    /** Reads the configuration again, and resolves once the new one is in use. */
    async reload(): Promise<void> {
      if (reload !== 'new process') return void (await run(reload[0]!, reload.slice(1), { env: inherited }));
      const { exited } = current;
      current = start(['-sf', `${current.pid}`]);
      await exited;
    },
  };
}
