import type { Command } from 'commander';
import type { Config } from '../../service/config.ts';

/** Adds `serve`: REST, MCP and the resume PDF over HTTP. */
export function addServeTo(program: Command, configOf: () => Config): void {
  program
    .command('serve')
    .description('serve the profile over REST and MCP')
    .action(async () => (await import('./run.ts')).serve(configOf()));
}
