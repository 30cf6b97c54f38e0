import { existsSync, readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { toVisible } from 'resume-profile/text';
import { Failure } from '../model/failure.ts';
import { type Config, readConfig } from '../service/config/config.ts';
import { envFileWarnings, environmentWarnings } from '../service/config/env-file.ts';
import { Settings } from '../service/config/settings.ts';
import { programName } from '../service/program-name.ts';
import { version } from '../version.ts';
import { addBackupTo, addRestoreTo } from './backup.ts';
import { addCallTo } from './call.ts';
import { addCheckTo } from './check.ts';
import { addContactsTo } from './contacts.ts';
import { addDeskTo } from './desk.ts';
import { addDoctorTo } from './doctor/doctor.ts';
import { addExportTo } from './export.ts';
import { addExamplesTo, addHelpTo, addSettingsTo } from './help.ts';
import { addHistoryTo } from './history.ts';
import { addImportTo } from './import.ts';
import { addInitTo } from './init.ts';
import { addKeysTo } from './keys.ts';
import { addLetterTo } from './letter.ts';
import { addMcpTo } from './mcp.ts';
import { addMigrateStoreTo } from './migrate-store.ts';
import { addOpenapiTo } from './openapi.ts';
import { addOutboxTo } from './outbox.ts';
import { addServeTo } from './serve/serve.ts';
import { addShareTo } from './share.ts';
import { addNoColorTo, inColour } from './terminal.ts';
import { addTokensTo } from './tokens.ts';

/** Runs the command that the arguments of the process name. Ends the process if that fails. */
export async function runCommandLine(): Promise<void> {
  try {
    loadEnvironment();
    await createProgram((env = process.env) => readConfig(env, process.cwd())).parseAsync();
  } catch (error) {
    // A port that was opened before the fault would keep the process alive.
    process.exit(exitCodeOf(error));
  }
}

/** Adds the settings in `.env` to the environment, and warns of names and lines that are almost settings. */
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
  const text = error instanceof Failure ? `${error.code}: ${error.message}` : (error as Error).message;
  // It may quote an answer of another service, or what was typed.
  console.error(inColour('error', toVisible(text), process.stderr));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return error instanceof Failure && error.code === 'BAD_REQUEST' ? 2 : 1;
}

// Each command imports what it needs in its action: most need little of what the service needs.
const commands = {
  'Serving:': [addServeTo, addMcpTo, addDoctorTo],
  'Your profile:': [addInitTo, addImportTo, addCheckTo, addExportTo, addLetterTo, addHistoryTo],
  'Your visitors:': [addDeskTo, addShareTo, addContactsTo, addTokensTo, addOutboxTo],
  'Keys and data:': [addKeysTo, addBackupTo, addRestoreTo, addMigrateStoreTo],
  'For programs:': [addCallTo, addOpenapiTo],
  'Help:': [addHelpTo],
};

/** Returns the command line, which throws instead of ending the process; commands that need settings call `configOf`. */
export function createProgram(configOf: (env?: NodeJS.ProcessEnv) => Config): Command {
  const program = new Command(programName)
    .description('Your professional profile as a service that you own.')
    .version(version)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => inColour('heading', title) })
    .configureOutput({
      outputError: (text, write) =>
        write(inColour('error', toVisible(text.replace(/^error: /, 'candidate-profile: ')), process.stderr)),
    });
  addNoColorTo(program);
  for (const [heading, additions] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const addTo of additions) addTo(program, configOf);
  }
  addExamplesTo(program);
  return addSettingsTo(program);
}
