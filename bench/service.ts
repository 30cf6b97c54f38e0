import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from '../test/support/installed-package.ts';
import { ask, get, post } from './request.ts';
import { idle, type Server, startServer } from './server-process.ts';

/** The launcher of the package as npm installs it, in a folder that is removed at exit; installed once, when first needed. */
let installing: Promise<string> | undefined;
export const installedLauncher = (): Promise<string> => {
  installing ??= installPackage().then(({ launcher }) => launcher);
  return installing;
};

/** The launcher of this checkout, which runs the sources. */
export const checkoutLauncher = join(import.meta.dirname, '../bin/candidate-profile.cjs');

/** How the service is started: settings besides those of every benchmark, the name of it and of its data, and what runs it. */
interface Launch {
  readonly env?: Record<string, string>;
  readonly name?: string;
  readonly launcher?: string;
}

/** Starts the service as an owner does, with limits that do not refuse, and with data in a folder named as it is. */
export async function launchService(folder: string, launch: Launch = {}): Promise<Server> {
  const { env, name = 'candidate-profile', launcher = await installedLauncher() } = launch;
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const settings = { PORT: '0', DATA_DIR: dataDir, LIMITS: '1000000', LOG_LEVEL: 'info', ...env };
  return startServer(name, [process.execPath, launcher, 'serve'], folder, settings);
}

/** Launches the service, gets a token and the resume, which is printed then, and waits for the work that goes on. */
export async function startService(...launch: Parameters<typeof launchService>): Promise<Server> {
  const launched = await launchService(...launch);
  const { body } = await ask(launched, post('/auth/token', { email: 'reader@example.org' }));
  const server = { ...launched, token: JSON.parse(body).access_token };
  const { pathname, search } = new URL(JSON.parse((await ask(server, get('/resume?format=pdf'))).body).url);
  await ask(server, get(pathname + search));
  await idle(server);
  return server;
}
