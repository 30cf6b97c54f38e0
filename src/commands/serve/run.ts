import { openHttpServer } from '../../adapters/http/server.ts';
import { announceService } from '../../adapters/running-service.ts';
import { scaledCount } from '../../model/quota.ts';
import { type App, openApp } from '../../service/app.ts';
import { baseUrlOf, type Config, StartFault } from '../../service/config/config.ts';
import { addressWarningOf, scatteredMailWarningOf, toSentence } from '../../service/config/config-warnings.ts';
import { openLog } from '../../service/log.ts';
import { openServices } from '../../service/services.ts';
import type { Telemetry } from '../../service/telemetry.ts';
import { toBanner } from './banner.ts';
import { waitForParentEnd } from './starter.ts';

/** How long requests in flight may take after the signal to stop. */
export const graceMs = 8_000;

/** Serves until SIGTERM, SIGINT or the end of the npm that started it, then finishes the requests in flight. Throws `StartFault` for what the owner can mend. */
export async function serve(config: Config): Promise<void> {
  using log = openLog(config.logLevel, config.logFormat);
  process.once('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error'));
  // Before anything else: a signal without a listener kills the process.
  const stopped = new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('stopping'));
    process.once('SIGINT', () => resolve('stopping'));
    void waitForParentEnd().then((starter) => resolve(`stopping: the ${starter} that started it has ended`));
  });
  // Undefined until the services are open: what is refused before is not counted.
  let telemetry: Telemetry | undefined;
  const { promise: ready, resolve: setReady } = Promise.withResolvers<App>();
  let app: App | undefined;
  // The port comes first: it is part of every URL, and a busy one ends the start before any file is opened.
  const listening = {
    ...config,
    socketsPerAddress: scaledCount(50, config.limits),
    onRefused: () => telemetry?.socketRefused(),
    onMalformed: (code: string) => telemetry?.requestRefused(code),
    isHttps: config.tls !== undefined || config.baseUrl?.startsWith('https:') === true,
  };
  const server = await openHttpServer(
    listening,
    async (request, connection) => (await ready).fetch(request, connection),
    (head, connection) => app?.replyAtOnce(head, connection) ?? null,
  ).catch(rethrowNamed(config));
  const baseUrl = baseUrlOf(config, server.port);
  const opening = openServices(config, baseUrl, log, 'server');
  // The start may wait for a database or a profile longer than a supervisor waits after SIGTERM.
  if (await Promise.race([opening.then(() => false), stopped.then(() => true)])) process.exit();
  await using opened = await opening;
  telemetry = opened.telemetry;
  app = openApp(config, baseUrl, opened, log);
  setReady(app);
  using _announced = announceService(config.dataDir, { baseUrl, host: config.host, port: server.port });
  for (const warning of [addressWarningOf(config, baseUrl), scatteredMailWarningOf(config)])
    if (warning !== null) log.warn(toSentence(warning));
  // In a file that gets both outputs, what the start warned of comes first.
  log.flush();
  console.log(toBanner({ config, baseUrl, port: server.port, metricsPort: opened.telemetry.metricsPort }));

  log.info(await stopped);
  await Promise.all([app.drain(), server.close(graceMs), opened.outbox?.stop()]);
}

/** Returns a handler that rethrows an error of the listener as a `StartFault`, which names the setting. */
const rethrowNamed = (config: Config) => (error: NodeJS.ErrnoException) => {
  const address = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE') throw new StartFault(`PORT: ${address} is in use by another program`);
  if (error.code === 'EACCES') throw new StartFault(`PORT: ${address} may not be listened on by this user`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new StartFault(`HOST: ${config.host} is not an address of this machine`);
  if (error.code?.startsWith('ERR_OSSL')) throw new StartFault(`TLS_CERT, TLS_KEY: ${error.message}`);
  throw error;
};
