import { type Command, Option } from 'commander';

/** A service elsewhere, as `--url` and `--token` name it; undefined where neither is given. */
export interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
}

/** Adds `--url` and `--token`. A wrong address, a token without one, or a missing token that is needed, is wrong usage. */
export const addRemoteTo = (command: Command, url: string, token: string, isTokenNeeded = false): Command =>
  command
    .option('--url <address>', url)
    // Arguments stand in the list of processes, where everybody on the machine reads them.
    .addOption(new Option('--token <token>', token).env('CANDIDATE_PROFILE_TOKEN'))
    .hook('preAction', (_, called) => {
      const { url: address, token } = called.opts<RemoteOptions>();
      if (address === undefined) {
        if (called.getOptionValueSource('token') === 'cli') called.error('error: --token goes with --url');
        return;
      }
      if (!/^https?:\/\//.test(URL.parse(address)?.href ?? ''))
        called.error('error: --url must be the address of a service, such as https://profile.example.org');
      const baseUrl = withoutMcp(address);
      if (isTokenNeeded && !token) called.error(tokenMissing(baseUrl));
      called.setOptionValueWithSource('url', baseUrl, 'cli');
    });

/** The address of a service, of which MCP clients are told the `/mcp`. */
const withoutMcp = (address: string): string => address.replace(/(?<!\/)\/+$/, '').replace(/\/mcp$/, '');

const tokenMissing = (baseUrl: string): string =>
  `error: a token is missing: set CANDIDATE_PROFILE_TOKEN or --token. This prints one:
  curl -s ${baseUrl}/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'`;
