import { CompiledQuery, Kysely, type QueryResult } from 'kysely';
import type { Database } from '../../src/adapters/store/database.ts';

interface Statement extends CompiledQuery {
  /** How many rows it has inserted, updated or deleted. */
  readonly affected: number;
}

/** Returns a database that collects the statements that it has run, each changed before by `rewrite`. */
export function watched(database: Database, rewrite: (sql: string) => string | Promise<string> = (sql) => sql) {
  const { dialect: inner } = database;
  const statements: Statement[] = [];
  const dialect: Database['dialect'] = {
    createAdapter: () => inner.createAdapter(),
    createQueryCompiler: () => inner.createQueryCompiler(),
    createIntrospector: (db) => inner.createIntrospector(db),
    createDriver() {
      const driver = inner.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      driver.acquireConnection = async () => {
        const connection = await acquire();
        async function executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
          const result = await connection.executeQuery<Row>({ ...query, sql: await rewrite(query.sql) });
          statements.push({ ...query, affected: Number(result.numAffectedRows ?? result.rows.length) });
          return result;
        }
        // The driver gives connections back by a method of theirs.
        return new Proxy(connection, {
          get(target, name) {
            const value: unknown = name === 'executeQuery' ? executeQuery : Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      };
      return driver;
    },
  };
  return { database: { ...database, dialect }, statements };
}

/** Returns what the database says of how it runs a statement, after a text such as `explain`, as lines. */
export async function explain(
  database: Database,
  prefix: string,
  { sql: statement, parameters }: CompiledQuery,
): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: database.dialect });
  try {
    const { rows } = await db.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`${prefix} ${statement}`, [...parameters]),
    );
    return rows.map((row) => ` ${Object.values(row).at(-1)} `);
  } finally {
    await db.destroy();
  }
}
