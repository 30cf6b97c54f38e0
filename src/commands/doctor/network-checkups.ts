import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { verifySmtp } from '../../adapters/mail/mail.ts';
import type { Contents } from '../../adapters/store/sqlite/database-file.ts';
import { type Config, isLoopback } from '../../service/config.ts';
import { addressWarningOf } from '../../service/config-warnings.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { type Finding, fail, ok, warn } from './checkups.ts';

/** How long anything on the network may take. */
const boundMs = 10_000;

/** How the public address has answered: a failure's code, or what was wrong or right with the answer. */
export interface Health {
  readonly fault: string | null;
  readonly isHealthy: boolean;
  /** By the clock of whoever answered. */
  readonly date: Date | null;
}

/** Asks the public address how it is; never throws. */
export async function askHealth(baseUrl: string): Promise<Health> {
  try {
    const signal = AbortSignal.timeout(boundMs);
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
  return [toReachFinding(baseUrl, health), ...(warning === null ? [] : [warn(warning.found, warning.remedy)])];
}

function toReachFinding(baseUrl: string, { fault, isHealthy }: Health): Finding {
  if (isHealthy) return ok(`${baseUrl} answers`);
  if (fault === null) return fail(`${baseUrl}/healthz is answered by something else`, 'lead BASE_URL to this service');
  if (isLoopback(new URL(baseUrl).hostname) && /ECONNREFUSED|bad port/.test(fault))
    return warn(`nothing answers at ${baseUrl}: the service is not running`, `start it with ${toCommandLine('serve')}`);
  return fail(
    `${baseUrl} cannot be reached (${fault})`,
    'see that DNS, the proxy and the firewall lead to the service',
  );
}

/** How far a clock may be off: tokens tolerate no more. */
const toleranceMs = 60_000;

export function checkClock(now: Date, contents: Contents | null, { date }: Health): Finding {
  const newestAt = contents?.newestAt ?? null;
  const remedy = 'set the clock of this machine, and keep it by NTP';
  const aheadMs = newestAt === null ? 0 : newestAt.getTime() - now.getTime();
  if (aheadMs > toleranceMs) return fail(`the newest record is dated ${Math.round(aheadMs / 1000)} s ahead`, remedy);
  const offMs = date === null ? 0 : Math.abs(date.getTime() - now.getTime());
  if (offMs > toleranceMs) return fail(`BASE_URL answers with a clock ${Math.round(offMs / 1000)} s away`, remedy);
  return ok(`no record is dated ahead${date === null ? '' : ', and BASE_URL answers with the same time'}`);
}

export async function checkSmtp({ smtpUrl, dataDir }: Config): Promise<Finding> {
  if (smtpUrl === undefined)
    return warn(`without SMTP_URL each mail becomes a file in ${dataDir}/mail`, 'set SMTP_URL to be mailed');
  const { host, username } = new URL(smtpUrl);
  try {
    await Promise.race([verifySmtp(smtpUrl), bound()]);
    return ok(`${host} answers${username === '' ? '' : ' and takes the log-in'}`);
  } catch (error) {
    return fail(`${host} does not take mail (${toReason(error as Error)})`, 'check SMTP_URL and the mail server');
  }
}

export async function checkTls({ tls }: Config, baseUrl: string): Promise<Finding[]> {
  const now = new Date();
  const pair = tls === undefined ? [] : [toPairFinding(tls, now)];
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'http:') return tls === undefined ? [ok('not used: BASE_URL is http')] : pair;
  return [...pair, await checkPeer(hostname.replace(/^\[|\]$/g, ''), Number(port || 443), now)];
}

function toPairFinding({ cert, key }: { cert: Buffer; key: Buffer }, now: Date): Finding {
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return fail('TLS_KEY is not the key of TLS_CERT', 'set both to one pair');
    return toExpiryFinding('TLS_CERT', certificate, now);
  } catch {
    return fail('TLS_CERT or TLS_KEY is no PEM', 'set them to a certificate and its key');
  }
}

async function checkPeer(host: string, port: number, now: Date): Promise<Finding> {
  const name = 'the certificate of BASE_URL';
  const { promise, resolve } = Promise.withResolvers<Finding>();
  // Looked at even where it is not trusted, so as to say why.
  const socket = connect({ host, port, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: false }, () => {
    const expiry = toExpiryFinding(name, socket.getPeerX509Certificate()!, now);
    const isDistrusted = expiry.level !== 'fail' && !socket.authorized;
    const found = `${name} is not trusted (${socket.authorizationError})`;
    resolve(isDistrusted ? fail(found, 'have one issued for this name by a public authority') : expiry);
  });
  const giveUp = () => resolve(warn(`${name} could not be read`, 'see address below'));
  socket.setTimeout(boundMs, giveUp).on('error', giveUp);
  return promise.finally(() => socket.destroy());
}

/** Certificates are renewed some weeks before they end: fewer than three are late. */
export function toExpiryFinding(name: string, certificate: X509Certificate, now: Date): Finding {
  const { validFromDate: from, validToDate: to } = certificate;
  const day = to.toISOString().slice(0, 10);
  if (now < from) return fail(`${name} is not valid before ${from.toISOString().slice(0, 10)}`, 'look at the clock');
  if (now > to) return fail(`${name} has expired on ${day}`, 'renew it');
  if (to.getTime() - now.getTime() < 21 * 86_400_000) return warn(`${name} expires on ${day}`, 'renew it');
  return ok(`${name} is valid until ${day}`);
}

export function checkProxy({ baseUrl, tls, trustProxy }: Config): Finding {
  if (tls !== undefined) return ok('none needed: the service speaks TLS itself');
  if (trustProxy.rules.length > 0) return ok('TRUST_PROXY says whom to believe about visitors');
  const url = baseUrl === undefined ? null : new URL(baseUrl);
  if (url === null || (url.protocol === 'http:' && isLoopback(url.hostname))) return ok('none needed on this machine');
  return warn(
    "behind a proxy, all visitors have its address and share that address's limits",
    'set TRUST_PROXY to the address of the proxy',
  );
}

const bound = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${boundMs / 1000} s`)), boundMs).unref();
  });

/** A code where there is one: messages may hold addresses. */
function toReason(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer within ${boundMs / 1000} s`;
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return error.name === 'MailFailure' ? error.message : (code ?? message);
}
