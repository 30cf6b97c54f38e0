import { resolve } from 'node:path';
import { nameOf } from '../../adapters/profile/profile-source.ts';
import { type Config, samplePath } from '../../service/config/config.ts';
import { addressWarningOf, toSentence } from '../../service/config/config-warnings.ts';
import { quote, toCommandLine } from '../../service/program-name.ts';

interface Started {
  readonly config: Config;
  readonly baseUrl: string;
  /** The port listened on: that of the configuration unless it is 0. */
  readonly port: number;
  readonly metricsPort: number | undefined;
}

/** Returns what `serve` prints once it listens: where everything is, and the commands to begin with. */
export function toBanner({ config, baseUrl, port, metricsPort }: Started): string {
  const { host } = config;
  const profile = nameOf(config.profile);
  const isSample = profile === samplePath;
  const warning = addressWarningOf(config, baseUrl);
  return [
    `Listening on ${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    `The page is at ${baseUrl}/`,
    '',
    `  Profile  ${profile}${isSample ? ' (the sample)' : ''}`,
    `  API      ${baseUrl}/candidate, described by ${baseUrl}/openapi.json`,
    `  MCP      ${baseUrl}/mcp`,
    `  Desk     ${baseUrl}/desk, for you alone; for a link: ${deskCommandOf(config)}`,
    `  Mail     ${config.smtpUrl === undefined ? `files in ${config.dataDir}/mail` : 'by SMTP'}`,
    ...(metricsPort === undefined ? [] : [`  Metrics  http://127.0.0.1:${metricsPort}/metrics, on this machine alone`]),
    ...(warning === null ? [] : ['', `  Warning  ${toSentence(warning)}`]),
    ...(isSample
      ? ['', '  To write a profile of your own, which is served as soon as it is saved:', `  ${toCommandLine('init')}`]
      : []),
    '',
    '  To get a first token:',
    `  curl -s ${baseUrl}/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'`,
    '',
  ].join('\n');
}

/** Returns the command that prints a link to the desk, with the data folder if only an option of `serve` names it. */
function deskCommandOf({ dataDir }: Config): string {
  const isDefault = resolve(process.env.DATA_DIR || 'data') === dataDir;
  return `${isDefault ? '' : `DATA_DIR=${quote(dataDir)} `}${toCommandLine('desk')}`;
}
