import { existsSync, readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { Failure } from '../model/failure.ts';
import { toVisible } from '../model/visible-text.ts';
import { readConfig } from '../service/config/config.ts';
import { envFileWarnings, environmentWarnings } from '../service/config/env-file.ts';
import { Settings } from '../service/config/settings.ts';
import { createProgram } from './program.ts';
import { inColour } from './terminal.ts';

/** Runs the command that the arguments of the process name. Ends the process if that fails. */
export async function runCommandLine(): Promise<void> {
  try {
    loadEnvironment();
    await createProgram((env = process.env) => readConfig(env, process.cwd())).parseAsync();
  } catch (error) {
    // What was opened before the fault, such as the port, would keep the process alive.
    process.exit(exitCodeOf(error));
  }
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
  const text = error instanceof Failure ? `${error.code}: ${error.message}` : (error as Error).message;
  // It may quote an answer of another service, or what was typed.
  console.error(inColour('error', toVisible(text), process.stderr));
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return error instanceof Failure && error.code === 'BAD_REQUEST' ? 2 : 1;
}
