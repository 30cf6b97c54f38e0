import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Server, startServer } from './server-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The command of `npm start`, with this Node and with absolute paths. */
export function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...args] = String(scripts.start).split(' ');
  return [process.execPath, ...args.map((arg) => (arg.startsWith('src/') ? join(root, arg) : arg))];
}

/** Starts the service as an owner does, with limits that do not refuse, and data in a folder of its own. */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
  name = 'candidate-profile',
): Promise<Server> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const settings = { PORT: '0', DATA_DIR: dataDir, LIMITS: '1000000', LOG_LEVEL: 'info', ...env };
  const server = await startServer(name, startCommand(), folder, settings);
  const response = await fetch(`${server.url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'reader@example.org' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { ...server, token };
}
