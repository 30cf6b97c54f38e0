import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, post } from './request.ts';
import { idle, type Server, startServer } from './server-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The command of `npm start`, with this Node and with absolute paths. */
export function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...args] = String(scripts.start).split(' ');
  return [process.execPath, ...args.map((arg) => (arg.includes('/') ? join(root, arg) : arg))];
}

/** Starts the service as an owner does, with limits that do not refuse, and with data in a folder named as it is. */
export function launchService(
  folder: string,
  env: Record<string, string> = {},
  name = 'candidate-profile',
): Promise<Server> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const settings = { PORT: '0', DATA_DIR: dataDir, LIMITS: '1000000', LOG_LEVEL: 'info', ...env };
  return startServer(name, startCommand(), folder, settings);
}

/** Launches the service, gets a token, and waits for the work that goes on after the start. */
export async function startService(...launch: Parameters<typeof launchService>): Promise<Server> {
  const server = await launchService(...launch);
  const { body } = await ask(server, post('/auth/token', { email: 'reader@example.org' }));
  await idle(server);
  return { ...server, token: JSON.parse(body).access_token };
}
