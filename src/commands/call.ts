import type { Command } from 'commander';
import { callRemote } from '../client.ts';
import { Failure } from '../model/failure.ts';
import { owner } from '../operations/call.ts';
import { operations } from '../operations/index.ts';
import { invoke, toInput } from '../operations/invoke.ts';
import { isOffered, type Operation } from '../operations/operation.ts';
import { baseUrlOf } from '../service/config/config.ts';
import { addRemoteOptionsTo, type RemoteOptions } from './remote-options.ts';
import type { Io } from './terminal.ts';

export function addCallTo(program: Command, io: Io, catalogue: readonly Operation[] = operations): void {
  const call = program
    .command('call')
    .description('call an operation by its name, for the local profile or at a service');
  for (const operation of catalogue) {
    const command = call.command(operation.name).description(operation.summary);
    for (const [field, schema] of Object.entries(operation.input.shape))
      command.option(`--${field} <value>`, schema.meta()?.description ?? '', collect);
    addRemoteOptionsTo(
      command,
      io,
      'the service to call instead of the local profile',
      'the bearer token to call it with',
    )
      .option('--json', 'print JSON, which is the default')
      .action(async (options: RemoteOptions & Record<string, string[]>) => {
        const input = toInput(operation.input, (field) => options[field] ?? []);
        const { url, token } = options as RemoteOptions;
        const data =
          url === undefined
            ? await callLocal(operation, input, io)
            : await callRemote(operation, input, { baseUrl: url, token });
        io.console.log(JSON.stringify(data, null, 2));
      });
  }
}

/** Collects the values of a repeated option, which the operation refuses. */
const collect = (value: string, soFar: string[] = []) => [...soFar, value];

async function callLocal(operation: Operation, input: Record<string, unknown>, io: Io): Promise<unknown> {
  const config = io.configOf();
  const { openServices } = await import('../service/services.ts');
  const { openLog } = await import('../service/log.ts');
  using log = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.logFormat, io.stderr);
  await using opened = await openServices(config, baseUrlOf(config, config.port), log, 'command');
  const { services } = opened;
  if (!isOffered(operation, null, services))
    throw new Failure('NOT_FOUND', `The profile does not offer ${operation.name}.`);
  return (await invoke(operation, { surface: 'cli', caller: owner, input: () => input }, services)).data;
}
