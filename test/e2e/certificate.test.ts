import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { readConfig } from '../../src/service/config/config.ts';
import { deskPortsOf } from '../../src/service/owner/desk-ports.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { eventually, startProcess } from '../support/process.ts';

// The files are read again each 30 s.
const withShortPeriods = `data:text/javascript,
  const { setInterval } = globalThis;
  globalThis.setInterval = (act, period, ...rest) => setInterval(act, period === 30000 ? 20 : period, ...rest);`.replaceAll(
  /\s+/g,
  '%20',
);

async function start(t: TestContext) {
  const folder = newFolder(t);
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const replace = (cert: string, key: string) => {
    for (const [name, path] of [
      [cert, TLS_CERT],
      [key, TLS_KEY],
    ] as const) {
      // Renamed, so that the service reads no half of a file.
      writeFileSync(`${path}.new`, readFileSync(fixture(name)), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    }
  };
  replace('tls-cert.pem', 'tls-key.pem');
  const NODE_OPTIONS = `--import=${withShortPeriods}`;
  const service = await startProcess(t, { PROFILE: fixture('profile.yaml'), TLS_CERT, TLS_KEY, NODE_OPTIONS });
  const { port } = new URL(service.url);
  /** Returns the last year of the certificate that a new connection is presented. */
  async function year(): Promise<number> {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { validToDate } = new X509Certificate(socket.getPeerX509Certificate()!.raw);
    socket.destroy();
    return validToDate.getUTCFullYear();
  }
  return { ...service, replace, year };
}

test('a certificate that is renewed on disk is presented without a restart', async (t) => {
  const { year, replace } = await start(t);
  assert.equal(await year(), 2120);
  replace('tls-renewed-cert.pem', 'tls-renewed-key.pem');
  await eventually(async () => (await year()) === 2121);
});

test('files that are no pair are logged once, and the certificate before goes on being presented', async (t) => {
  const { year, replace, lines } = await start(t);
  replace('tls-renewed-cert.pem', 'tls-key.pem');
  const faults = () => lines.filter((line) => line.includes('TLS_CERT and TLS_KEY have changed and cannot be used'));
  await eventually(() => faults().length > 0);
  assert.equal(await year(), 2120);
  replace('tls-renewed-cert.pem', 'tls-renewed-key.pem');
  await eventually(async () => (await year()) === 2121);
  assert.equal(faults().length, 1);
});

test('Today is told when the certificate ends that is presented now', async (t) => {
  const service = await openTestService();
  t.after(service.close);
  const config = readConfig({ PROFILE: fixture('profile.yaml'), DATA_DIR: service.folder }, service.folder);
  let expiresAt = new Date('2027-01-01T00:00:00Z');
  const { services } = deskPortsOf(config, { ...service.opened, certificate: { expiresAt: () => expiresAt } });
  assert.equal((await services.upkeep()).certificateExpiresAt?.getUTCFullYear(), 2027);
  expiresAt = new Date('2028-01-01T00:00:00Z');
  assert.equal((await services.upkeep()).certificateExpiresAt?.getUTCFullYear(), 2028);
  assert.equal((await deskPortsOf(config, service.opened).services.upkeep()).certificateExpiresAt, null);
});
