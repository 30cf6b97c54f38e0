import { pino } from 'pino';
import type { AuditLog } from '../adapters/audit-log.ts';
import type { DurableStore } from '../adapters/store/store.ts';
import type { AuditEntry, CallRecord } from '../operations/ports.ts';
import { type Config, StartFault } from './config.ts';
import { openLogBuffer } from './log-buffer.ts';
import { toLogText } from './log-text.ts';

export type Log = pino.Logger & Disposable;

const errorLevel = pino.levels.values.error!;

/**
 * Opens the log on stderr: a JSON object a line, or text for a person; `auto` is text if stderr is a terminal. Lines are gathered
 * for 100 ms unless stderr is a terminal, where they keep their order among other output; a line of level error or above is
 * written at once. Disposing writes what was gathered, as the exit of the process does.
 */
export function openLog(level: string, format: Config['logFormat']): Log {
  // Reading `process.stderr` sets O_NONBLOCK if it is a pipe or a socket, so that a reader that is slow cannot stop the service.
  const { isTTY } = process.stderr;
  const isText = format === 'text' || (format === 'auto' && isTTY);
  const buffer = openLogBuffer({
    fd: 2,
    flushLength: isTTY ? 0 : 16_384,
    onDropped: (lines) => log.warn({ lines }, 'log lines were dropped: stderr was not read, or its disk is full'),
  });
  const destination = {
    // Makes pino set `lastLevel` before each line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      buffer.write(isText ? toLogText(line) : line);
      if (this.lastLevel >= errorLevel) buffer.flush();
    },
    flush: buffer.flush,
  };
  const formatters = { level: (label: string) => ({ level: label }) };
  const log = pino({ level, base: null, timestamp: isoTime(), formatters }, destination);
  return Object.assign(log, { [Symbol.dispose]: () => log.flush() });
}

/** Returns a function that returns the `time` of a line. It is formatted once a millisecond, which under load is once for many lines. */
function isoTime(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

interface Options {
  readonly auditLog: AuditLog;
  /** The port that serves the metrics; undefined if they are off. */
  readonly metricsPort: number | undefined;
  readonly log: Log;
  readonly store: DurableStore;
  readonly now: () => Date;
}

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

/** Opens what calls and events are recorded in: the log, the audit log and the metrics. Throws `StartFault` if METRICS_PORT is in use. */
export async function openTelemetry({ auditLog, metricsPort, log, store, now }: Options) {
  const metrics = metricsPort === undefined ? null : await openMetricsAt(metricsPort, store, now);
  return {
    record(call: CallRecord): void {
      metrics?.observe(call);
      const { cause, ...line } = call;
      if (call.code === 'INTERNAL_ERROR') log.error({ ...line, err: cause }, 'call failed');
      else if (cause !== undefined) log.warn({ ...line, err: cause }, 'call failed');
      else if (isProbe(call)) log.debug(line, 'call');
      else log.info(line, 'call');
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

/** Whether a client of an older MCP revision tried GET for a stream or DELETE for a session, which is answered with 405. */
const isProbe = ({ surface, code }: CallRecord): boolean => surface === 'mcp' && code === 'METHOD_NOT_ALLOWED';

// Loaded only if needed: most services run without metrics.
async function openMetricsAt(port: number, store: DurableStore, now: () => Date) {
  const { openMetrics } = await import('../adapters/metrics.ts');
  return await openMetrics({ port, store, now }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFault(`METRICS_PORT: ${port} cannot be listened on: ${error.code}`);
  });
}
