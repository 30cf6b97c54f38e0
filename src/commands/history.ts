import type { Command } from 'commander';
import { pluralize } from 'resume-profile/text';
import { Failure } from '../model/failure.ts';
import type { DocumentVersion } from '../model/profile/document-state.ts';
import {
  eraseHistory,
  getProfileDocument,
  getVersion,
  listVersions,
  restoreVersion,
} from '../operations/owner/profile.ts';
import { toCommandLine } from '../service/program-name.ts';
import { openOwner } from './database.ts';
import { addListTo, printJson, printList } from './list.ts';
import { confirm, type Io } from './terminal.ts';

interface HistoryOptions {
  readonly json?: boolean;
  readonly yes?: boolean;
}

export function addHistoryTo(program: Command, io: Io): void {
  const history = program.command('history').description('list the versions of the profile document, and restore one');
  addListTo(history.command('list').description('list the versions that are kept, the newest first'), ({ json }) =>
    list(io, json),
  );
  history
    .command('show')
    .description('print the text of a version')
    .argument('<id>', 'its number, as the list shows it')
    .option('--json', 'print JSON')
    .action((id: string, { json = false }: HistoryOptions, command: Command) => show(io, readId(id, command), json));
  history
    .command('restore')
    .description('publish a version again; the text that it replaces is kept as a version, too')
    .argument('<id>', 'its number, as the list shows it')
    .option('--json', 'print as JSON what was restored')
    .action((id: string, { json = false }: HistoryOptions, command: Command) => restore(io, readId(id, command), json));
  history
    .command('erase')
    .description('erase every version, but not the document; asks first on a terminal')
    .option('--yes', 'do not ask')
    .option('--json', 'print as JSON how many were erased')
    .action((options: HistoryOptions) => erase(io, options));
}

const readId = (text: string, command: Command): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : command.error('error: the id must be a number from the list');

const toRecord = ({ at, ...version }: Omit<DocumentVersion, 'text'>) => ({ ...version, at: at.toISOString() });

async function list(io: Io, isJson?: boolean): Promise<void> {
  await using owner = await openOwner(io);
  await printList(io, (await owner.run(listVersions, {})).map(toRecord), { isJson }, [
    ['id', 'whole', ({ id }) => String(id)],
    ['at', 'time', 'at'],
    ['kind', 'whole', 'kind'],
    ['bytes', 'whole', ({ bytes }) => String(bytes)],
  ]);
}

async function show(io: Io, id: number, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const { version } = await owner.run(getVersion, { id }).catch(explainMissing(id));
  if (isJson) printJson(io, { ...toRecord(version), text: version.text });
  else io.stdout.write(version.text);
}

async function restore(io: Io, id: number, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const { name, revision } = await owner.run(getProfileDocument, {});
  const { refusal } = await owner.run(restoreVersion, { id, base_revision: revision }).catch(explainMissing(id));
  if (refusal !== null) throw new Error(`${name} was not changed: ${refusal.message}`);
  if (isJson) io.console.log(JSON.stringify({ id, name }));
  io.console.error(`${name} has version ${id} again. A running service serves it within a second.`);
}

const explainMissing =
  (id: number) =>
  (error: unknown): never => {
    if (!(error instanceof Failure && error.code === 'NOT_FOUND')) throw error;
    throw new Error(`No version has the id ${id}. To list them: ${toCommandLine('history', 'list')}`);
  };

async function erase(io: Io, { json: isJson = false, yes }: HistoryOptions): Promise<void> {
  const config = io.configOf();
  await using owner = await openOwner(io, config);
  await confirm(
    io,
    async () => {
      const { length } = await owner.run(listVersions, {});
      return length === 0
        ? null
        : `This erases ${pluralize(length, 'version')} from ${config.database.name}, but not the document. It cannot be undone.`;
    },
    yes,
  );
  const { erased, left } = await owner.run(eraseHistory, {});
  if (left !== null) throw new Error(left);
  if (isJson) io.console.log(JSON.stringify({ erased }));
  io.console.error(`Erased: versions ${erased}. Backups made before still hold them.`);
}
