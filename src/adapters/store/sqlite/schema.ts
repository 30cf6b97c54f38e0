import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { applyMigrations } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { dialectOf } from './dialect.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** Throws an error that names the first difference between a database's schema and what the applied migrations create. */
export async function refuseAltered(database: DatabaseSync, applied: readonly string[]): Promise<void> {
  const difference = differenceBetween(schemaOf(database), await schemaAfter(applied));
  if (difference !== null) throw new Error(`its schema is not the one that candidate-profile makes: ${difference}`);
}

function differenceBetween(found: readonly SchemaRow[], expected: readonly SchemaRow[]): string | null {
  for (const row of found) {
    const same = expected.find(isNamedAs(row));
    if (same === undefined) return `${describe(row)} was added`;
    if (same.tbl_name !== row.tbl_name || same.sql !== row.sql) return `${describe(row)} was changed`;
  }
  const missing = expected.find((row) => !found.some(isNamedAs(row)));
  return missing === undefined ? null : `${describe(missing)} is missing`;
}

const isNamedAs = (one: SchemaRow) => (other: SchemaRow) => one.type === other.type && one.name === other.name;

/** Returns the type and name without characters that could control a terminal. */
const describe = ({ type, name }: SchemaRow) => `${type} ${name.slice(0, 60).replace(/\W/g, '?')}`;

async function schemaAfter(applied: readonly string[]): Promise<SchemaRow[]> {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Tables>({ dialect: dialectOf(database) });
  try {
    await applyMigrations(db, applied);
    return schemaOf(database);
  } finally {
    await db.destroy();
  }
}

/** Returns the schema without the tables of ANALYZE. Only tables are left out: somebody may have given a trigger such a name. */
function schemaOf(database: DatabaseSync): SchemaRow[] {
  const rows = database.prepare('select type, name, tbl_name, sql from sqlite_schema').all() as unknown as SchemaRow[];
  return rows.filter(({ type, name }) => type !== 'table' || !/^sqlite_stat\d$/.test(name));
}
