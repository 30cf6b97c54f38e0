import type { Command } from 'commander';
import { pluralize } from 'resume-profile/text';
import { toLocalTime } from '../operations/local-time.ts';
import { createSignInLink, signOutEverywhere } from '../operations/owner/sign-in.ts';
import { StartFault } from '../service/config/config.ts';
import { openOwner } from './database.ts';
import type { Io } from './terminal.ts';

export function addDeskTo(program: Command, io: Io): void {
  program
    .command('desk')
    .description('print a link to sign in at your desk; it works once, for 15 minutes')
    .option('--sign-out-all', 'end every session at the desk instead, and every link')
    .option('--json', 'print JSON')
    .action(({ signOutAll = false, json = false }: { signOutAll?: boolean; json?: boolean }) =>
      signOutAll ? signOut(io, json) : printLink(io, json),
    );
}

async function printLink(io: Io, isJson: boolean): Promise<void> {
  const { runningBaseUrl } = await import('../adapters/running-service.ts');
  const config = io.configOf();
  const running = await runningBaseUrl(config.dataDir);
  if (running === null && config.baseUrl === undefined && config.port === 0)
    throw new StartFault('PORT: is 0, so the address of the desk is not known; set it to the port that serve printed');
  await using owner = await openOwner(io, config, running ?? undefined);
  const { url, expiresAt } = await owner.run(createSignInLink, { path: '/desk' });
  io.console.log(isJson ? JSON.stringify({ url, expires_at: expiresAt.toISOString() }) : url);
  io.console.error(`Open it while the service runs. It works once, until ${toLocalTime(expiresAt)}.`);
}

async function signOut(io: Io, isJson: boolean): Promise<void> {
  await using owner = await openOwner(io);
  const { ended } = await owner.run(signOutEverywhere, {});
  if (isJson) io.console.log(JSON.stringify({ ended }));
  io.console.error(`Ended ${pluralize(ended, 'session')} at the desk, and every link that was not used.`);
}
