import { X509Certificate } from 'node:crypto';

/** A certificate with its intermediate certificates, and its key, as PEM. */
export interface CertificatePair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface CertificateOptions {
  readonly tls: CertificatePair;
  /** Reads the pair again. Throws if that is not possible. */
  read(): CertificatePair;
  /** Serves a pair from now on. Throws if it is not a valid pair. */
  use(tls: CertificatePair): void;
  readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

const periodMilliseconds = 30_000;

export type ServedCertificate = ReturnType<typeof watchCertificate>;

/** Reads the certificate again each 30 s, and serves a renewed one. An unusable pair is logged once. */
export function watchCertificate({ tls, read, use, log }: CertificateOptions) {
  let latest = tls;
  let latestFault = '';
  let expiresAt = new X509Certificate(tls.cert).validToDate;

  function look(): void {
    try {
      const pair = read();
      if (pair.cert.equals(latest.cert) && pair.key.equals(latest.key)) return;
      latest = pair;
      const { validToDate } = new X509Certificate(pair.cert);
      if (validToDate.getTime() <= Date.now()) throw new Error('the certificate has expired');
      use(pair);
      expiresAt = validToDate;
      latestFault = '';
      log.info({ expiresAt }, 'renewed certificate is served');
    } catch (error) {
      const fault = (error as Error).message;
      if (fault !== latestFault)
        log.error({ fault }, 'TLS_CERT and TLS_KEY have changed and cannot be used: the certificate before is served');
      latestFault = fault;
    }
  }

  setInterval(look, periodMilliseconds).unref();
  return { expiresAt: () => expiresAt };
}
