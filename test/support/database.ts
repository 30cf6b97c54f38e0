import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../../src/adapters/store/store.ts';
import { makeFolder } from './files.ts';
import { rowsOf } from './store.ts';

let migrated: Promise<Buffer> | undefined;

/** Writes an empty database with all its tables to a new file and returns its path: the migrations run once a process. */
export async function createDatabase(path: string): Promise<string> {
  migrated ??= migrate();
  writeFileSync(path, await migrated, { mode: 0o600 });
  return path;
}

/** Overwrites the root pages of a table and its indexes, so that each of its queries fails as corrupt. */
export function damageTable(path: string, table: string): void {
  const bytes = readFileSync(path);
  for (const { rootpage } of rowsOf(path, `select rootpage from sqlite_schema where tbl_name = '${table}'`))
    bytes.fill(0xff, (Number(rootpage) - 1) * 4_096, Number(rootpage) * 4_096);
  writeFileSync(path, bytes);
}

async function migrate(): Promise<Buffer> {
  const folder = makeFolder();
  const path = join(folder, 'empty.db');
  await (await openStore(openSqlite(path))).close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}
