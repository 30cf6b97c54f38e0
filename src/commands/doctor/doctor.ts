import type { Command } from 'commander';
import { baseUrlOf, type Config, StartFault } from '../../service/config.ts';
import type { Finding } from './checkups.ts';

type Named = { readonly name: string } & Finding;

/** Adds `doctor`: looks at everything that the service depends on, and changes nothing. */
export function addDoctorTo(program: Command, configOf: () => Config): void {
  program
    .command('doctor')
    .description('check the settings and all that the service depends on, and say what to do')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nA line each: ok, warn or fail. The exit code is 1 where anything fails.')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await examine(configOf);
      if (json) console.log(JSON.stringify(findings, null, 2));
      else
        for (const { level, name, found, remedy } of findings)
          console.log(`${level.padEnd(4)}  ${name}: ${found}${remedy === null ? '' : `; ${remedy}`}`);
      // A mail server that never answers would keep the process alive.
      process.exit(findings.some(({ level }) => level === 'fail') ? 1 : 0);
    });
}

async function examine(configOf: () => Config): Promise<Named[]> {
  const here = await import('./checkups.ts');
  const there = await import('./network-checkups.ts');
  let config: Config;
  try {
    config = configOf();
  } catch (error) {
    if (!(error instanceof StartFault)) throw error;
    console.error('The rest is looked at once the settings are right.');
    return error.message.split('\n').map((line) => ({ name: 'settings', ...here.fail(line, null) }));
  }
  const baseUrl = baseUrlOf(config, config.port);
  const { findings: database, contents } = await here.readDatabase(config);
  const health = there.askHealth(baseUrl);
  const checkups: Record<string, Finding | Finding[] | Promise<Finding | Finding[]>> = {
    settings: here.ok('all are valid'),
    profile: here.checkProfile(config),
    data: here.checkDataDir(config),
    disk: here.checkDisk(config),
    database,
    outbox: contents === null ? [] : here.checkOutbox(contents),
    key: here.checkKey(config, contents),
    clock: health.then((answer) => there.checkClock(new Date(), contents, answer)),
    smtp: there.checkSmtp(config),
    tls: there.checkTls(config, baseUrl),
    proxy: there.checkProxy(config),
    address: health.then((answer) => there.checkAddress(config, baseUrl, answer)),
  };
  const findings = await Promise.all(
    Object.entries(checkups).map(async ([name, looking]) =>
      [await looking].flat().map((finding) => ({ name, ...finding })),
    ),
  );
  return findings.flat();
}
