import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Profile } from 'resume-profile/profile-document';
import { hash, newId } from '../../src/adapters/node-crypto.ts';
import type { Contact } from '../../src/model/contact.ts';
import type { AuditEntry, CallRecord } from '../../src/model/log-entry.ts';
import type { Notice } from '../../src/model/notice.ts';
import type { QuotaCharge } from '../../src/model/quota.ts';
import type { RecordedRead } from '../../src/model/reader.ts';
import type { IssuedToken } from '../../src/model/token.ts';
import { byAddress, type Visitor } from '../../src/model/visitor.ts';
import type { Caller } from '../../src/operations/call.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Edition } from '../../src/operations/ports.ts';
import { type McpHttp, openMcpHttp, subscriptionLimits } from '../../src/surfaces/mcp/http.ts';

/** The operations whose names tests list. One that is added after them has its case of parity, and its pins. */
export const known: readonly Operation[] = operations.slice(
  0,
  operations.findIndex(({ name }) => name === 'erase_my_reads') + 1,
);

export type Era = 'modern' | 'legacy';
export const eras: readonly Era[] = ['modern', 'legacy'];

const profile: Profile = {
  candidate: {
    id: 'grace-hopper',
    name: 'Grace Hopper',
    title: 'Compiler engineer',
    location: 'Arlington',
    summary: 'Made machines understand words.',
    years_experience: 43,
    domains: ['compilers', 'standards'],
  },
  experience: [
    {
      id: 'dec',
      company: 'DEC',
      company_start_date: '1986-09-01',
      company_end_date: null,
      current: true,
      summary: 'Consulting.',
      roles: [{ title: 'Consultant', start_date: '1986-09-01', end_date: null, accomplishments: ['Spoke widely'] }],
    },
    {
      id: 'navy',
      company: 'US Navy',
      company_start_date: '1943-12-01',
      company_end_date: '1986-08-14',
      current: false,
      summary: 'Service.',
      roles: [{ title: 'Rear admiral', start_date: '1985-11-08', end_date: '1986-08-14', accomplishments: [] }],
    },
  ],
  projects: [{ id: 'cobol', name: 'COBOL', summary: 'A language for business', tags: ['language'], links: {} }],
  availability: { status: 'open to opportunities' },
  resume: { skills: ['Compilers', 'COBOL'] },
  public: ['name', 'title'],
};

export const edition: Edition = {
  profile,
  resumeUrl: 'https://profile.example/files/resume.pdf?expires=1&signature=x',
  today: '2026-11-21',
};

/** The edition after the owner has become unavailable. */
export const laterEdition: Edition = { ...edition, profile: { ...profile, availability: { status: 'not looking' } } };

const token: IssuedToken = {
  jti: 'token-1',
  subject: byAddress('ada@example.org'),
  issuedAt: new Date('2026-11-21T10:00:00Z'),
  expiresAt: new Date('2026-12-21T10:00:00Z'),
};

export const visitor: Caller = { kind: 'visitor', token, address: '192.0.2.7', requestId: null, client: 'reader/1.0' };

type Kept = RecordedRead & { readonly jti: string };

/** A service over literal data that records what it was told to store. */
export function serviceOf({ mutations = false } = {}) {
  const kept: { contacts: Contact[]; tokens: IssuedToken[]; notices: Notice[]; calls: CallRecord[]; reads: Kept[] } = {
    contacts: [],
    tokens: [],
    notices: [],
    calls: [],
    reads: [],
  };
  const services = {
    edition: () => edition,
    viewOf: () => null,
    now: () => new Date('2026-11-21T10:00:00Z'),
    record: (call: CallRecord) => void kept.calls.push(call),
    store: {
      contacts: {
        add: async (contact: Contact, notice: Notice) => {
          kept.contacts.push(contact);
          kept.notices.push(notice);
          return contact.id;
        },
        hasKey: async () => false,
        sentWith: async () => [],
      },
      tokens: {
        add: async (issued: IssuedToken, notice: Notice) => {
          kept.tokens.push(issued);
          kept.notices.push(notice);
        },
      },
      links: { find: async () => null },
      quotas: { check: async () => {}, take: async () => {} },
    },
    tokens: {
      prepare: async (subject: Visitor) => ({ ...token, jti: 'token-2', subject }),
      sign: async ({ jti }: IssuedToken) => `signed ${jti}`,
      subjectHashes: () => [],
      verify: async () => null,
      recall: () => null,
      isValid: (_token: IssuedToken) => true,
    },
    reads: {
      isOn: true,
      keepSeconds: 60,
      add: ({ jti }: IssuedToken, read: RecordedRead) => void kept.reads.push({ jti, ...read }),
      recordOf: async () => ({ total: kept.reads.length, reads: kept.reads, erasedAt: null }),
      erase: async () => {
        kept.reads.length = 0;
      },
    },
    audit: (_entry: AuditEntry) => {},
    hash,
    newId,
    limits: { take: () => 0, toStored: (charges: readonly QuotaCharge[]) => charges },
  };
  return { operations: known, services, mutations, baseUrl: 'https://profile.example', version: '1.2.3', kept };
}

/** The service over HTTP, with its log. */
export function openService(options?: Parameters<typeof serviceOf>[0]) {
  const logged: object[] = [];
  const { kept, ...service } = serviceOf(options);
  const mcp = openMcpHttp({
    ...service,
    subscriptionLimits,
    log: { warn: (fields: object, message: string) => void logged.push({ ...fields, message }) },
  });
  return { mcp: withBodies(mcp), kept, logged, services: service.services };
}

/** Reads the body of each request, and makes a response of each reply, as the guard does. */
export const withBodies = (mcp: McpHttp) => ({
  ...mcp,
  async fetch(request: Request, caller: Caller): Promise<Response> {
    const { status, headers, body } = await mcp.answer(request, new Uint8Array(await request.arrayBuffer()), caller);
    return new Response(body, { status, headers });
  },
});

/** Connects a client of the era in this process. */
export async function connect(mcp: ReturnType<typeof withBodies>, era: Era, caller = visitor): Promise<Client> {
  const client = clientOf(era);
  const fetch = (url: string | URL, init?: RequestInit) => mcp.fetch(new Request(url, init), caller);
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  return client;
}

/** A service that is asked with a token: in this process by `send`, otherwise at its address. */
interface Served {
  readonly baseUrl: string;
  readonly token: string;
  send?(request: Request): Promise<Response>;
}

/** Connects a client of the era to a service. */
export async function connectTo(
  { baseUrl, token, send = fetch }: Served,
  era: Era,
  headers: Record<string, string> = {},
) {
  const client = clientOf(era);
  const options = {
    fetch: (url: string | URL, init?: RequestInit) => send(new Request(url, init)),
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), options));
  return client;
}

/** A client of the era, not yet connected. */
export const clientOf = (era: Era): Client =>
  new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );

/** An HTTP request with a JSON body; a string is sent unchanged. */
export const posted = (body: unknown, headers: Record<string, string> = {}): Request =>
  new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** A message of the legacy era. */
export const legacy = (method: string, params: object = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params });

/** A request of the modern era. */
export function modern(method: string, params: object = {}, headers: Record<string, string> = {}): Request {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const own = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  return posted(legacy(method, { ...params, _meta }), { ...own, ...headers });
}

/** Parses the message of one event. */
export const messageIn = (chunk: Uint8Array | undefined) => answersIn(Buffer.from(chunk!).toString())[0];

/** Parses the messages of an event stream. */
export const answersIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));

/** Resolves with the URI of the next resource that a client is notified of. */
export const updateOf = (client: Client) =>
  new Promise((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
  );
