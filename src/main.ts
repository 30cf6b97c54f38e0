#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBackupTo } from './commands/backup.ts';
import { addCallTo } from './commands/call.ts';
import { addCheckTo } from './commands/check.ts';
import { addContactsTo } from './commands/contacts.ts';
import { addDoctorTo } from './commands/doctor/doctor.ts';
import { addExportTo } from './commands/export.ts';
import { addHelpTo } from './commands/help.ts';
import { addImportTo } from './commands/import.ts';
import { addInitTo } from './commands/init/init.ts';
import { addKeysTo } from './commands/keys.ts';
import { addMcpTo } from './commands/mcp.ts';
import { addOpenapiTo } from './commands/openapi.ts';
import { addOutboxTo } from './commands/outbox.ts';
import { addRestoreTo } from './commands/restore.ts';
import { addServeTo } from './commands/serve/serve.ts';
import { addNoColorTo, inColour } from './commands/terminal/colour.ts';
import { addTokensTo } from './commands/tokens.ts';
import { Failure } from './model/failure.ts';
import { readConfig } from './service/config.ts';
import { envFileWarnings, environmentWarnings } from './service/env-file.ts';
import { programName } from './service/program-name.ts';
import { Settings } from './service/settings.ts';
import { version } from './version.ts';

const configOf = (env = process.env) => readConfig(env, process.cwd());

// Each command imports what it needs in its action: most need little of what the service needs.
const commands = {
  'Serving:': [addServeTo, addMcpTo, addDoctorTo],
  'Your profile:': [addInitTo, addImportTo, addCheckTo, addExportTo],
  'Your visitors:': [addContactsTo, addTokensTo, addOutboxTo],
  'Keys and data:': [addKeysTo, addBackupTo, addRestoreTo],
  'For programs:': [addCallTo, addOpenapiTo],
  'Help:': [addHelpTo],
};

const program = new Command(programName)
  .description('Your professional profile as a service that you own.')
  .version(version)
  .exitOverride()
  .configureHelp({ styleTitle: (title) => inColour('heading', title) })
  .configureOutput({
    outputError: (text, write) => write(toErrorText(text.replace(/^error: /, 'candidate-profile: '))),
  });
addNoColorTo(program);
for (const [heading, additions] of Object.entries(commands)) {
  program.commandsGroup(heading);
  for (const addTo of additions) addTo(program, configOf);
}

try {
  loadEnvironment();
  await program.parseAsync();
} catch (error) {
  // What was opened before the fault, such as the port, would keep the process alive.
  process.exit(exitCodeOf(error));
}

function toErrorText(text: string): string {
  return inColour('error', text, process.stderr);
}

/** Adds what `.env` sets to the environment, and warns on stderr of names and lines that were probably meant to set something. */
function loadEnvironment(): void {
  const settings = Object.keys(Settings.shape);
  const warnings = environmentWarnings(Object.keys(process.env), settings);
  if (existsSync('.env')) {
    process.loadEnvFile('.env');
    warnings.push(...envFileWarnings(readFileSync('.env', 'utf8'), settings));
  }
  for (const warning of warnings) console.error(warning);
}

/** Returns 0 if help or the version was asked for, 1 if the command failed, 2 for wrong usage; says why on stderr. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(toErrorText(error instanceof Failure ? `${error.code}: ${error.message}` : (error as Error).message));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return error instanceof Failure && error.code === 'BAD_REQUEST' ? 2 : 1;
}
