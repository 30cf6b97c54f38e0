#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBackupTo } from './commands/backup.ts';
import { addCallTo } from './commands/call.ts';
import { addContactsTo } from './commands/contacts.ts';
import { addDoctorTo } from './commands/doctor/doctor.ts';
import { addExportTo } from './commands/export.ts';
import { addHelpTo } from './commands/help.ts';
import { addImportTo } from './commands/import.ts';
import { addInitTo } from './commands/init/init.ts';
import { addKeysTo } from './commands/keys.ts';
import { addOutboxTo } from './commands/outbox.ts';
import { addRemoteTo, type RemoteOptions } from './commands/remote-options.ts';
import { addRestoreTo } from './commands/restore.ts';
import { addTokensTo } from './commands/tokens.ts';
import { Failure } from './model/failure.ts';
import { operations } from './operations/index.ts';
import { readConfig } from './service/config.ts';
import { envFileWarnings, environmentWarnings } from './service/env-file.ts';
import { Settings } from './service/settings.ts';
import { version } from './version.ts';

const config = () => readConfig(process.env, process.cwd());

const program = new Command('candidate-profile')
  .description('Your professional profile as a service that you own.')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'candidate-profile: ')) });

// Each command is loaded when it is called: most need little of what the service needs.
program
  .command('serve')
  .description('serve the profile over REST and MCP')
  .action(async () => (await import('./commands/serve.ts')).serve(config()));
addRemoteTo(
  program
    .command('mcp')
    .description('speak MCP over stdio, for the profile here or, with --url, for a service elsewhere'),
  'the service to be a bridge to',
  'the bearer token for it',
  true,
).action(async (options: RemoteOptions) => (await import('./commands/mcp.ts')).mcp(options, config));
program
  .command('check')
  .description('check a profile document')
  .argument('[file]', 'the document; PROFILE where none is given')
  .option('--json', 'print the faults and warnings as JSON')
  .action(async (file: string | undefined, { json = false }: { json?: boolean }) => {
    // A file is good or not whatever the settings are, but for those of the PDF.
    const settings = Object.entries(process.env).filter(([name]) => !file || /^(PDF_|FONT_DIR$)/.test(name));
    const config = readConfig(Object.fromEntries(settings), process.cwd());
    await (await import('./commands/check.ts')).check(file ?? config.profilePath, json, config);
  });
program
  .command('openapi')
  .description('print the OpenAPI description, which is JSON')
  .option('--json', 'the same')
  .action(async () => (await import('./commands/openapi.ts')).openapi(config()));
addImportTo(program);
addExportTo(program, config);
addInitTo(program);
addContactsTo(program, config);
addOutboxTo(program, config);
addTokensTo(program, config);
addKeysTo(program, config);
addBackupTo(program, config);
addRestoreTo(program, config);
addDoctorTo(program, config);
addCallTo(program, operations, config);
addHelpTo(program);

try {
  loadEnvironment();
  await program.parseAsync();
} catch (error) {
  // What was opened before the fault, such as the port, would keep the process alive.
  process.exit(exitCodeOf(error));
}

/** Adds what `.env` sets to the environment, and says on stderr which names and lines were probably meant to set something. */
function loadEnvironment(): void {
  const settings = Object.keys(Settings.shape);
  const warnings = environmentWarnings(Object.keys(process.env), settings);
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
    warnings.push(...envFileWarnings(readFileSync('.env', 'utf8'), settings));
  }
  for (const warning of warnings) console.error(warning);
}

/** Returns 0 for what was asked to be shown, 1 for what failed, 2 for wrong usage; says why on stderr. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Failure ? `${error.code}: ${error.message}` : (error as Error).message);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return error instanceof Failure && error.code === 'BAD_REQUEST' ? 2 : 1;
}
