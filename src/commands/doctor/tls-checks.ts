import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Config } from '../../service/config/config.ts';
import { certificateWarningDays } from '../../surfaces/web/desk/upkeep.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { timeoutMs } from './network-checks.ts';

/** Checks the certificate that the service is configured with, and the one that the public address presents. */
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
  // An untrusted certificate is read, too, to say whether it has expired or why else it is not trusted.
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

/** Warns of a certificate as early as the desk does. */
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
