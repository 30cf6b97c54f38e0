import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { readConfig } from '../../src/service/config/config.ts';
import { openLog } from '../../src/service/log.ts';
import { openServices } from '../../src/service/services.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

function open(folder: string, env: Record<string, string> = {}) {
  const settings = { PROFILE: fixture('profile.yaml'), DATA_DIR: folder, LOG_LEVEL: 'silent', ...env };
  return openServices(readConfig(settings, folder), 'http://127.0.0.1:3000', openLog('silent', 'json'), 'server');
}

/** Returns the files in a folder that this process has open. */
function openFilesIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // the descriptor that readdirSync has closed
    }
  });
}

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

async function assertNothingIsLeft(folder: string, opening: () => Promise<unknown>, message: RegExp): Promise<void> {
  const timers = countTimers();
  await assert.rejects(opening, { message });
  assert.deepEqual([openFilesIn(folder), countTimers()], [[], timers]);
}

async function openFolder(t: TestContext): Promise<string> {
  const folder = newFolder(t);
  await using _opened = await open(folder);
  // Beside it, the file of the keys may be open, which is read again each second.
  assert.ok(openFilesIn(folder).includes(join(folder, 'candidate-profile.db')));
  return folder;
}

suite('A start that fails leaves no timer and no file open', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, () => {
  test('nor does a successful start after it is closed', async (t) => {
    const timers = countTimers();
    const folder = await openFolder(t);
    assert.deepEqual([openFilesIn(folder), countTimers()], [[], timers]);
  });

  test('after a metrics port that is in use', async (t) => {
    const folder = newFolder(t);
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assertNothingIsLeft(folder, () => open(folder, { METRICS_PORT: String(port) }), /^METRICS_PORT: /);
  });

  test('after a database that lacks a table', async (t) => {
    const folder = await openFolder(t);
    {
      using database = openSqliteFile(join(folder, 'candidate-profile.db'));
      database.exec('drop table revocations');
    }
    await assertNothingIsLeft(folder, () => open(folder), /no such table: revocations/);
  });

  test('after a profile without owner_email', async (t) => {
    const folder = newFolder(t);
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, readFileSync(fixture('profile.yaml'), 'utf8').replace(/^owner_email: .*\n/m, ''));
    await assertNothingIsLeft(folder, () => open(folder, { PROFILE: profile }), /^OWNER_EMAIL: /);
  });
});
