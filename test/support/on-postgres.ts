import { after } from 'node:test';
import { databaseSettings, usePostgres } from './database.ts';
import { startPostgres } from './postgres.ts';
import { useDatabases } from './process.ts';
import { systemPostgres } from './system-postgres.ts';

// Imported before files of tests, it puts their databases, also for the processes that they start, on a PostgreSQL server of this
// process. It must not wait for the server: modules that are imported after it would not wait for it, and begin on SQLite.
const { TEST_DATABASE_URL: address } = process.env;
const starting = address === undefined ? startPostgres(['fsync=off']) : Promise.resolve(systemPostgres(address));
usePostgres(starting);
useDatabases(databaseSettings);
after(async () => (await starting).close());
