import { verifySmtp } from '../../adapters/mail/mailer.ts';
import { fetchClientDocument, internet, type Network, UnreachableHost } from '../../adapters/oauth/client-document.ts';
import type { Contents } from '../../adapters/store/contents.ts';
import { type Config, isLoopback } from '../../service/config/config.ts';
import { addressWarningOf, scatteredMailWarningOf } from '../../service/config/config-warnings.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** How long a check waits for a response. */
export const timeoutMs = 10_000;

/** The response of the public address to a health check. */
export interface Health {
  /** Why there was no response, as a code if there is one; null if there was one. */
  readonly fault: string | null;
  readonly isHealthy: boolean;
  /** The `Date` header, by the clock of the server that responded. */
  readonly date: Date | null;
}

/** Requests `/healthz` at the public address; never throws. */
export async function fetchHealth(baseUrl: string): Promise<Health> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${baseUrl}/healthz`, { redirect: 'manual', signal });
    const body = (await response.json().catch(() => null)) as { status?: unknown } | null;
    const date = response.headers.get('date');
    return { fault: null, isHealthy: body?.status === 'ok', date: date === null ? null : new Date(date) };
  } catch (error) {
    return { fault: toReason(error as Error), isHealthy: false, date: null };
  }
}

export function checkAddress(config: Config, baseUrl: string, health: Health): Finding[] {
  const warning = addressWarningOf(config, baseUrl);
  return [toHealthFinding(baseUrl, health), ...(warning === null ? [] : [warn(warning.found, warning.remedy)])];
}

function toHealthFinding(baseUrl: string, { fault, isHealthy }: Health): Finding {
  if (isHealthy) return ok(`${baseUrl} responds`);
  if (fault === null) return fail(`another service responds at ${baseUrl}/healthz`, 'point BASE_URL at this service');
  if (isLoopback(new URL(baseUrl).hostname) && /ECONNREFUSED|bad port/.test(fault))
    return warn(`the service is not running at ${baseUrl}`, `start it with ${toCommandLine('serve')}`);
  return fail(
    `${baseUrl} cannot be reached (${fault})`,
    'check that DNS, the proxy and the firewall lead to this service',
  );
}

/** How far a clock may be off: the same that is tolerated in the dates of a token. */
const clockToleranceMs = 60_000;

/** Compares the clock with the newest row of the database and with the server at the public address. */
export function checkClock(now: Date, contents: Contents | null, { date }: Health): Finding {
  const newestAt = contents?.newestAt ?? null;
  const remedy = 'set the clock of this machine, and synchronize it by NTP';
  const aheadMs = newestAt === null ? 0 : newestAt.getTime() - now.getTime();
  if (aheadMs > clockToleranceMs)
    return fail(`the newest record is dated ${Math.round(aheadMs / 1000)} s in the future`, remedy);
  const offMs = date === null ? 0 : Math.abs(date.getTime() - now.getTime());
  if (offMs > clockToleranceMs) return fail(`the clock at BASE_URL differs by ${Math.round(offMs / 1000)} s`, remedy);
  return ok(`records are not dated in the future${date === null ? '' : ', and the clock at BASE_URL agrees'}`);
}

export async function checkSmtp(config: Config): Promise<Finding> {
  const { smtpUrl, dataDir } = config;
  const scattered = scatteredMailWarningOf(config);
  if (scattered !== null) return warn(scattered.found, scattered.remedy);
  if (smtpUrl === undefined)
    return warn(`SMTP_URL is not set: each mail is written to a file in ${dataDir}/mail`, 'set it to receive mail');
  const { host, username } = new URL(smtpUrl);
  try {
    await Promise.race([verifySmtp(smtpUrl), rejectLate()]);
    return ok(`${host} responds${username === '' ? '' : ' and accepts the log-in'}`);
  } catch (error) {
    return fail(`${host} cannot be used (${toReason(error as Error)})`, 'check SMTP_URL and the mail server');
  }
}

export function checkProxy({ baseUrl, tls, trustProxy }: Config): Finding {
  if (tls !== undefined) return ok('not needed: the service ends TLS itself');
  if (trustProxy.rules.length > 0) return ok('TRUST_PROXY is set, so that visitors are told apart by X-Forwarded-For');
  const url = baseUrl === undefined ? null : new URL(baseUrl);
  if (url === null || (url.protocol === 'http:' && isLoopback(url.hostname))) return ok('not needed on this machine');
  return warn(
    'behind a proxy, all visitors have its address and share one set of limits',
    'set TRUST_PROXY to the address of the proxy',
  );
}

/** The documents of two programs that have no other way to connect while a server offers this one: Claude Code and Codex. */
const knownDocuments = [
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://chatgpt.com/oauth/codex/client.json',
];

/** Checks that the documents of OAuth clients can be fetched. A host that answers for another document, or that there is none, can be reached, too. */
export async function checkClientDocuments(
  config: Config,
  network: Network = internet,
  ids: readonly string[] = knownDocuments,
): Promise<Finding[]> {
  if (!config.hasOauth) return [];
  if (!config.readsClientDocuments) return [ok('clients register, because OAUTH_CLIENT_DOCUMENTS is off')];
  const faults = await Promise.all(
    ids.map((id) =>
      fetchClientDocument(id, AbortSignal.timeout(timeoutMs), network).then(
        () => null,
        (error: Error) => error,
      ),
    ),
  );
  const unreachable = faults.filter((fault) => fault instanceof UnreachableHost);
  if (unreachable.length === 0) return [ok('the documents by which clients describe themselves can be fetched')];
  const hosts = unreachable.map(({ host, reason }) => `${host} (${reason})`).join(' and ');
  return [
    warn(
      `the documents by which clients describe themselves cannot be fetched from ${hosts}: programs that have one, such as Claude Code and Codex, cannot connect`,
      'let the service resolve names by DNS and open https connections, or set OAUTH_CLIENT_DOCUMENTS to off, so that they register instead',
    ),
  ];
}

const noResponse = `no response within ${timeoutMs / 1000} s`;

const rejectLate = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(noResponse)), timeoutMs).unref();
  });

/** Returns the code of an error if it has one, because a message may contain addresses. */
function toReason(error: Error): string {
  if (error.name === 'TimeoutError') return noResponse;
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return error.name === 'MailFailure' ? error.message : (code ?? message);
}
