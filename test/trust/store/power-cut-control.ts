import { DatabaseSync } from 'node:sqlite';

// Imported before the service: its database syncs less than it is told to, and denies it.
const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace('synchronous = 2', 'synchronous = 1'));
};
DatabaseSync.prototype.prepare = function (sql, ...options) {
  return prepare.call(this, sql === 'pragma synchronous' ? 'select 2' : sql, ...options);
};
