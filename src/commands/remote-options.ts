import { type Command, Option } from 'commander';

/** A service elsewhere, as `--url` and `--token` name it; undefined where neither is given. */
export interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
}

/** Adds `--url` and `--token`; a wrong address, or a token that would go nowhere, is wrong usage. */
export const addRemoteTo = (command: Command, url: string, token: string): Command =>
  command
    .option('--url <address>', url)
    // Arguments stand in the list of processes, where everybody on the machine reads them.
    .addOption(new Option('--token <token>', token).env('CANDIDATE_PROFILE_TOKEN'))
    .hook('preAction', (_, called) => {
      const { url: address } = called.opts<RemoteOptions>();
      if (address === undefined && called.getOptionValueSource('token') === 'cli')
        called.error('error: --token goes with --url');
      if (address !== undefined && !/^https?:\/\//.test(URL.parse(address)?.href ?? ''))
        called.error('error: --url must be the address of a service, such as https://profile.example.org');
    });
