import { openHttpServer } from '../../adapters/http/server.ts';
import { scaledCount } from '../../model/quota.ts';
import { openApp } from '../../service/app.ts';
import { baseUrlOf, type Config, StartFault, samplePath } from '../../service/config.ts';
import { addressWarningOf, toSentence } from '../../service/config-warnings.ts';
import { openServices } from '../../service/services.ts';
import { openLog, type Telemetry } from '../../service/telemetry.ts';

/** How long what is in flight may take once the service is told to stop. */
const graceMs = 8_000;

/** Serves until SIGTERM or SIGINT, then finishes what is in flight. */
export async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel, config.logFormat);
  // From the first moment on: a signal that nobody waits for kills.
  const stopped = new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  // What is refused before there are any services is told to nobody.
  let telemetry: Telemetry | undefined;
  const { promise: app, resolve: ready } = Promise.withResolvers<ReturnType<typeof openApp>>();
  // The port comes first: it is part of every address, and a busy one is found before anything is touched.
  const listening = {
    ...config,
    socketsPerAddress: scaledCount(50, config.limits),
    onRefused: () => telemetry?.socketRefused(),
    onMalformed: (code: string) => telemetry?.requestRefused(code),
    isHttps: config.tls !== undefined || config.baseUrl?.startsWith('https:') === true,
  };
  const server = await openHttpServer(listening, async (request, connection) =>
    (await app).fetch(request, connection),
  ).catch(explain(config));
  const baseUrl = baseUrlOf(config, server.port);
  await using opened = await openServices(config, baseUrl, log, 'server');
  telemetry = opened.telemetry;
  const opening = openApp(config, baseUrl, opened, log);
  ready(opening);
  const warning = addressWarningOf(config, baseUrl);
  if (warning !== null) log.warn(toSentence(warning));
  console.log(welcome(config, baseUrl, server.port, opened.telemetry.metricsPort));

  await stopped;
  log.info('stopping');
  await Promise.all([opening.drain(), server.close(graceMs), opened.outbox?.stop()]);
}

const explain = (config: Config) => (error: NodeJS.ErrnoException) => {
  const place = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE') throw new StartFault(`PORT: ${place} is in use by another program`);
  if (error.code === 'EACCES') throw new StartFault(`PORT: ${place} may not be listened on by this user`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new StartFault(`HOST: ${config.host} is no address of this machine`);
  if (error.code?.startsWith('ERR_OSSL')) throw new StartFault(`TLS_CERT, TLS_KEY: ${error.message}`);
  throw error;
};

function welcome(config: Config, baseUrl: string, port: number, metricsPort: number | undefined): string {
  const { host } = config;
  const warning = addressWarningOf(config, baseUrl);
  const listening = `${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return [
    `Listening on ${listening}`,
    '',
    `  Profile  ${config.profilePath}${config.profilePath === samplePath ? ' (the sample: write profile.yaml, and it is served within a second)' : ''}`,
    `  API      ${baseUrl}/candidate, described by ${baseUrl}/openapi.json`,
    `  MCP      ${baseUrl}/mcp`,
    `  Mail     ${config.smtpUrl === undefined ? `files in ${config.dataDir}/mail` : 'by SMTP'}`,
    ...(metricsPort === undefined ? [] : [`  Metrics  http://127.0.0.1:${metricsPort}/metrics, on this machine alone`]),
    ...(warning === null ? [] : ['', `  Warning  ${toSentence(warning)}`]),
    '',
    '  A first token:',
    `  curl -s ${baseUrl}/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'`,
    '',
  ].join('\n');
}
