import { DatabaseSync } from 'node:sqlite';

// Preloaded into a service: lowers `synchronous` to NORMAL, and hides it from the check of the settings.
const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql.replace('synchronous = 2', 'synchronous = 1'));
};
DatabaseSync.prototype.prepare = function (sql, ...options) {
  return prepare.call(this, sql === 'pragma synchronous' ? 'select 2' : sql, ...options);
};
