import { pino } from 'pino';
import type { CallRecord } from '../../model/log-entry.ts';
import type { Config } from '../config/config.ts';
import { openLogBuffer } from './log-buffer.ts';
import { toLogText } from './log-text.ts';

/** The log; `call` writes the line of a call at level info. */
export type Log = pino.Logger & Disposable & { call(record: CallRecord): void };

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
  const write = (line: string) => buffer.write(isText ? toLogText(line) : line);
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
    [Symbol.dispose]: () => log.flush(),
  });
}

/**
 * Returns the line that pino would write, in a quarter of the time: pino's took as long as all else that a read needs. The names
 * of operation, surface and code are our own and hold nothing to escape.
 */
function toCallLine({ operation, surface, caller, code, milliseconds, request }: CallRecord, time: string): string {
  const fields = `"operation":"${operation}","surface":"${surface}","caller":${JSON.stringify(caller)},"code":"${code}","milliseconds":${milliseconds}`;
  const id = request === undefined ? '' : `,"request":${JSON.stringify(request)}`;
  return `{"level":"info"${time},${fields}${id},"msg":"call"}\n`;
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
