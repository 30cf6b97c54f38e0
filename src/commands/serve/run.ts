import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pluralize } from 'resume-profile/text';
import { watchCertificate } from '../../adapters/http/certificate.ts';
import { openHttpServer } from '../../adapters/http/server.ts';
import { nameOf } from '../../adapters/profile/profile-source.ts';
import { announceService } from '../../adapters/running-service.ts';
import { scaledCount } from '../../model/quota.ts';
import { linkSeconds } from '../../model/sign-in.ts';
import { invokerFor } from '../../operations/owner/operation.ts';
import { createSignInLink } from '../../operations/owner/sign-in.ts';
import { type App, openApp } from '../../service/app.ts';
import { baseUrlOf, type Config, isSetLocal, StartFault, samplePath } from '../../service/config/config.ts';
import { addressWarningOf, scatteredMailWarningOf, toSentence } from '../../service/config/config-warnings.ts';
import { type Log, openLog, type Telemetry } from '../../service/log.ts';
import { quote, serveCommandOn, toCommandLine } from '../../service/program-name.ts';
import { type OpenServices, openServices } from '../../service/services.ts';
import { Exit, type Io } from '../terminal.ts';

export const graceMs = 8_000;

/** Serves until a signal or until its parent ends, then finishes the requests in flight. Throws `StartFault`. */
export async function serve(config: Config, io: Io): Promise<void> {
  using log = openLog(config.logLevel, config.logFormat, io.stderr);
  // Warnings of the start are printed after the addresses.
  log.hold();
  // Before anything else: a signal without a listener kills the process.
  const stopped = io.stop === undefined ? untilProcessStops(log) : once(io.stop, 'abort').then(() => 'stopping');
  // Undefined until the services are open: earlier refused requests are not counted.
  let telemetry: Telemetry | undefined;
  const { promise: ready, resolve: setReady } = Promise.withResolvers<App>();
  // The port comes first: it is part of every URL, and a busy one ends the start before any file is opened.
  const listening = {
    ...config,
    socketsPerAddress: scaledCount(50, config.limits),
    onRefused: () => telemetry?.socketRefused(),
    onMalformed: (code: string) => telemetry?.requestRefused(code),
    isHttps: config.tls !== undefined || config.baseUrl?.startsWith('https:') === true,
  };
  const server = await openHttpServer(listening, async (request, connection) =>
    (await ready).fetch(request, connection),
  ).catch(rethrowNamed(config));
  const baseUrl = baseUrlOf(config, server.port);
  const opening = openServices(config, baseUrl, log, 'server').catch((error) => {
    void server.close(0);
    throw error;
  });
  // The start may wait for a database or a profile for longer than a supervisor waits after SIGTERM.
  if (await Promise.race([opening.then(() => false), stopped.then(() => true)])) throw new Exit(0);
  await using opened = await opening;
  telemetry = opened.telemetry;
  const { tls, readTls: read } = config;
  const certificate = tls && watchCertificate({ tls, read, use: server.presentCertificate, log });
  const app = openApp({ ...opened, certificate });
  app.renderAhead();
  server.use(app);
  setReady(app);
  using _announced = announceService(config.dataDir, { baseUrl, host: config.host, port: server.port });
  for (const warning of [addressWarningOf(config, baseUrl), scatteredMailWarningOf(config)])
    if (warning !== null) log.warn(toSentence(warning));
  const isSample = nameOf(config.profile) === samplePath;
  // Output that does not go to a terminal is stored by other programs, and a link to the owner's desk is a secret.
  const isSeen = isSample || (opened.profile.isPresent() && io.stdout.isTTY === true);
  const path = isSample ? '/desk/profile/import' : '/desk';
  const link = isSeen && isSetLocal(config) ? await invokerFor(opened.owner)(createSignInLink, { path }) : null;
  io.console.log(toBanner(opened, server.port, link, deskCommandOf(config, io)));

  log.release();

  log.info(await stopped);
  await Promise.all([app.drain(), server.close(graceMs), opened.outbox?.stop()]);
}

/** Resolves with a message for the log when the process is told to stop. */
function untilProcessStops(log: Log): Promise<string> {
  process.once('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error'));
  return new Promise((resolve) => {
    // A terminal sends SIGHUP when it is closed.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve('stopping'));
    void waitForParentEnd().then((starter) => resolve(`stopping: the ${starter} that started it has ended`));
  });
}

/** Returns a handler that rethrows an error of the listener as a `StartFault`, which names the setting. */
const rethrowNamed =
  ({ host, port }: Config) =>
  (error: NodeJS.ErrnoException) => {
    const { code = '', message } = error;
    const noAddress = `HOST: ${host} is not an address of this machine`;
    const faults: Record<string, string> = {
      EADDRINUSE: `PORT: ${host}:${port} is in use by another program; to use another port: ${serveCommandOn((port % 65_535) + 1)}`,
      EACCES: `PORT: ${host}:${port} may not be listened on by this user`,
      EADDRNOTAVAIL: noAddress,
      ENOTFOUND: noAddress,
    };
    const fault = code.startsWith('ERR_OSSL') ? `TLS_CERT, TLS_KEY: ${message}` : faults[code];
    throw fault === undefined ? error : new StartFault(fault);
  };

/** Returns the text that `serve` prints when it listens: all addresses, and the commands to begin with. */
function toBanner(
  { config, baseUrl, profile: { isPresent }, telemetry: { metricsPort } }: OpenServices,
  /** Differs from the setting if the setting is 0. */
  port: number,
  /** Signs in, and on the sample leads to the page that replaces it; null if it must not be printed. */
  link: { readonly url: string } | null,
  deskCommand: string,
): string {
  const { host } = config;
  const profile = nameOf(config.profile);
  const hasProfile = isPresent();
  const isSample = profile === samplePath;
  const warning = addressWarningOf(config, baseUrl);
  return [
    `Listening on ${config.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    `The page is at ${baseUrl}/`,
    link === null
      ? `Your desk is at ${baseUrl}/desk`
      : `To ${isSample ? 'put your profile there' : 'change it, and see who read it'}: ${link.url}`,
    '',
    `  Profile  ${profile}${isSample ? ' (the sample)' : hasProfile ? '' : ' (not there yet)'}`,
    `  API      ${baseUrl}/candidate, described by ${baseUrl}/openapi.json`,
    `  MCP      ${baseUrl}/mcp`,
    `  Desk     ${baseUrl}/desk, for you alone; ${link === null ? 'for a link' : `the link above works once, for ${pluralize(linkSeconds / 60, 'minute')}; for another`}: ${deskCommand}`,
    `  Mail     ${config.smtpUrl === undefined ? `files in ${config.dataDir}/mail` : 'by SMTP'}`,
    ...(metricsPort === undefined ? [] : [`  Metrics  http://127.0.0.1:${metricsPort}/metrics, on this machine alone`]),
    ...(warning === null ? [] : ['', `  Warning  ${toSentence(warning)}`]),
    ...(isSample
      ? ['', '  To write a profile of your own, which is served as soon as it is saved:', `  ${toCommandLine('init')}`]
      : []),
    '',
    ...(hasProfile
      ? [
          '  To get a first token:',
          `  curl -s ${baseUrl}/auth/token -H 'content-type: application/json' -d '{"email":"you@example.org"}'`,
        ]
      : ['  To put a profile there, sign in with SETUP_CODE:', `  ${baseUrl}/desk`]),
    '',
  ].join('\n');
}

/** Returns the command that prints a link to the desk, with the data folder if only an option of `serve` names it. */
function deskCommandOf({ dataDir }: Config, { env }: Io): string {
  const isDefault = resolve(env.DATA_DIR || 'data') === dataDir;
  return `${isDefault ? '' : `DATA_DIR=${quote(dataDir)} `}${toCommandLine('desk')}`;
}

/** Resolves within a second after a launcher or npm has ended: neither SIGKILL nor what npm's shell gets is passed on. */
function waitForParentEnd({ npm_lifecycle_script: script } = process.env): Promise<'launcher' | 'npm'> {
  const { promise, resolve } = Promise.withResolvers<'launcher' | 'npm'>();
  // The launcher opens this channel, over which nothing is sent.
  process.once('disconnect', () => resolve('launcher'));
  process.channel?.unref();
  const starter = process.ppid;
  // Everything that a script starts inherits the variable, and only a program that npm waits for ends with npm.
  if (script === undefined || hasBackground(script)) return promise;
  const isShell = isShellWith(script, starter);
  if (!isShell && !isNpm(starter)) return promise;
  const npm = isShell ? parentOf(starter) : null;
  const timer = setInterval(() => {
    if (process.ppid === starter && (npm === null || parentOf(starter) === npm)) return;
    clearInterval(timer);
    resolve('npm');
  }, 1_000);
  timer.unref();
  return promise;
}

/** Whether a script starts something in the background, which is to outlive it. */
const hasBackground = (script: string): boolean => /(?<![&<>])&(?![&>])/.test(script);

/** Whether a process is npm, which names itself by its command. True on systems that do not tell. */
function isNpm(pid: number): boolean {
  const commandLine = readProcess(pid, 'cmdline');
  return commandLine === null ? process.platform !== 'linux' : /^(npm|npx) /.test(commandLine);
}

/** Whether a process is the shell that npm runs a script in. Some shells run a single command in their own place. */
function isShellWith(script: string, pid: number): boolean {
  const args = readProcess(pid, 'cmdline')?.split('\0') ?? [];
  return args.some((arg, index) => args[index - 1] === '-c' && arg.startsWith(script));
}

const parentOf = (pid: number): string | null => /^PPid:\s*(\d+)$/m.exec(readProcess(pid, 'status') ?? '')?.[1] ?? null;

/** Returns a file of Linux about a process; null on other systems. */
function readProcess(pid: number, file: 'cmdline' | 'status'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
