import type { Command } from 'commander';
import { operations } from '../operations/index.ts';
import { baseUrlOf, type Config } from '../service/config.ts';

/** Adds `openapi`: the OpenAPI description, the same as at `/openapi.json`. */
export function addOpenapiTo(program: Command, configOf: () => Config): void {
  program
    .command('openapi')
    .description('print the OpenAPI description of the REST API as JSON')
    .option('--json', 'print JSON, which is the default')
    .action(async () => {
      const { toOpenApi } = await import('../surfaces/rest/openapi.ts');
      const { openSample } = await import('../service/sample.ts');
      const config = configOf();
      const baseUrl = baseUrlOf(config, config.port);
      const { examples } = openSample(baseUrl);
      console.log(JSON.stringify(toOpenApi(operations, baseUrl, await examples(), config.recordsReads), null, 2));
    });
}
