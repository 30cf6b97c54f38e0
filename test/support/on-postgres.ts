import { after } from 'node:test';
import { usePostgres } from './database.ts';
import { startPostgres } from './postgres.ts';

// Imported before files of tests, it puts their databases on a PostgreSQL server of this process.
const server = await startPostgres(['fsync=off']);
after(() => server.close());
usePostgres(server);
