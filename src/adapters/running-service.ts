import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

interface RunningService {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
}

const fileIn = (dataDir: string): string => join(dataDir, 'service.json');

/** Writes into the data folder where the service listens, so that commands find it; disposing of it removes the file. */
export function announceService(dataDir: string, service: RunningService): Disposable {
  const path = fileIn(dataDir);
  try {
    writeFileSync(path, `${JSON.stringify({ ...service, pid: process.pid })}\n`, { mode: 0o600 });
  } catch {} // Without the file the service works, and commands use their settings.
  return {
    [Symbol.dispose]() {
      // Another process may have been started with the folder in the meantime.
      if (readFile(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/** Returns the base URL of the service that runs with a data folder; null if none runs. A crash leaves the file behind. */
export async function runningBaseUrl(dataDir: string): Promise<string | null> {
  const service = readFile(fileIn(dataDir));
  if (service === null || !isProcess(service.pid)) return null;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[service.host] ?? service.host;
  const socket = connect({ host, port: service.port, timeout: 1_000 });
  try {
    socket.on('timeout', () => socket.destroy(new Error('timeout')));
    await once(socket, 'connect');
    return service.baseUrl;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

function readFile(path: string): (RunningService & { readonly pid: number }) | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
