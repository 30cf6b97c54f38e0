import type { Command } from 'commander';
import { baseUrlOf, type Config, StartFault } from '../../service/config/config.ts';
import { Exit, type Io, inColour } from '../terminal.ts';
import type { Finding } from './local-checks.ts';

const colours = { ok: 'ok', warn: 'warning', fail: 'error' } as const;

type NamedFinding = { readonly name: string } & Finding;

export function addDoctorTo(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('check the settings and all that the service depends on, and say what to do')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nPrints a line for each finding: ok, warn or fail. The exit code is 1 if a check fails.')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await runChecks(io);
      if (json) io.console.log(JSON.stringify(findings, null, 2));
      else
        for (const { level, name, found, remedy } of findings)
          io.console.log(
            `${inColour(colours[level], level.padEnd(4), io.stdout)}  ${name}: ${found}${remedy === null ? '' : `; ${remedy}`}`,
          );
      // A connection to a mail server that never responds would keep the process alive.
      throw new Exit(findings.some(({ level }) => level === 'fail') ? 1 : 0);
    });
}

async function runChecks({ configOf, console }: Io): Promise<NamedFinding[]> {
  const local = await import('./local-checks.ts');
  let config: Config;
  try {
    config = configOf();
  } catch (error) {
    if (!(error instanceof StartFault)) throw error;
    console.error('The rest is checked once the settings are valid.');
    return error.message.split('\n').map((line) => ({ name: 'settings', ...local.fail(line, null) }));
  }
  const { loadTypst } = await import('resume-documents/pdf/typst');
  const { loadResvg } = await import('../../adapters/svg-renderer.ts');
  const network = await import('./network-checks.ts');
  const baseUrl = baseUrlOf(config, config.port);
  const { findings: database, contents } = await local.checkDatabase(config);
  const health = network.fetchHealth(baseUrl);
  const checks: Record<string, Finding | Finding[] | Promise<Finding | Finding[]>> = {
    settings: local.ok('all are valid'),
    profile: local.checkProfile(config),
    data: local.checkDataDir(config),
    disk: local.checkDisk(config),
    database,
    outbox: contents === null ? [] : local.checkOutbox(contents),
    key: local.checkKey(config, contents),
    clock: health.then((response) => network.checkClock(new Date(), contents, response)),
    smtp: local.readOwner(config).then((owner) => network.checkSmtp(config, baseUrl, owner)),
    tls: network.checkTls(config, baseUrl),
    proxy: network.checkProxy(config),
    oauth: network.checkClientDocuments(config).then((found) => [local.checkOauth(config, baseUrl), ...found]),
    pdf: local.checkNative(loadTypst, 'can be printed'),
    picture: local.checkNative(loadResvg, 'can be drawn'),
    address: health.then((response) => network.checkAddress(config, baseUrl, response)),
  };
  const findings = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [await check].flat().map((finding) => ({ name, ...finding }))),
  );
  return findings.flat();
}
