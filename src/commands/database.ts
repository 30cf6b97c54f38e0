import { pluralize } from 'resume-profile/text';
import type { Contents } from '../adapters/store/contents.ts';
import { invokerFor } from '../operations/owner/operation.ts';
import { baseUrlOf, type Config } from '../service/config/config.ts';
import type { StateOptions } from '../service/state.ts';
import { type Io, withProgress } from './terminal.ts';

/** Opens DATA_DIR and the database; loads the store lazily, because most commands do not need it. */
export async function openState({ console }: Io, config: Config, options: StateOptions = {}) {
  const { commandLogOf, openState } = await import('../service/state.ts');
  return openState(config, { log: commandLogOf(console), ...options });
}

/** Opens the store and returns a runner of the owner's operations, even while a service runs. */
export async function openOwner(io: Io, config: Config = io.configOf(), baseUrl = baseUrlOf(config, config.port)) {
  const { mailsPerHourOf } = await import('../model/notice.ts');
  const { commandLogOf } = await import('../service/state.ts');
  const { ownerServicesOf } = await import('../service/owner/services.ts');
  const state = await openState(io, config, { baseUrl, mailsPerHour: mailsPerHourOf(config.limits) });
  const services = ownerServicesOf(config, state, {
    baseUrl,
    audit: state.auditLog.append,
    log: commandLogOf(io.console),
    whileScrubbing: (scrub) => withProgress(io, 'Rewriting the database', scrub),
  });
  return {
    run: invokerFor(services),
    auditLog: state.auditLog,
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

/** Returns the path of the SQLite database. Throws one line that names `instead` if the database is PostgreSQL. */
export function databaseFileOf({ database }: Config, instead: string): string {
  if ('file' in database) return database.file;
  throw new Error(`${database.name} is a PostgreSQL database, not a file: use ${instead}`);
}

/** Returns a summary by which a person recognizes a database: `3 contacts, 1 token, 0 mails waiting`. */
export const summaryOf = ({ contacts, tokens, waiting }: Contents): string =>
  `${pluralize(contacts, 'contact')}, ${pluralize(tokens, 'token')}, ${pluralize(waiting, 'mail')} waiting`;
