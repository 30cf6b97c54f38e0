import type { Command } from 'commander';
import { operations } from '../operations/index.ts';
import { baseUrlOf } from '../service/config/config.ts';
import { version } from '../version.ts';
import { addRemoteOptionsTo, type RemoteOptions } from './remote-options.ts';
import type { Io } from './terminal.ts';

export function addMcpTo(program: Command, io: Io): void {
  const command = program
    .command('mcp')
    .description('serve MCP over stdio for the local profile or, with --url, as a bridge to a service');
  addRemoteOptionsTo(command, io, 'the service to connect to', 'the bearer token for it', true).action(
    ({ url, token = '' }: RemoteOptions) => (url === undefined ? serveProfile(io) : bridgeTo(url, token, io)),
  );
}

/** Resolves when the client or the service has closed the connection. */
async function bridgeTo(baseUrl: string, token: string, { stdin, stdout }: Io): Promise<void> {
  const { openMcpBridge } = await import('../surfaces/mcp/bridge.ts');
  const { stdioTransport } = await import('../surfaces/mcp/stdio-transport.ts');
  await (await openMcpBridge({ baseUrl, token, version }, stdioTransport(stdin, stdout))).closed;
}

/** Resolves when the client has closed standard input, or on SIGTERM or SIGINT. */
async function serveProfile({ stdin, stdout, stderr, configOf }: Io): Promise<void> {
  const config = configOf();
  const { openServices } = await import('../service/services.ts');
  const { openLog } = await import('../service/log.ts');
  const { openMcpStdio } = await import('../surfaces/mcp/stdio.ts');
  const { stdioTransport } = await import('../surfaces/mcp/stdio-transport.ts');
  const baseUrl = baseUrlOf(config, config.port);
  using log = openLog(config.logLevel, config.logFormat, stderr);
  // There is no proxy in between that would give up sooner.
  await using opened = await openServices(config, baseUrl, log, 'stdio', { waitMilliseconds: 60_000 });
  const { services } = opened;
  const resumePrinted = () => opened.resumeFile.write(opened.profile.current());
  void resumePrinted();
  const stdio = openMcpStdio(
    {
      ...{ operations, services, mutations: config.mcpMutations, baseUrl, version, resumePrinted },
      // Without BASE_URL, this process cannot know whether the service runs.
      pageUrl: config.baseUrl ?? null,
    },
    stdioTransport(stdin, stdout),
  );
  opened.onChanges((changes) => {
    const whole = changes.get(null);
    if (whole !== undefined) stdio.notify(whole);
  });
  opened.onReload(() => {
    opened.prints.update();
    void resumePrinted();
  });
  const close = () => void stdio.close();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, close);
  await stdio.closed;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, close);
}
