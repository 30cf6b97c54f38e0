import type { Command } from 'commander';
import { operations } from '../operations/index.ts';
import { offeredIn } from '../operations/operation.ts';
import { baseUrlOf } from '../service/config/config.ts';
import type { Io } from './terminal.ts';

export function addOpenapiTo(program: Command, io: Io): void {
  program
    .command('openapi')
    .description('print the OpenAPI description of the REST API as JSON')
    .option('--json', 'print JSON, which is the default')
    .action(async () => {
      const { readProfileAt } = await import('../adapters/profile/profile-file.ts');
      const { openSample } = await import('../service/sample.ts');
      const config = io.configOf();
      const { profile, faults } = await readProfileAt(config.profile);
      if (profile === null) throw new Error(faults.join('\n'));
      const { openApi } = openSample(baseUrlOf(config, config.port), config);
      io.console.log(JSON.stringify(await openApi(offeredIn(operations, profile)), null, 2));
    });
}
