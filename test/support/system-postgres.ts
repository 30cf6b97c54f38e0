import { randomBytes } from 'node:crypto';
import { runSql } from './postgres.ts';

/** Makes databases on a server that is there already, by the address of one of its databases, and drops them at the end. */
export function systemPostgres(address: string) {
  const names: string[] = [];
  const urlOf = (name: string) => {
    const url = new URL(address);
    url.pathname = `/${name}`;
    return url.href;
  };
  return {
    async createDatabase(template?: string): Promise<string> {
      const name = `candidate_profile_test_${randomBytes(6).toString('hex')}`;
      const source = template === undefined ? 'template0' : new URL(template).pathname.slice(1);
      await runSql(address, `create database ${name} template ${source} encoding 'UTF8'`);
      names.push(name);
      return urlOf(name);
    },
    async close(): Promise<void> {
      for (const name of names) await runSql(address, `drop database ${name} with (force)`);
    },
  };
}
