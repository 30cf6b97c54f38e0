import { type Command, Option } from 'commander';
import { readServiceAddress } from './service-address.ts';
import type { Io } from './terminal.ts';

/** The values of `--url`, without `/mcp` and a trailing slash, and of `--token`. */
export interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
}

/** Adds `--url` and `--token`. An invalid URL, a token without a URL and a missing token are wrong usage. */
export const addRemoteOptionsTo = (
  command: Command,
  { env }: Io,
  url: string,
  token: string,
  isTokenRequired = false,
): Command =>
  command
    .option('--url <address>', url)
    // Arguments are visible to every user of the machine in the list of processes.
    .addOption(new Option('--token <token>', token).env('CANDIDATE_PROFILE_TOKEN'))
    .hook('preAction', (_, called) => {
      const { url: address, token = env.CANDIDATE_PROFILE_TOKEN } = called.opts<RemoteOptions>();
      if (address === undefined) {
        if (called.getOptionValueSource('token') === 'cli') called.error('error: --token goes with --url');
        return;
      }
      const baseUrl = readServiceAddress(address);
      if (baseUrl === null)
        return called.error('error: --url must be the address of a service, such as https://profile.example.org');
      if (isTokenRequired && !token) called.error(tokenMissing(baseUrl));
      called.setOptionValueWithSource('url', baseUrl, 'cli');
      called.setOptionValueWithSource('token', token, 'env');
    });

const tokenMissing = (baseUrl: string): string =>
  `error: a token is missing: set CANDIDATE_PROFILE_TOKEN or --token. This prints one:
  curl -s ${baseUrl}/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'`;
