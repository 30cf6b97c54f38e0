import type { Command } from 'commander';
import { operations } from '../operations/index.ts';
import { baseUrlOf, type Config } from '../service/config.ts';

/** Adds `openapi`: the OpenAPI description, the same as at `/openapi.json`. */
export function addOpenapiTo(program: Command, configOf: () => Config): void {
  program
    .command('openapi')
    .description('print the OpenAPI description, which is JSON')
    .option('--json', 'the same')
    .action(async () => {
      const { toOpenApi } = await import('../surfaces/rest/openapi.ts');
      const config = configOf();
      console.log(JSON.stringify(toOpenApi(operations, baseUrlOf(config, config.port)), null, 2));
    });
}
