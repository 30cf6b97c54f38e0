import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AuditEntry, CallRecord } from '../model/log-entry.ts';
import type { DurableStore } from './store/store.ts';

interface MetricsOptions {
  readonly port: number;
  readonly store: { readonly outbox: Pick<DurableStore['outbox'], 'state'> };
  readonly now: () => Date;
}

/** Serves Prometheus metrics on a loopback port of their own. Throws the system's error if it cannot listen. */
export async function openMetrics({ port, store, now }: MetricsOptions) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const calls = new Counter({
    name: 'candidate_profile_calls_total',
    help: 'Calls of operations, by surface and outcome (OK or the error code)',
    labelNames: ['operation', 'surface', 'code'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'candidate_profile_call_seconds',
    help: 'How long calls took',
    labelNames: ['operation', 'surface'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const events = new Counter({
    name: 'candidate_profile_events_total',
    help: 'Tokens issued and refused, limits hit and the other events of the audit log',
    labelNames: ['event', 'operation'] as const,
    registers,
  });
  const age = new Gauge({
    name: 'candidate_profile_outbox_oldest_seconds',
    help: 'How long the oldest waiting notice has waited; 0 if none waits',
    registers,
  });
  const notices = new Gauge({
    name: 'candidate_profile_outbox_notices',
    help: 'Notices to the owner that have not been sent: waiting, or given up as dead letters',
    labelNames: ['state'] as const,
    registers,
  });

  // Set here rather than by each gauge's `collect`, so that both gauges come from one read of the store.
  async function toText(): Promise<string> {
    const { waiting, dead, oldestAt } = await store.outbox.state();
    notices.set({ state: 'waiting' }, waiting);
    notices.set({ state: 'dead' }, dead);
    age.set(oldestAt === null ? 0 : Math.max(0, (now().getTime() - oldestAt.getTime()) / 1_000));
    return await register.metrics();
  }

  const server = createServer((request, response) => {
    // A page in a browser on this machine could reach the port through DNS rebinding.
    const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
    const isScrape = isLocal && request.url === '/metrics' && request.method === 'GET';
    const page = isScrape ? toText() : Promise.resolve('GET /metrics\n');
    page.then(
      (text) => response.writeHead(isScrape ? 200 : 404, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    observe({ operation, surface, code, milliseconds }: CallRecord): void {
      calls.inc({ operation, surface, code });
      seconds.observe({ operation, surface }, milliseconds / 1_000);
    },
    count: ({ event, operation = '' }: Pick<AuditEntry, 'operation'> & { event: string }) =>
      events.inc({ event, operation }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
