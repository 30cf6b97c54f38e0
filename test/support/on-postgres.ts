import { after } from 'node:test';
import { usePostgres } from './database.ts';
import { startPostgres } from './postgres.ts';

// Imported before files of tests, it puts their databases on a PostgreSQL server of this process. It awaits nothing itself: the
// files imported after it would not wait for it, and would open their databases on SQLite.
const starting = startPostgres(['fsync=off']);
after(async () => (await starting).close());
usePostgres(starting);
