import { after } from 'node:test';
import { usePostgres } from './database.ts';
import { startPostgres } from './postgres.ts';
import { systemPostgres } from './system-postgres.ts';

// Imported before files of tests, it puts their databases on a PostgreSQL server of this process. It must not wait for the server:
// modules that are imported after it would not wait for it, and begin on SQLite.
const { TEST_DATABASE_URL: address } = process.env;
const starting = address === undefined ? startPostgres(['fsync=off']) : Promise.resolve(systemPostgres(address));
usePostgres(starting);
after(async () => (await starting).close());
