import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientOf } from '../../support/mcp-service.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql } from '../../support/postgres.ts';

/** The measurements of requests: the faults, and how long each took. */
export interface Measured {
  readonly faults: string[];
  readonly milliseconds: number[];
}

/** One answer to a write: its status (0 if there was none), how long it took and when it came. */
export interface Written {
  readonly status: number;
  readonly milliseconds: number;
  readonly at: number;
}

const betweenReadsMilliseconds = 20;
const betweenWritesMilliseconds = 30;

/** Reads from each replica over REST and MCP until the test ends; `take` returns what was measured since the last call. */
export async function startReading(t: TestContext, urls: readonly string[], token: string) {
  let measured: Measured = { faults: [], milliseconds: [] };
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const headers = { authorization: `Bearer ${token}` };

  async function readEndlessly(read: () => Promise<string | null>): Promise<void> {
    while (!isOver) {
      const from = performance.now();
      const fault = await read().catch((error: Error) => String(error.cause ?? error));
      if (isOver) return;
      measured.milliseconds.push(performance.now() - from);
      if (fault !== null) measured.faults.push(fault);
      await pause(betweenReadsMilliseconds);
    }
  }

  for (const url of urls) {
    const mcp = clientOf('modern');
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
    void readEndlessly(async () => {
      const response = await fetch(`${url}/experience?current=true`, { headers });
      const body = await response.text();
      return response.status === 200 ? null : `${response.status} ${body}`;
    });
    void readEndlessly(async () => {
      const result = await mcp.callTool({ name: 'list_projects', arguments: {} });
      return result.isError ? JSON.stringify(result.content) : null;
    });
  }
  return {
    take(): Measured {
      const taken = measured;
      measured = { faults: [], milliseconds: [] };
      return taken;
    },
  };
}

/** Writes to each replica by so many writers, each message once, until `stop`; what was answered with 201 is acknowledged. */
export function startWriting(t: TestContext, urls: readonly string[], token: string, writersPerReplica = 2) {
  const acknowledged = new Map<string, string>(); // of each id, its message
  let written: Written[] = [];
  let isOver = false;
  t.after(() => {
    isOver = true;
  });

  async function writeEndlessly(url: string, writer: string): Promise<void> {
    for (let count = 1; !isOver; count += 1) {
      const message = `message ${count} of writer ${writer}`;
      const from = performance.now();
      const { status, id } = await write(url, token, message);
      const at = performance.now();
      written.push({ status, milliseconds: at - from, at });
      if (status === 201) acknowledged.set(id, message);
      await pause(betweenWritesMilliseconds);
    }
  }

  const writing = Promise.all(
    urls.flatMap((url, replica) =>
      Array.from({ length: writersPerReplica }, (_, writer) => writeEndlessly(url, `${replica}.${writer}`)),
    ),
  );
  return {
    acknowledged,
    /** Returns the answers since the last call. */
    take(): Written[] {
      const taken = written;
      written = [];
      return taken;
    },
    /** Ends after the writes that are under way. */
    async stop(): Promise<void> {
      isOver = true;
      await writing;
    },
  };
}

/** Sends a contact request; the status is 0 if the connection fails. */
export async function write(url: string, token: string, message: string): Promise<{ status: number; id: string }> {
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message };
  try {
    const response = await fetch(`${url}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));
    const { id = '' } = (await response.json()) as { id?: string };
    return { status: response.status, id };
  } catch {
    return { status: 0, id: '' };
  }
}

/** Returns those acknowledged contact requests that are not stored. */
export async function lostOf(databaseUrl: string, ...acknowledged: ReadonlyMap<string, string>[]) {
  const stored = await runSql(databaseUrl, 'select id, message from contacts');
  const kept = new Map(stored.map(({ id, message }) => [id, message]));
  return acknowledged.flatMap((those) => [...those]).filter(([id, message]) => kept.get(id) !== message);
}

/** Returns what `/readyz` says of the store. */
export async function storeState(url: string): Promise<string> {
  const response = await fetch(`${url}/readyz`);
  return ((await response.json()) as { store: string }).store;
}

/** Returns the 99th percentile and the longest, as printed. */
export function toLatency(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  return `p99 ${p99.toFixed(1)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}

/** Returns seconds as printed. */
export const toSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
