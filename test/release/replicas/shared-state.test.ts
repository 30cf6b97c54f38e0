import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formPost, formTokenOf } from '../../support/desk.ts';
import { isFull, report, scaled } from '../../support/figures.ts';
import { legacy, posted } from '../../support/mcp-service.ts';
import { postJson } from '../../support/post-json.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, runCommand } from '../../support/process.ts';
import { startReplicas } from '../../support/replicas.ts';

const server = await startPostgres(['fsync=off']);
const database = await server.createDatabase();
const replicas = await startReplicas({ after }, database, { env: { LIMITS: '1' } });
after(() => server.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const admitted = (answers: readonly Response[]) => answers.filter(({ status }) => status < 300).length;

/** Makes requests, up to 20 at once; each of them goes to another replica than the one before. */
async function times<Result>(count: number, make: (n: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let done = 0; done < count; done += 20)
    results.push(...(await Promise.all(Array.from({ length: Math.min(20, count - done) }, (_, n) => make(done + n)))));
  return results;
}

const tokenFor = (email: string, address: string) =>
  fetch(`${replicas.url}/auth/token`, postJson({ email }, from(address)));
const tokenOf = async (answer: Response) => ((await answer.json()) as { access_token: string }).access_token;

test('both replicas together admit a quota of tokens and requests once, and each its quota of reads', async () => {
  const addresses = Array.from({ length: scaled(20, 2) }, (_, n) => `192.0.2.${n + 1}`);
  const rounds = [];
  for (const address of addresses) {
    const asked = await times(100, (n) =>
      tokenFor(`visitor-${n % 20}@${address.replaceAll('.', '-')}.example.org`, address),
    );
    const tokens = await Promise.all(asked.filter(({ ok }) => ok).map(tokenOf));
    const contacts = await times(100, (n) => {
      const body = {
        name: 'Ada',
        email: 'ada@example.org',
        company: 'Engines',
        message: `Message ${n} from ${address}`,
      };
      return fetch(
        `${replicas.url}/contact`,
        postJson(body, { ...bearer(tokens[n % tokens.length]!), ...from(address) }),
      );
    });
    const reads = await times(600, () => fetch(`${replicas.url}/candidate`, { headers: bearer(tokens[0]!) }));
    for (const { status } of [...asked, ...contacts, ...reads].filter(({ ok }) => !ok)) assert.equal(status, 429);
    rounds.push([asked, contacts, reads].map(admitted));
  }
  assert.deepEqual(rounds, Array(addresses.length).fill([10, 10, 240]));
  report(
    'a rate limit through both',
    `${addresses.length} addresses, each 100 token requests and 100 contact requests at once: 10 and 10 admitted of each address, as one replica does (quota ± 0). Reads are counted in memory by each replica: 240 of 600, 120 on each`,
  );
});

test('a racing contact request with one idempotency key is stored once, on whichever replica it arrives', async () => {
  const keys = scaled(300, 20);
  const racing = 10;
  const ids: string[] = [];
  // A visitor may send five an hour.
  for (let done = 0; done < keys; done += 4) {
    const address = `198.51.100.${1 + done / 4}`;
    const token = await tokenOf(await tokenFor(`racer-${done}@example.org`, address));
    const batch = await times(4 * racing, async (n) => {
      const key = done + Math.floor(n / racing);
      const body = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: `Message ${key}` };
      const headers = { ...bearer(token), ...from(address), 'idempotency-key': `key-${key}` };
      const answer = await fetch(`${replicas.url}/contact`, postJson(body, headers));
      assert.equal(answer.status, 201);
      return [key, ((await answer.json()) as { id: string }).id] as const;
    });
    for (const [key, answers] of Map.groupBy(batch, ([key]) => key)) {
      assert.equal(answers.length, racing);
      assert.equal(new Set(answers.map(([, id]) => id)).size, 1, `key ${key}`);
      ids.push(answers[0]![1]);
    }
  }
  const rows = await runSql(database, "select id from contacts where subject like 'racer-%'");
  assert.equal(rows.length, keys);
  assert.deepEqual(rows.map(({ id }) => id).sort(), ids.sort());
  report('300 idempotency keys × 10 racing requests', `${keys} keys: ${rows.length} rows, one id a key`);
});

test('what one replica signs or starts, the other accepts: links, forms, sessions, revocations', async () => {
  const [one, other] = replicas.replicas.map(({ url }) => url) as [string, string];
  const token = await tokenOf(await tokenFor('reader@example.org', '203.0.113.1'));
  const { url: pdf } = (await (await fetch(`${one}/resume?format=pdf`, { headers: bearer(token) })).json()) as {
    url: string;
  };
  const elsewhere = await fetch(other + pdf.slice(replicas.url.length));
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('content-type')], [200, 'application/pdf']);

  const { stdout, stderr } = await runCommand({ after }, ['desk'], replicas.shared);
  const path = stdout.trim().slice(replicas.url.length);
  assert.match(path, /^\/desk\/sign-in\?link=[\w-]{43}$/, stderr);
  const form_token = formTokenOf(await (await fetch(one + path)).text());
  const link = new URL(stdout.trim()).searchParams.get('link')!;
  const confirmed = await fetch(`${other}/desk/sign-in/confirm`, formPost({ form_token, link }));
  assert.equal(confirmed.status, 303);
  const cookie = confirmed.headers.getSetCookie()[0]!.split(';')[0]!;

  const desk = (url: string) => fetch(url, { headers: { cookie } }).then((answer) => answer.text());
  const [reader] = /\/desk\/readers\/[\w-]+(?=">[^\n]*reader@example\.org)/.exec(await desk(`${one}/desk/readers`))!;
  const statusOf = async (call: Promise<Response>) => (await call).status;
  const rest = () => statusOf(fetch(`${other}/candidate`, { headers: bearer(token) }));
  const mcp = () => {
    const { headers, body } = posted(legacy('tools/list'));
    return statusOf(
      fetch(`${other}/mcp`, {
        method: 'POST',
        headers: [...headers, ['authorization', `Bearer ${token}`]],
        body,
        duplex: 'half',
      } as RequestInit),
    );
  };
  assert.deepEqual([await rest(), await mcp()], [200, 200]);
  const revoked = await fetch(
    `${one}${reader}/revoke`,
    formPost({ form_token: formTokenOf(await desk(`${other}${reader}`)) }, { cookie }),
  );
  assert.equal(revoked.status, 303);
  const revokedAt = performance.now();
  await eventually(async () => (await rest()) === 401 && (await mcp()) === 401);
  const milliseconds = Math.round(performance.now() - revokedAt);
  if (isFull) assert.ok(milliseconds <= 2_000, `${milliseconds} ms`);
  report('a revocation on one, tried on the other', `401 on REST and MCP after ${milliseconds} ms`);
});
