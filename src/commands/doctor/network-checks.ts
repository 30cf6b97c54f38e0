import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { domainToASCII } from 'node:url';
import { promisify } from 'node:util';
import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection';
import type SMTPTransport from 'nodemailer/lib/smtp-transport';
import { toVisible } from 'resume-profile/text';
import { defaultSenderOf, openTransport, toMailFailure } from '../../adapters/mail/mailer.ts';
import { fetchClientDocument, internet, type Network, UnreachableHost } from '../../adapters/oauth/client-document.ts';
import type { Contents } from '../../adapters/store/contents.ts';
import { type Config, isLoopback } from '../../service/config/config.ts';
import { addressWarningOf, scatteredMailWarningOf } from '../../service/config/config-warnings.ts';
import { toCommandLine } from '../../service/program-name.ts';
import { certificateWarningDays } from '../../surfaces/web/desk/upkeep.ts';
import { type Finding, fail, ok, warn, warned } from './local-checks.ts';

export const timeoutMs = 10_000;

export interface Health {
  /** The reason for no response, as a code if there is one; null if there was a response. */
  readonly fault: string | null;
  readonly isHealthy: boolean;
  /** The `Date` header, by the clock of the server that responded. */
  readonly date: Date | null;
}

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

export const checkAddress = (config: Config, baseUrl: string, health: Health): Finding[] => [
  toHealthFinding(baseUrl, health),
  ...warned(addressWarningOf(config, baseUrl)),
];

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

/** Checks that the mail server accepts mail to `owner`, without sending any; null if the profile names none. */
export async function checkSmtp(config: Config, baseUrl: string, owner: string | null): Promise<Finding> {
  const { smtpUrl, dataDir, mailFrom: from = defaultSenderOf(baseUrl) } = config;
  const [scattered] = warned(scatteredMailWarningOf(config));
  if (scattered !== undefined) return scattered;
  if (smtpUrl === undefined)
    return warn(`SMTP_URL is not set: each mail is written to a file in ${dataDir}/mail`, 'set it to receive mail');
  const { host, username } = new URL(smtpUrl);
  try {
    const refused = await Promise.race([verifySmtp(smtpUrl, { from, to: owner ?? undefined }), rejectLate()]);
    if (refused !== null) return toRefusalFinding(host, refused);
    const accepted = [
      ...(username === '' ? [] : ['the log-in']),
      `the sender ${from}`,
      ...(owner === null ? [] : [`the recipient ${owner}`]),
    ];
    return ok(`${host} responds and accepts ${new Intl.ListFormat('en-GB').format(accepted)}`);
  } catch (error) {
    return fail(`${host} cannot be used (${toReason(error as Error)})`, 'check SMTP_URL and the mail server');
  }
}

function toRefusalFinding(host: string, { role, address, reply, isPermanent }: RefusedAddress): Finding {
  const said = toVisible(reply.trim().replace(/\s+/g, ' ').slice(0, 300));
  const found = `${host} refuses the ${role} ${address}: ${said}`;
  if (!isPermanent) return warn(found, 'the service would try again; if it stays so, ask the operator of the server');
  return fail(
    found,
    role === 'sender'
      ? 'set MAIL_FROM to an address that may send there, such as the one of the account'
      : 'set OWNER_EMAIL to an address to which it delivers',
  );
}

interface Envelope {
  readonly from: string;
  readonly to: string | undefined;
}

/** An address that a mail server refuses, with its reply; temporarily unless `isPermanent`. */
interface RefusedAddress {
  readonly role: 'sender' | 'recipient';
  readonly address: string;
  readonly reply: string;
  readonly isPermanent: boolean;
}

/** Asks a mail server whether it accepts a mail, and sends none; returns the refused address, or null. Throws `MailFailure`. */
async function verifySmtp(smtpUrl: string, envelope: Envelope): Promise<RefusedAddress | null> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { options } = (await openTransport(smtpUrl)).transporter as SMTPTransport;
  let refused: RefusedAddress | null = null;
  // Only a custom log-in can send any command; nodemailer sends the recipient and DATA together.
  const ENVELOPE = async ({ sendCommand, extensions }: SMTPConnectionCustomAuthContext) => {
    const ask = async (command: string) => (await sendCommand(command)).response;
    refused = await findRefused(envelope, ask, extensions.includes('SMTPUTF8'));
    await ask('RSET');
  };
  const connection = new SMTPConnection({ ...options, customAuth: { ENVELOPE } });
  const failed = new Promise<never>((_, reject) => {
    connection.once('error', reject).once('end', () => reject(Object.assign(new Error(), { code: 'ECONNECTION' })));
  });
  const run = (step: (done: (error?: Error | null) => void) => void) => Promise.race([promisify(step)(), failed]);
  try {
    await run((done) => connection.connect(done));
    const { user, pass } = options.auth ?? {};
    if (options.auth && connection.allowsAuth) await run((done) => connection.login({ user, pass }, done));
    await run((done) => connection.login({ method: 'ENVELOPE' }, done));
    connection.quit();
    return refused;
  } catch (error) {
    connection.close();
    // A server may end the connection with a refusal.
    if (refused === null) throw toMailFailure(error as Error);
    return refused;
  }
}

async function findRefused(
  { from, to }: Envelope,
  ask: (command: string) => Promise<string>,
  hasUtf8: boolean,
): Promise<RefusedAddress | null> {
  const inAscii = (address: string) => {
    const at = address.lastIndexOf('@') + 1;
    return address.slice(0, at) + domainToASCII(address.slice(at));
  };
  const utf8 = hasUtf8 && /[^\x20-\x7e]/.test(inAscii(from) + inAscii(to ?? '')) ? ' SMTPUTF8' : '';
  for (const [role, command, address] of [
    ['sender', `MAIL FROM:<${inAscii(from)}>${utf8}`, from],
    ['recipient', `RCPT TO:<${inAscii(to ?? '')}>`, to],
  ] as const) {
    const reply = address === undefined ? '2' : await ask(command);
    if (!reply.startsWith('2')) return { role, address: address!, reply, isPermanent: reply.startsWith('5') };
  }
  return null;
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

/** The metadata documents of Claude Code and Codex, which use no other way to connect if a server supports this one. */
const knownDocuments = [
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://chatgpt.com/oauth/codex/client.json',
];

/** Checks that the hosts of OAuth clients' metadata documents respond; any response is enough. */
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

/** Returns the code of an error, if any, because a message may contain addresses. */
function toReason(error: Error): string {
  if (error.name === 'TimeoutError') return noResponse;
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  const reason = error.name === 'MailFailure' ? error.message : (code ?? message);
  return reason === 'ETIMEDOUT' ? noResponse : reason;
}

/** Checks the configured certificate, and the certificate that the public address presents. */
export async function checkTls({ tls }: Config, baseUrl: string): Promise<Finding[]> {
  const now = new Date();
  const configured = tls === undefined ? [] : [checkPair(tls, now)];
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'http:') return tls === undefined ? [ok('not used: BASE_URL is http')] : configured;
  const host = hostname.replace(/^\[|\]$/g, '');
  return [...configured, await checkPresented(host, Number(port || 443), now)];
}

function checkPair({ cert, key }: { cert: Buffer; key: Buffer }, now: Date): Finding {
  try {
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      return fail('TLS_KEY is not the key of TLS_CERT', 'set both to one pair');
    return toExpiryFinding('TLS_CERT', certificate, now);
  } catch {
    return fail('TLS_CERT or TLS_KEY is not a PEM file', 'set them to a certificate and its key');
  }
}

async function checkPresented(host: string, port: number, now: Date): Promise<Finding> {
  const name = 'the certificate of BASE_URL';
  const { promise, resolve } = Promise.withResolvers<Finding>();
  // An untrusted certificate is read, too, to report whether it has expired or why else it is not trusted.
  const socket = connect({ host, port, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: false }, () => {
    const expiry = toExpiryFinding(name, socket.getPeerX509Certificate()!, now);
    const isUntrusted = expiry.level !== 'fail' && !socket.authorized;
    const found = `${name} is not trusted (${socket.authorizationError})`;
    resolve(isUntrusted ? fail(found, 'have one issued for this name by a public authority') : expiry);
  });
  const giveUp = () => resolve(warn(`${name} could not be read`, 'see address below'));
  socket.setTimeout(timeoutMs, giveUp).on('error', giveUp);
  return promise.finally(() => socket.destroy());
}

/** Warns of an expiring certificate as early as the desk does. */
export function toExpiryFinding(name: string, certificate: X509Certificate, now: Date): Finding {
  const { validFromDate: from, validToDate: to } = certificate;
  const day = to.toISOString().slice(0, 10);
  if (now < from)
    return fail(`${name} is not valid before ${from.toISOString().slice(0, 10)}`, 'check the clock of this machine');
  if (now > to) return fail(`${name} expired on ${day}`, 'renew it');
  if (to.getTime() - now.getTime() < certificateWarningDays * 86_400_000)
    return warn(`${name} expires on ${day}`, 'renew it');
  return ok(`${name} is valid until ${day}`);
}
