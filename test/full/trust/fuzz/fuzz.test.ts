import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { confirmLink } from '../../../support/desk.ts';
import { report, scaled } from '../../../support/figures.ts';
import { fixture } from '../../../support/files.ts';
import { eventually, runCommand, startProcess } from '../../../support/process.ts';
import { randomOf } from '../../../support/random.ts';
import { documents, readEndpoints } from './endpoints.ts';
import { mutate, type Wire } from './mutations.ts';

const firstSeed = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000));
const seeds = scaled([firstSeed, firstSeed + 1, firstSeed + 2], [firstSeed]);
const requestsPerSeed = scaled(33_400, 1_500);
const collected = 'collected';
// The last-resort collection also returns empty pages to the operating system.
const collect = "gc({type:'major',execution:'sync',flavor:'last-resort'})";
const onSignal = `process.on('SIGUSR2',()=>{${collect};console.error('${collected}')})`;

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Returns what is wrong with a response, null if it is a valid one. */
function faultOf({ endpoint, method }: Wire, { status, type, body }: Answer): string | null {
  if (status >= 500) return 'a 5xx';
  // The reference and the OpenAPI document name the code.
  const isDocument = status === 200 && documents.includes(endpoint.slice('GET '.length));
  if (!isDocument && (body.includes('INTERNAL_ERROR') || body.includes('-32603'))) return 'an unexpected error';
  if (status < 400 || method === 'HEAD') return null;
  // A mutated path may be that of a page, whose failures are pages.
  if (type === 'text/html; charset=utf-8' && body.endsWith('</html>\n')) return null;
  return type === 'application/json' && isErrorBody(JSON.parse(body)) ? null : 'no error body';
}

/** Whether a body is `{error: {code, message}}` and nothing else, or a JSON-RPC error. */
function isErrorBody({ error, ...rest }: { error: Record<string, unknown>; jsonrpc?: string }): boolean {
  if (rest.jsonrpc === '2.0') return Number.isInteger(error.code) && typeof error.message === 'string';
  const { code, message, ...more } = error;
  return typeof code === 'string' && typeof message === 'string' && Object.keys({ ...rest, ...more }).length === 0;
}

function isSuccess({ endpoint }: Wire, { status, body }: Answer): boolean {
  if (!endpoint.startsWith('POST /mcp')) return status < 400;
  return status === 200 && body.includes('"result":') && !body.includes('"isError":true');
}

test(`no mutation of a valid request causes a 5xx or an unexpected error (seeds ${seeds}) [ERROR-2] [TRUST-14] [TRUST-17] [TRUST-18]`, async (t) => {
  const service = await startProcess(t, {
    PROFILE: fixture('profile.yaml'),
    MCP_MUTATIONS: 'true',
    LIMITS: 'off',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${onSignal}`,
  });
  const { hostname, port } = new URL(service.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  t.after(() => agent.destroy());

  async function send(wire: Wire, connections: Agent | false = agent): Promise<Answer> {
    const { method, body, isChunked } = wire;
    // Node's HTTP client rejects other characters.
    const path = wire.target.toWellFormed().replace(/[^\x21-\xff]/gu, encodeURIComponent);
    const framed = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(body?.length) };
    const headers = { ...wire.headers, ...(body && framed) };
    const outgoing = request({ hostname, port, agent: connections, method, path, headers });
    // If the parser fails, the response has a body even for HEAD, because the method is unknown.
    outgoing.on('error', () => {});
    try {
      const [incoming] = (await once(outgoing.end(body), 'response')) as [IncomingMessage];
      return { status: incoming.statusCode!, type: incoming.headers['content-type'], body: await text(incoming) };
    } catch (cause) {
      // A kept-alive connection may be closed between two requests; a new one must get the response.
      if (connections !== false) return send(wire, false);
      throw new Error(`No answer to ${describe(wire)}`, { cause });
    }
  }
  const describe = (wire: Wire) => JSON.stringify({ ...wire, body: wire.body?.toString('latin1') }).slice(0, 2_000);

  const settings = { PROFILE: fixture('profile.yaml'), PORT: port };
  const { stdout: link } = await runCommand(t, ['desk'], settings, service.folder);
  const cookie = await confirmLink(link.trim());
  const groups = await readEndpoints(service.url, await service.token(), cookie);
  function* wiresOf(seed: number, count: number): Generator<Wire> {
    const random = randomOf(seed);
    for (let left = count; left > 0; left -= 1) yield mutate(random.pick(random.pick(groups))(random), random);
  }

  const tally = new Map<string, { sent: number; succeeded: number }>();
  async function sendAll(wires: Iterable<Wire>): Promise<void> {
    const sendInTurn = async () => {
      for (const wire of wires) {
        const answer = await send(wire);
        const fault = faultOf(wire, answer);
        if (fault !== null) assert.fail(`${fault}: ${JSON.stringify(answer)} to ${describe(wire)}`);
        const { sent, succeeded } = tally.get(wire.endpoint) ?? { sent: 0, succeeded: 0 };
        tally.set(wire.endpoint, { sent: sent + 1, succeeded: succeeded + (isSuccess(wire, answer) ? 1 : 0) });
      }
    };
    await Promise.all(Array.from({ length: 16 }, sendInTurn));
  }
  /** The resident memory of the service after a garbage collection. */
  async function residentMebibytes(): Promise<number> {
    const { length } = service.lines;
    service.kill('SIGUSR2');
    await eventually(() => service.lines.includes(collected, length));
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024;
  }

  await sendAll(wiresOf(firstSeed - 1, scaled(5_000, 500)));
  tally.clear();
  const before = await residentMebibytes();
  for (const seed of seeds) await sendAll(wiresOf(seed, requestsPerSeed));
  const growth = Math.round((await residentMebibytes()) - before);

  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal((await fetch(`${service.url}/desk`, { headers: { cookie } })).status, 200);
  assert.deepEqual(
    service.lines.filter((line) => line !== collected && !/^\{"level":"warn".*\}$/.test(line)),
    [],
  );
  assert.ok(growth <= 64, `grew by ${growth} MiB`);
  const shares = [...tally].map(([endpoint, { sent, succeeded }]) => ({ endpoint, sent, share: succeeded / sent }));
  // With fewer requests the share is not significant.
  const compared = shares.filter(({ sent }) => sent >= 150);
  for (const posted of ['POST /auth/token', 'POST /contact'])
    assert.ok(compared.some(({ endpoint }) => endpoint === posted));
  assert.deepEqual(
    compared.filter(({ share }) => share < 0.05),
    [],
  );
  const total = shares.reduce((sum, { sent }) => sum + sent, 0).toLocaleString('en');
  const least = Math.floor(Math.min(...compared.map(({ share }) => share)) * 100);
  report(
    'fuzz, schema-aware, mutating valid requests so that each POST succeeds in ≥ 5 %',
    `${total} requests to ${shares.length} endpoints, tools and resources, seeds ${seeds.join(', ')}: 0 5xx, 0 unhandled rejections, every error in the error shape; at least ${least} % of each succeed; memory grows by ${growth} MiB`,
  );
});
