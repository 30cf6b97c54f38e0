import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { pino } from 'pino';
import { toVisible } from 'resume-profile/text';
import type { AuditEntry, CallRecord } from '../model/log-entry.ts';
import { type Config, StartFault } from './config/config.ts';
import type { State } from './state.ts';

/** The log; `call` writes the line of a call at level info. */
export type Log = pino.Logger &
  Disposable & {
    call(record: CallRecord): void;
    /** Buffers lines until `release` is called, a line of level error is logged, `flush` is called, or the process exits. */
    hold(): void;
    release(): void;
  };

const errorLevel = pino.levels.values.error!;

/**
 * Opens the log on stderr, as JSON or text. Lines are buffered for 100 ms, unless a terminal shows the order of all output, or
 * one is an error. Disposing writes the buffer, as the exit of the process does.
 */
export function openLog(level: string, format: Config['logFormat'], stderr: LogOutput = process.stderr): Log {
  // Reading `process.stderr` sets O_NONBLOCK on a pipe or a socket, so that a slow reader cannot stop the service.
  const isTTY = stderr.isTTY === true;
  const isText = format === 'text' || (format === 'auto' && isTTY);
  const buffer = openLogBuffer({
    to: stderr === process.stderr ? 2 : stderr,
    flushLength: isTTY ? 0 : 16_384,
    onDropped: (lines) => log.warn({ lines }, 'log lines were dropped: stderr was not read, or its disk is full'),
  });
  const write = (line: string) => buffer.write(isText ? toLogText(line, stderr) : line);
  const destination = {
    // Makes pino set `lastLevel` before each line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      write(line);
      if (this.lastLevel >= errorLevel) buffer.flush();
    },
    flush: buffer.flush,
  };
  const formatters = { level: (label: string) => ({ level: label }) };
  const time = isoTime();
  const log = pino({ level, base: null, timestamp: time, formatters }, destination);
  const hasCalls = log.isLevelEnabled('info');
  return Object.assign(log, {
    call: (record: CallRecord) => hasCalls && write(toCallLine(record, time())),
    hold: buffer.hold,
    release: buffer.release,
    [Symbol.dispose]: buffer.close,
  });
}

/** Returns pino's line in a quarter of the time, which a read takes in all. Operation, surface and code need no escaping. */
function toCallLine({ operation, surface, caller, code, milliseconds, request }: CallRecord, time: string): string {
  const fields = `"operation":"${operation}","surface":"${surface}","caller":${JSON.stringify(caller)},"code":"${code}","milliseconds":${milliseconds}`;
  const id = request === undefined ? '' : `,"request":${JSON.stringify(request)}`;
  return `{"level":"info"${time},${fields}${id},"msg":"call"}\n`;
}

/** Returns a function that returns the `time` of a line, formatted at most once a millisecond. */
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

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

/** Opens the records of calls and events: logs and, at a port, metrics. Throws `StartFault` if METRICS_PORT is in use. */
export async function openTelemetry({ auditLog, store, now }: State, port: number | undefined, log: Log) {
  const metrics = port === undefined ? null : await openMetricsAt(port, store, now);
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
    /** Counts a socket that was closed because its address has too many. Not logged, because there may be many. */
    socketRefused: () => metrics?.count({ event: 'socket_refused' }),
    /** Counts and logs a request that could not be parsed or did not arrive in time. */
    requestRefused(code: string): void {
      metrics?.count({ event: 'request_refused' });
      log.info({ code }, 'malformed request');
    },
    metricsPort: metrics?.port,
    [Symbol.asyncDispose]: async () => await metrics?.close(),
  };
}

function logFailure({ cause, ...line }: CallRecord, log: Log): void {
  const level = line.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
  log[level]({ ...line, err: cause }, 'call failed');
}

/** Whether a client of an older MCP revision tried GET for a stream or DELETE for a session, and got 405. */
const isProbe = ({ surface, code }: CallRecord): boolean => surface === 'mcp' && code === 'METHOD_NOT_ALLOWED';

// Loaded lazily: most services run without metrics.
async function openMetricsAt(port: number, store: State['store'], now: State['now']) {
  const { openMetrics } = await import('../adapters/metrics.ts');
  return await openMetrics({ port, store, now }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFault(`METRICS_PORT: ${port} cannot be listened on: ${error.code}`);
  });
}

const levelStyles: Record<string, Parameters<typeof styleText>[0]> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: ['red', 'bold'],
};

/** Returns a JSON line as coloured text. Control characters are escaped, because a stranger may have sent a field. */
export function toLogText(line: string, stderr: LogOutput = process.stderr): string {
  const colour = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: stderr });
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { type, message, stack = message, ...details } = (err ?? {}) as Record<string, unknown>;
  const shownFields = Object.entries({ ...fields, ...details }).map(
    ([name, value]) => `${colour('gray', `${name}=`)}${toVisible(toValue(value))}`,
  );
  const label = String(level);
  const head = [colour('gray', String(time)), colour(levelStyles[label] ?? [], label.toUpperCase().padEnd(5))];
  const text = [...head, indent(msg), ...shownFields].join(' ');
  return `${text}${stack === undefined ? '' : `\n    ${indent(stack)}`}\n`;
}

const toValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"'=\\]+$/.test(value) ? value : JSON.stringify(value);

const indent = (text: unknown): string => toVisible(String(text)).replaceAll('\n', '\n    ');

type LogOutput = Writable & { readonly isTTY?: boolean };

interface LogBufferOptions {
  /** A non-blocking descriptor: a file, or a pipe or socket with O_NONBLOCK. Or a stream, which accepts everything. */
  readonly to: number | Writable;
  /** The number of buffered bytes for one write; 0 writes each line immediately. */
  readonly flushLength: number;
  /** Called when lines can be written again, with the number of lines dropped before. */
  readonly onDropped: (lines: number) => void;
}

/** The maximum wait of a line for others. */
const flushMs = 100;
const maxBytes = 1_048_576;
const exitWaitMs = 1_000;

/**
 * Buffers lines and writes them in order, also at the exit. Never throws or blocks: up to 1 MiB is retried. Pino's own
 * destination, sonic-boom, has no such mode: its `flushSync` never returns on a full disk.
 */
export function openLogBuffer({ to, flushLength, onDropped }: LogBufferOptions) {
  // Text is encoded immediately: a string of many lines would keep all their parts alive until the next flush.
  const bytes = Buffer.alloc(maxBytes);
  let length = 0;
  /** The number of bytes that the last flush could not write. */
  let refused = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let hasExitListener = false;
  let isHeld = false;

  /** Writes the buffer. Returns the code of the error if not all could be written. */
  function flush(): string | undefined {
    clearTimeout(timer);
    timer = undefined;
    let written = 0;
    try {
      while (written < length) written += writeSome(to, bytes.subarray(written, length));
    } catch (error) {
      timer = setTimeout(flush, flushMs).unref();
      return (error as NodeJS.ErrnoException).code;
    } finally {
      bytes.copyWithin(0, written, length);
      length -= written;
      refused = length;
    }
    if (dropped > 0) {
      const count = dropped;
      dropped = 0;
      onDropped(count);
      return flush();
    }
    return undefined;
  }

  function flushAtExit(): void {
    const deadline = performance.now() + exitWaitMs;
    // Blocks, because timers do not run during the exit.
    while (flush() === 'EAGAIN' && performance.now() < deadline)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }

  return {
    write(line: string): void {
      if (!hasExitListener) process.once('exit', flushAtExit);
      hasExitListener = true;
      // A character takes at most three bytes.
      if (length + 3 * line.length > maxBytes) {
        dropped += 1;
        return;
      }
      length += bytes.write(line, length);
      if (isHeld) return;
      if (length - refused >= flushLength) flush();
      else timer ??= setTimeout(flush, flushMs).unref();
    },
    flush,
    /** Writes the buffer; the rest is retried at the exit of the process. */
    close(): void {
      if (flush() === undefined) process.off('exit', flushAtExit);
    },
    hold(): void {
      isHeld = true;
    },
    release(): void {
      isHeld = false;
      flush();
    },
  };
}

function writeSome(to: number | Writable, bytes: Buffer): number {
  if (typeof to === 'number') return writeSync(to, bytes);
  to.write(Buffer.from(bytes));
  return bytes.length;
}
