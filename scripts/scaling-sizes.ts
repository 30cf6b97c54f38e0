import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { callTool, mcpRequest } from '../bench/mcp-messages.ts';
import { ask, get, type Request } from '../bench/request.ts';
import type { Server } from '../bench/server-process.ts';
import { checkoutLauncher, startService } from '../bench/service.ts';
import { openSqlite } from '../src/adapters/store/sqlite/sqlite.ts';
import { openStore } from '../src/adapters/store/store.ts';
import { byAddress } from '../src/model/visitor.ts';
import { toEmail } from '../src/operations/digest.ts';
import { toAccessNotice, toContactNotice } from '../src/operations/notices.ts';
import { eventually } from '../test/support/process.ts';
import type { Sizes } from './scaling-arithmetic.ts';

const browser = {
  accept: 'text/html,application/xhtml+xml',
  'accept-encoding': 'gzip',
  'sec-fetch-site': 'same-origin',
};

type Cost = 'landingCost' | 'profileCost';

/** Measures the sample profile, served by a process of its own: what it sends, what it stores, and the CPU of its pages. */
export const measureSizes = (): Promise<Sizes> =>
  withService(async (server, folder) => ({ ...(await measureBytes(server, folder)), ...(await measureCosts(server)) }));

/** Measures all but the CPU, in a few seconds, in this checkout: the package sends and stores the same. */
export const measureSizesAlone = (): Promise<Omit<Sizes, Cost>> =>
  withService(measureBytes, { launcher: checkoutLauncher });

async function withService<Measured>(
  measure: (server: Server, folder: string) => Promise<Measured>,
  launch?: { readonly launcher: string },
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'candidate-profile-scaling-'));
  try {
    await using server = await startService(folder, launch);
    return await measure(server, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const measureBytes = async (server: Server, folder: string): Promise<Omit<Sizes, Cost>> => ({
  ...(await measureResponses(server, folder)),
  ...(await measureRows(folder)),
});

const landing = get('/', { headers: browser, isAnonymous: true });

async function measureResponses(server: Server, folder: string) {
  const { url } = server;
  const readsOfPage = await countReadsOfPage(server, folder);
  const bytesOf = async (request: Request) => (await ask(server, request)).bytes;
  const page = await ask(server, landing);
  const paths = [...page.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  let assets = 0;
  for (const path of paths) assets += await bytesOf(get(path, { headers: browser, isAnonymous: true }));
  const link = JSON.parse((await ask(server, get('/resume?format=pdf'))).body).url as string;

  const issue = (email: string) => sent('/auth/token', JSON.stringify({ email }), 'application/json');
  const entriesOf = (pattern: string, kind: string) =>
    globSync(join(folder, pattern))
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line.includes(kind));
  for (let index = 0; index < 200; index += 1) await ask(server, issue(`first.last${index}@example.org`));
  const audited = entriesOf('candidate-profile/audit/*', '"token_issued"');
  for (let index = 0; index < 200; index += 1) await ask(server, get('/candidate'));
  // The log is written a moment later.
  const logged = await eventually(() => {
    const lines = entriesOf('candidate-profile.log', '"get_candidate"');
    return lines.length >= 200 && lines;
  });

  return {
    landing: page.bytes,
    assets,
    profile: (await ask(server, await profileRequest(server))).bytes,
    pdf: await bytesOf(get(link.replace(url, ''), { isAnonymous: true })),
    token: await bytesOf(issue('reader@example.org')),
    toolsList: await bytesOf(mcpRequest('2026-07-28', 'tools/list', {})),
    toolsCall: await bytesOf(callTool('2026-07-28', 'list_experience')),
    logLine: meanLength(logged),
    auditLine: meanLength(audited),
    readsOfPage,
  };
}

const sent = (path: string, body: string, type: string): Request => ({
  method: 'POST',
  path,
  headers: { ...(type === 'application/json' ? {} : browser), 'content-type': type },
  body,
  status: 200,
  isAnonymous: true,
});

/** The page with the profile, for a visitor who has entered an address. */
async function profileRequest(server: Server): Promise<Request> {
  const { body } = await ask(server, landing);
  const formToken = /name="form_token" value="([^"]*)"/.exec(body)![1]!;
  const fields = new URLSearchParams({ form_token: formToken, email: 'first.last@example.org' });
  const form = sent('/', String(fields), 'application/x-www-form-urlencoded');
  const { headers } = await ask(server, { ...form, status: 303 });
  const [cookie = ''] = String(headers['set-cookie']).split(';');
  return get('/', { headers: { ...browser, cookie }, isAnonymous: true });
}

const meanLength = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / lines.length;

/** Opens the page with the profile for the first time, and counts what it adds to the record, which is stored at once a second later. */
async function countReadsOfPage(server: Server, folder: string): Promise<number> {
  using database = new DatabaseSync(join(folder, 'candidate-profile/candidate-profile.db'), { readOnly: true });
  const counted = database.prepare("select count(*) as count from reads where surface = 'web'");
  await ask(server, await profileRequest(server));
  return await eventually(() => Number(counted.get()!.count) || false);
}

/** Measures the CPU of the pages against that of a read, by the same client in turn; the ratios are medians. */
async function measureCosts(server: Server) {
  const opened = await profileRequest(server);
  const [read, before, after] = [get('/candidate'), landing, opened];
  const ratios: { landing: number; profile: number }[] = [];
  for (let round = -1; round < 5; round += 1) {
    const base = await cpuOf(server, read, 10_000);
    const costs = {
      landing: (await cpuOf(server, before, 2_000)) / base,
      profile: (await cpuOf(server, after, 2_000)) / base,
    };
    if (round >= 0) ratios.push(costs); // the first round warms up
  }
  const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)]!;
  return {
    landingCost: median(ratios.map(({ landing }) => landing)),
    profileCost: median(ratios.map(({ profile }) => profile)),
  };
}

async function cpuOf(server: Server, { method, path, headers, body, isAnonymous }: Request, count: number) {
  const before = server.cpuMs();
  const authorization = isAnonymous ? {} : { authorization: `Bearer ${server.token}` };
  const one = async () => {
    for (let index = 0; index < count / 16; index += 1) {
      const response = await fetch(server.url + path, {
        method,
        headers: { ...headers, ...authorization },
        ...(body !== undefined && { body }),
      });
      if (response.status !== 200) throw new Error(`${method} ${path} answers ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return (server.cpuMs() - before) / count;
}

/** Stores rows as a visitor causes them, and divides the pages that each table has then. */
async function measureRows(folder: string) {
  const path = join(folder, 'rows.db');
  const store = await openStore(openSqlite(path));
  const count = 2_000;
  const now = new Date('2026-11-21T12:00:00Z');
  const tokens = Array.from({ length: count }, (_, index) => ({
    jti: index.toString(16).padStart(32, '0'),
    subject: byAddress(`first.last${index}@example.org`),
    issuedAt: now,
    expiresAt: new Date('2026-12-21T12:00:00Z'),
  }));
  const noticesOf = tokens.map((token) => toAccessNotice(token, '198.51.100.100'));
  for (const [index, token] of tokens.entries()) await store.tokens.add(token, noticesOf[index]!, [], now);
  const reads = tokens.map((token) => ({
    token,
    subjectHashes: [],
    reads: [
      {
        operation: 'list_experience',
        item: null,
        surface: 'rest' as const,
        client: 'Mozilla/5.0 (X11; Linux x86_64)',
        readAt: now,
      },
    ],
  }));
  await store.reads.add(reads);
  const ofTokens = sizesIn(path);
  for (const { jti, subject } of tokens) {
    const id = `contact_${jti}`;
    const text = {
      name: 'First Last',
      email: subject.address,
      company: 'Example Engines',
      message: 'Shall we talk? '.repeat(33),
    };
    const contact = { ...text, id, subject, receivedAt: now };
    await store.contacts.add(contact, toContactNotice(contact), null, []);
  }
  const all = sizesIn(path);
  await store.close();
  const digest = toEmail(noticesOf, {
    baseUrl: 'https://profile.example.org',
    candidateName: 'Lena Vasquez',
    readerIdOf: (visitor) => visitor,
  });
  return {
    tokenRow: ofTokens('issued_tokens') / count,
    noticeRow: ofTokens('outbox') / count,
    readRow: ofTokens('reads') / count,
    messageRow: (all('contacts') + all('outbox') - ofTokens('outbox')) / count,
    digest: Buffer.byteLength(digest.text),
  };
}

/** Returns a function to the bytes of the pages of a table and its indexes. */
function sizesIn(path: string): (table: string) => number {
  using database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      'select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name',
    )
    .all();
  const bytes = new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
  return (table) => bytes.get(table)!;
}
