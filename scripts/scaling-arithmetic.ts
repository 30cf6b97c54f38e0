import { maxWaiting } from '../src/adapters/reader-record.ts';
import { noticesPerMail } from '../src/adapters/store/outbox.ts';
import { limitsOf } from '../src/adapters/store/postgres/pool.ts';
import { readsInAll } from '../src/adapters/store/reads.ts';
import { maxCachedTokens as cachedTokens } from '../src/adapters/tokens/tokens.ts';
import { mailsPerHourOf } from '../src/model/notice.ts';
import type { Quota } from '../src/model/quota.ts';
import { createAuthToken } from '../src/operations/auth.ts';
import { createContact } from '../src/operations/contact.ts';
import type { Operation } from '../src/operations/operation.ts';
import { subscriptionLimits } from '../src/surfaces/mcp/http.ts';

/** The assumptions about a day: change them, and run `node scripts/scaling.ts`. */
export const assumptions = {
  readers: { value: 1_000_000, meaning: 'readers a day, each with a token of its own' },
  peak: { value: 3, meaning: 'times as many in the busiest hour as on average' },
  agentShare: { value: 0.2, meaning: 'of the readers come by MCP, the others with a browser' },
  callsOfAgent: { value: 8, meaning: 'calls of an agent, the first of which lists the tools' },
  pdfShare: { value: 0.3, meaning: 'of the readers download the PDF' },
  messageShare: { value: 0.01, meaning: 'of the readers write a message' },
  listeners: { value: 0.01, meaning: 'of the agents keep a stream open for changes' },
  streamMinutes: { value: 60, meaning: 'minutes that such a stream is open' },
  socketSeconds: { value: 15, meaning: 'seconds that a reader keeps a connection open' },
  tokenDays: { value: 30, meaning: 'days that a token is valid (`TOKEN_TTL`)' },
  mailDays: { value: 7, meaning: 'days that a sent notice is kept (`KEEP_MAIL`)' },
  readDays: { value: 90, meaning: 'days that reads are to be kept (`KEEP_READS`)' },
  auditDays: { value: 90, meaning: 'days that the audit log is kept (`KEEP_AUDIT`)' },
  replicas: { value: 2, meaning: 'replicas, and one more during a roll-out' },
  serverEuros: { value: 6.49, meaning: 'euros a month for a server of 4 vCPU and 8 GB' },
  diskEuros: { value: 0.0572, meaning: 'euros a month for a GB of disk' },
  trafficEuros: { value: 1, meaning: 'euros for a TB sent beyond what is included' },
  includedTb: { value: 20, meaning: 'TB a month included with each server' },
} as const;

/** The inputs of the arithmetic besides the benchmarks: bytes, unless the name says otherwise. */
export const sizeNames = {
  landing: 'the page before access',
  assets: 'style, script and fonts of the first page',
  profile: 'the page with the profile',
  pdf: 'the resume PDF',
  token: 'the response with a token',
  toolsList: 'an answer to `tools/list`',
  toolsCall: 'an answer to `tools/call`',
  logLine: 'a line of the log',
  auditLine: 'an entry of the audit log',
  tokenRow: 'a token in the database, with its indexes',
  noticeRow: 'a notice of a token in the database',
  readRow: 'a read in the database',
  messageRow: 'a message in the database, with its notice',
  digest: 'a digest of 2,000 notices',
  readsOfPage: 'reads recorded when the page with the profile is opened',
  landingCost: 'server CPU of the page before access ÷ `GET /candidate`',
  profileCost: 'server CPU of the page with the profile ÷ `GET /candidate`',
} as const;

export type Sizes = Record<keyof typeof sizeNames, number>;

/** Returns the sizes that the page has; null if one is missing. */
export function readSizes(page: string): Sizes | null {
  const rows = new Map(
    [...page.matchAll(/^\| (.+) \| ([\d,.]+) \|$/gm)].map(([, name, size]) => [
      name,
      Number(size!.replaceAll(',', '')),
    ]),
  );
  const found = Object.entries(sizeNames).map(([key, name]) => [key, rows.get(name)] as const);
  return found.some(([, size]) => size === undefined) ? null : (Object.fromEntries(found) as Sizes);
}

/** Server CPU of the benchmarks, in microseconds. */
export interface Costs {
  readonly read: number;
  readonly call: number;
  readonly token: number;
  readonly message: number;
}

/** A head and its rows. */
export type Table = readonly (readonly string[])[];

const daySeconds = 86_400;

/** The default of `max_connections`, without what is reserved for superusers. */
const postgresConnections = 97;

/** Computes what a day of readers costs, and which limits it reaches. */
export function computeDay(sizes: Sizes, costs: Costs) {
  const of = (name: keyof typeof assumptions): number => assumptions[name].value;
  const readers = of('readers');
  const agents = readers * of('agentShare');
  const browsers = readers - agents;
  const messages = readers * of('messageShare');
  const downloads = readers * of('pdfShare');
  const calls = agents * of('callsOfAgent');
  const reads = browsers * sizes.readsOfPage + agents * (of('callsOfAgent') - 1);
  const requests = browsers * 2 + agents + calls + downloads + messages;
  const atPeak = (perDay: number) => (perDay / daySeconds) * of('peak');

  const cpu = {
    tokens: (readers * costs.token) / 1e6,
    pages: (browsers * costs.read * (sizes.landingCost + sizes.profileCost)) / 1e6,
    calls: (calls * costs.call) / 1e6,
    messages: (messages * costs.message) / 1e6,
    // A download is sent from memory: counted as a read, without its bytes.
    downloads: (downloads * costs.read) / 1e6,
  };
  const cpuSeconds = Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
  const peakCores = atPeak(cpuSeconds);
  const perCore = (0.5 * readers) / peakCores;

  const sent = {
    pages: browsers * (sizes.landing + sizes.profile),
    assets: browsers * sizes.assets,
    pdf: downloads * sizes.pdf,
    calls: agents * (sizes.token + sizes.toolsList + (of('callsOfAgent') - 1) * sizes.toolsCall),
  };
  const bytes = Object.values(sent).reduce((sum, part) => sum + part, 0);
  const logged = (readers + browsers * sizes.readsOfPage + calls + messages) * sizes.logLine;
  const audited = readers * sizes.auditLine;

  const tokens = readers * of('tokenDays');
  const notices = readers * of('mailDays');
  const stored = {
    tokens: tokens * sizes.tokenRow,
    notices: notices * sizes.noticeRow,
    reads: readsInAll * sizes.readRow,
    audit: audited * of('auditDays'),
  };

  const pool = limitsOf(0).max;
  const connections = (of('replicas') + 1) * pool;
  const sockets = atPeak(readers) * of('socketSeconds');
  const streams = atPeak(agents * of('listeners')) * of('streamMinutes') * 60;

  const budget = mailsPerHourOf(1);
  const reportable = budget * noticesPerMail * 24;
  const factor = Math.ceil((atPeak(readers) * 3_600) / (budget * noticesPerMail));
  const perBlock = quotasOf(createAuthToken)[0]!;
  const oneAddress = (perBlock.count / perBlock.seconds) * daySeconds;
  const messageQuota = quotasOf(createContact).find(({ per }) => per === 'service')!;
  const messageRate = (messageQuota.count / messageQuota.seconds) * 3_600;
  const servers = of('replicas') + 1;
  const monthlyTb = (bytes * 30) / 1e12;
  const euros =
    servers * of('serverEuros') +
    (Object.values(stored).reduce((sum, part) => sum + part, 0) / 1e9) * of('diskEuros') +
    Math.max(0, monthlyTb - servers * of('includedTb')) * of('trafficEuros');

  const amounts: Table = [
    ['What', 'A day', 'At the peak', 'From'],
    [
      'requests',
      number(requests),
      `${number(atPeak(requests))} a second`,
      'two pages a browser; a token and the calls of an agent; PDFs; messages',
    ],
    [
      'reads recorded',
      number(reads),
      `${number(atPeak(reads))} a second`,
      `${sizes.readsOfPage} a page opened; each call of an agent but the first`,
    ],
    [
      'commits that a visitor waits for (fsyncs)',
      number(readers + messages),
      `${number(atPeak(readers + messages))} a second`,
      'at most: a token or a message each; those of one moment share one',
    ],
    ['server CPU', `${number(cpuSeconds)} s`, `${number(peakCores)} cores`, parts(cpu, cpuSeconds)],
    ['bytes sent', gigabytes(bytes), `${number((atPeak(bytes) * 8) / 1e6)} Mbit/s`, parts(sent, bytes)],
    ['log on stderr', gigabytes(logged), '', `a line for each call, ${number(sizes.logLine)} bytes`],
    ['sockets', '', number(sockets), `each open for ${of('socketSeconds')} s; a proxy or CDN in front needs far fewer`],
    [
      'streams for changes',
      '',
      number(streams),
      `${number(agents * of('listeners'))} a day, ${of('streamMinutes')} min each`,
    ],
    [
      'connections to PostgreSQL',
      '',
      number(connections),
      `${pool} a replica, with one more replica during a roll-out; commands open their own`,
    ],
  ];
  const disk: Table = [
    ['Kept', 'Rows', 'Bytes'],
    ['tokens', number(tokens), gigabytes(stored.tokens)],
    ['notices, once sent', number(notices), gigabytes(stored.notices)],
    ['reads, all that are kept', number(readsInAll), gigabytes(stored.reads)],
    ['audit log', number(readers * of('auditDays')), gigabytes(stored.audit)],
    ['quotas', number((readers / 24) * 2), 'of the last hour or two'],
  ];
  const limits: Table = [
    ['Limit', 'Allows', 'Needed', 'Enough', 'Beyond it'],
    verdict(reportable >= readers, [
      'notices of tokens',
      `${number(reportable)} a day`,
      number(readers),
      `they wait, each day ${number(Math.max(0, readers - reportable))} more, and never all are sent; a token's row stays as long as its notice. \`LIMITS=${factor}\` sends all, in up to ${budget * factor} digests an hour of ${number(noticesPerMail)} (${number(sizes.digest / 1_000)} kB), and multiplies every other quota`,
    ]),
    verdict(oneAddress >= readers, [
      'tokens of one network address',
      `${number(oneAddress)} a day`,
      number(readers),
      '429. Without `TRUST_PROXY`, all readers behind a CDN or balancer have one address. Big companies and mobile networks share one, too',
    ]),
    verdict(readsInAll >= reads * of('readDays'), [
      'reads kept',
      number(readsInAll),
      number(reads * of('readDays')),
      `the desk shows who read what within ${number((readsInAll / reads) * 1_440)} minutes. No setting raises it: \`READER_RECORD=off\` is more honest then`,
    ]),
    verdict(maxWaiting >= atPeak(reads) / of('replicas'), [
      'reads recorded by a process',
      `${number(maxWaiting)} a second`,
      number(atPeak(reads) / of('replicas')),
      'they are dropped, and the log says how many',
    ]),
    verdict(messageRate >= atPeak(messages) * 3_600, [
      'messages',
      `${number(messageRate)} an hour`,
      number(atPeak(messages) * 3_600),
      '429; `LIMITS` multiplies it',
    ]),
    verdict(subscriptionLimits.total >= streams / of('replicas'), [
      'streams of a process',
      number(subscriptionLimits.total),
      number(streams / of('replicas')),
      'a new one ends the oldest of the network with most; `LIMITS` multiplies it',
    ]),
    verdict(cachedTokens >= atPeak(readers) * 60, [
      'tokens remembered by a process',
      number(cachedTokens),
      `${number(atPeak(readers) * 60)} a minute`,
      'the signature is checked again',
    ]),
    verdict(postgresConnections >= connections, [
      'connections to PostgreSQL',
      String(postgresConnections),
      number(connections),
      'a replica waits and answers 503: raise `max_connections` (100 by default, 3 of them for superusers)',
    ]),
  ];
  const money: Table = [
    ['A month', 'Euros'],
    [
      `${servers} servers: ${of('replicas')} replicas, PostgreSQL on one more`,
      (servers * of('serverEuros')).toFixed(2),
    ],
    [
      `${number(Object.values(stored).reduce((sum, part) => sum + part, 0) / 1e9)} GB of disk`,
      ((Object.values(stored).reduce((sum, part) => sum + part, 0) / 1e9) * of('diskEuros')).toFixed(2),
    ],
    [
      `${number(monthlyTb)} TB sent, ${number(servers * of('includedTb'))} TB included`,
      (Math.max(0, monthlyTb - servers * of('includedTb')) * of('trafficEuros')).toFixed(2),
    ],
    ['together, without a balancer, backups, IPv4 addresses, mail and VAT', euros.toFixed(2)],
  ];
  return { amounts, disk, limits, money, perCore };
}

const quotasOf = (operation: Operation): readonly Quota[] => (operation.kind === 'mutation' ? operation.quotas : []);

const verdict = (isMet: boolean, [limit, allows, needed, beyond]: readonly [string, string, string, string]) => [
  limit,
  allows,
  needed,
  isMet ? 'yes' : '**no**',
  beyond,
];

/** Prints the three largest digits of a number. */
export function number(value: number): string {
  return value >= 100
    ? Math.round(Number(value.toPrecision(3))).toLocaleString('en-US')
    : String(Number(value.toPrecision(2)));
}

const gigabytes = (bytes: number): string => `${number(bytes / 1e9)} GB`;

const parts = (amounts: Record<string, number>, total: number): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${name} ${number((amount / total) * 100)} %`)
    .join(', ');
