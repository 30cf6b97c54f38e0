import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openKeys } from './adapters/keys.ts';
import { openSqlite } from './adapters/sqlite.ts';
import { openStore } from './adapters/store.ts';
import { openTokens } from './adapters/tokens.ts';
import { baseUrlOf, type Config, StartFault } from './config.ts';

/** What DATA_DIR and the database hold: all that an owner's command needs, beside a running service too. */
export async function openOwnersStore(
  config: Config,
  baseUrl: string = baseUrlOf(config, config.port),
  onMailQueued: () => void = () => {},
) {
  openDirectory(config.dataDir);
  const now = () => new Date();
  const keys = await openKeys({ signingKey: config.signingKey, dataDir: config.dataDir, now });
  const store = await openStore(openSqlite(config.databasePath), { onMailQueued });
  const tokens = await openTokens({ keys, baseUrl, ttlSeconds: config.tokenTtlSeconds, store, now });
  return { keys, store, tokens, close: () => store.close() };
}

function openDirectory(path: string): void {
  try {
    makeDirectory(path);
    rmdirSync(mkdtempSync(join(path, 'probe-')));
  } catch (error) {
    throw new StartFault(`DATA_DIR: cannot be written: ${(error as Error).message}`);
  }
}

/** As `mkdir -p`: that of Node never comes back where the file system takes no folders at all, as `/proc`. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
