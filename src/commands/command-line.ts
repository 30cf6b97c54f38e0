import { Console } from 'node:console';
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, CommanderError } from 'commander';
import { toVisible } from 'resume-profile/text';
import { Failure } from '../model/failure.ts';
import { readConfig } from '../service/config/config.ts';
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
import { addNoColorTo, Exit, type Io, inColour, type Surroundings } from './terminal.ts';
import { addTokensTo } from './tokens.ts';

/** Runs the command that arguments name, in the process's working folder. Returns an exit code if the process must exit now. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number | null> {
  const { env, stdout, stderr, stop } = surroundings;
  const io: Io = {
    ...{ env, stdout, stderr, ...(stop !== undefined && { stop }) },
    // Read only by commands that need it, because reading opens the process's standard input.
    get stdin() {
      return surroundings.stdin;
    },
    console: new Console({ stdout, stderr }),
    configOf: (settings = env) => readConfig(settings, process.cwd()),
  };
  try {
    loadEnvironment(io);
    await createProgram(io).parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    return exitCodeOf(error, io);
  }
}

/** Adds the settings in `.env` to the environment, and warns of names and lines that resemble settings. */
function loadEnvironment({ env, console }: Io): void {
  const settings = Object.keys(Settings.shape);
  const warnings = environmentWarnings(Object.keys(env), settings);
  if (existsSync('.env')) {
    const text = readFileSync('.env', 'utf8');
    for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
    warnings.push(...envFileWarnings(text, settings));
  }
  for (const warning of warnings) console.error(warning);
}

/** Returns 0 after help or the version, 1 if the command failed, 2 for wrong usage; prints the reason on stderr. */
function exitCodeOf(error: unknown, { env, stderr, console }: Io): number {
  if (error instanceof Exit) return error.code;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const text = error instanceof Failure ? `${error.code}: ${error.message}` : (error as Error).message;
  // The text may quote another service's answer, or the typed arguments.
  console.error(inColour('error', toVisible(text), stderr));
  if (env.LOG_LEVEL === 'debug') console.error(error);
  return error instanceof Failure && error.code === 'BAD_REQUEST' ? 2 : 1;
}

// Each command imports its modules in its action, because most commands need few of the service's modules.
const commands = {
  'Serving:': [addServeTo, addMcpTo, addDoctorTo],
  'Your profile:': [addInitTo, addImportTo, addCheckTo, addExportTo, addLetterTo, addHistoryTo],
  'Your visitors:': [addDeskTo, addShareTo, addContactsTo, addTokensTo, addOutboxTo],
  'Keys and data:': [addKeysTo, addBackupTo, addRestoreTo, addMigrateStoreTo],
  'For programs:': [addCallTo, addOpenapiTo],
  'Help:': [addHelpTo],
};

/** Returns the command line, which throws instead of ending the process. */
export function createProgram(io: Io): Command {
  const { stdout, stderr } = io;
  const program = new Command(programName)
    .description('Your professional profile as a service that you own.')
    .version(version)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => inColour('heading', title, stdout) })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) =>
        write(inColour('error', toVisible(text.replace(/^error: /, 'candidate-profile: ')), stderr)),
    });
  addNoColorTo(program, io);
  for (const [heading, additions] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const addTo of additions) addTo(program, io);
  }
  addExamplesTo(program, io);
  return addSettingsTo(program, io);
}
