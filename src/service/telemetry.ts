import type { AuditLog } from '../adapters/audit-log.ts';
import type { DurableStore } from '../adapters/store/store.ts';
import type { AuditEntry, CallRecord } from '../model/log-entry.ts';
import { StartFault } from './config/config.ts';
import type { Log } from './log.ts';

interface TelemetryOptions {
  readonly auditLog: AuditLog;
  /** The port that serves the metrics; undefined if they are off. */
  readonly metricsPort: number | undefined;
  readonly log: Log;
  readonly store: DurableStore;
  readonly now: () => Date;
}

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

/** Opens the records of calls and events: logs and metrics. Throws `StartFault` if METRICS_PORT is in use. */
export async function openTelemetry({ auditLog, metricsPort, log, store, now }: TelemetryOptions) {
  const metrics = metricsPort === undefined ? null : await openMetricsAt(metricsPort, store, now);
  return {
    record(call: CallRecord): void {
      metrics?.observe(call);
      if (call.cause !== undefined || call.code === 'INTERNAL_ERROR') logFailure(call, log);
      else if (isProbe(call)) log.debug(call, 'call');
      else log.call(call);
    },
    audit(entry: AuditEntry): void {
      metrics?.count(entry);
      auditLog.append(entry);
    },
    /** Counts a socket that was closed because its address has too many. Not logged: there may be many. */
    socketRefused: () => metrics?.count({ event: 'socket_refused' }),
    /** Counts and logs a request that could not be parsed or did not arrive in time. */
    requestRefused(code: string): void {
      metrics?.count({ event: 'request_refused' });
      log.info({ code }, 'malformed request');
    },
    metricsPort: metrics?.port,
    close: async () => await metrics?.close(),
  };
}

function logFailure({ cause, ...line }: CallRecord, log: Log): void {
  const level = line.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
  log[level]({ ...line, err: cause }, 'call failed');
}

/** Whether a client of an older MCP revision tried GET for a stream or DELETE for a session, and got 405. */
const isProbe = ({ surface, code }: CallRecord): boolean => surface === 'mcp' && code === 'METHOD_NOT_ALLOWED';

// Loaded only if needed: most services run without metrics.
async function openMetricsAt(port: number, store: DurableStore, now: () => Date) {
  const { openMetrics } = await import('../adapters/metrics.ts');
  return await openMetrics({ port, store, now }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFault(`METRICS_PORT: ${port} cannot be listened on: ${error.code}`);
  });
}
