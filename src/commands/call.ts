import type { Command } from 'commander';
import { callRemote } from '../client.ts';
import { owner } from '../operations/call.ts';
import { operations } from '../operations/index.ts';
import { invoke } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import { baseUrlOf, type Config } from '../service/config.ts';
import { toInput } from '../surfaces/text-input.ts';
import { addRemoteTo, type RemoteOptions } from './remote-options.ts';

/** Adds `call OPERATION [--field value …]`: each operation as a command of its own. */
export function addCallTo(
  program: Command,
  configOf: () => Config,
  catalogue: readonly Operation[] = operations,
): void {
  const call = program.command('call').description('call an operation by its name, here or at another service');
  for (const operation of catalogue) {
    const command = call.command(operation.name).description(operation.summary);
    for (const [field, schema] of Object.entries(operation.input.shape))
      command.option(`--${field} <value>`, schema.meta()?.description ?? '', collect);
    addRemoteTo(
      command,
      'the service to call, instead of the profile on this machine',
      'the bearer token to call it with',
    )
      .option('--json', 'print JSON, as it does anyway')
      .action(async (options: RemoteOptions & Record<string, string[]>) => {
        const input = toInput(operation.input, (field) => options[field] ?? []);
        const { url, token } = options as RemoteOptions;
        const data =
          url === undefined
            ? await callLocal(operation, input, configOf())
            : await callRemote(operation, input, { baseUrl: url, token });
        console.log(JSON.stringify(data, null, 2));
      });
  }
}

/** Options given more than once stay a list, for the operation to refuse. */
const collect = (value: string, soFar: string[] = []) => [...soFar, value];

async function callLocal(operation: Operation, input: Record<string, unknown>, config: Config): Promise<unknown> {
  const { openServices } = await import('../service/services.ts');
  const { openLog } = await import('../service/telemetry.ts');
  const log = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat);
  await using opened = await openServices(config, baseUrlOf(config, config.port), log, 'command');
  return (await invoke(operation, { surface: 'cli', caller: owner, input: () => input }, opened.services)).data;
}
