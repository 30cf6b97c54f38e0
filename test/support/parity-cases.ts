import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { operations } from '../../src/operations/index.ts';
import { background } from './background-profile.ts';
import { candidate, current, past, resume } from './fixture-answers.ts';

/** Reads what calls have stored in a service. */
export interface Witness {
  readonly baseUrl: string;
  get(url: string, token?: string): Promise<Response>;
  /** The stored fields of a contact request. */
  contactOf(id: string): unknown;
  /** The kinds of the notices whose text has the id. */
  noticesNaming(id: string): unknown[];
}

/** An input of an operation and the answer that every surface must give. */
export interface Case {
  readonly input: Record<string, unknown>;
  /** The same call as a request; absent if REST cannot express it. */
  readonly rest?: string;
  /** The resource with the same data. */
  readonly resource?: string;
  /** The data, or the error body; a pattern matches a text that differs each time. */
  readonly expected: unknown;
  /** Checks what the call has stored, or what its answer links to. */
  readonly check?: (answer: Record<string, string>, witness: Witness) => Promise<void>;
}

// Over stdio it is a file: that process serves no links.
const resumeLink =
  /^(http:\/\/127\.0\.0\.1:\d+\/files\/resume\.pdf\?expires=\d+&signature=[\w-]{43}|file:\/\/\/.+\/resume(-[\w-]{8})?\.pdf)$/;
const issued = { access_token: /^[\w-]+\.[\w-]+\.[\w-]+$/, token_type: 'Bearer' };
const received = { id: /^contact_[0-9a-f]{32}$/, status: 'received' };
const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
const multiline = { ...contact, message: 'Hello,\n\tcan we talk?\n\n– Ada “Countess” Lovelace' };

const badRequest = (message: string) => ({ error: { code: 'BAD_REQUEST', message } });
const notFound = { error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.' } };

const checkPdf: NonNullable<Case['check']> = async ({ url }, { baseUrl, get }) => {
  if (url!.startsWith('file:')) return assert.equal(readFileSync(new URL(url!)).toString('latin1', 0, 5), '%PDF-');
  assert.equal(new URL(url!).origin, baseUrl);
  assert.equal((await get(url!)).headers.get('content-type'), 'application/pdf');
};

const checkToken =
  (subject: string): NonNullable<Case['check']> =>
  async ({ access_token: token }, { baseUrl, get, noticesNaming }) => {
    assert.equal((await get(`${baseUrl}/candidate`, token)).status, 200);
    const { sub, jti } = JSON.parse(String(Buffer.from(token!.split('.')[1]!, 'base64url')));
    assert.equal(sub, subject);
    assert.deepEqual(noticesNaming(jti), ['auth_request']);
  };

const checkContact =
  (sent: typeof contact): NonNullable<Case['check']> =>
  async ({ id }, { contactOf, noticesNaming }) => {
    assert.deepEqual(contactOf(id!), sent);
    assert.deepEqual(noticesNaming(id!), ['contact_request']);
  };

const checkReads: NonNullable<Case['check']> = async ({ reads }) => {
  for (const read of reads as unknown as object[])
    assert.deepEqual(Object.keys(read), ['operation', 'item', 'surface', 'client', 'read_at']);
};

/** The cases of each operation, with data and with failures; the command line is tested with the first and the last only. */
const cases: Record<(typeof operations)[number]['name'], readonly Case[]> = {
  get_candidate: [{ input: {}, rest: 'GET /candidate', resource: 'candidate', expected: candidate }],
  list_experience: [
    { input: { current: true }, rest: 'GET /experience?current=true', expected: [current] },
    { input: { current: false }, rest: 'GET /experience?current=false', expected: [past] },
    { input: {}, rest: 'GET /experience', resource: 'experience', expected: [current, past] },
    {
      input: { current: 'maybe' },
      rest: 'GET /experience?current=maybe',
      expected: badRequest('current must be true or false'),
    },
  ],
  get_experience: [
    { input: { id: 'exp_past' }, rest: 'GET /experience/exp_past', expected: past },
    { input: { id: 'exp_now' }, rest: 'GET /experience/exp_now', expected: current },
    { input: { id: 'none' }, rest: 'GET /experience/none', expected: notFound },
    {
      input: { id: '../candidate?ü %2e' },
      rest: 'GET /experience/..%2Fcandidate%3F%C3%BC%20%252e',
      expected: notFound,
    },
    { input: { id: '..' }, expected: notFound },
    { input: { id: '' }, expected: notFound },
    { input: {}, expected: badRequest('id is required') },
  ],
  list_projects: [
    {
      input: {},
      rest: 'GET /projects',
      resource: 'projects',
      expected: [
        { id: 'proj_linked', name: 'Linked', summary: 'A project with links.' },
        { id: 'proj_plain', name: 'Plain', summary: 'A project without links.' },
      ],
    },
  ],
  get_project: [
    { input: { id: 'none' }, rest: 'GET /projects/none', expected: notFound },
    { input: {}, expected: badRequest('id is required') },
    {
      input: { id: 'proj_plain' },
      rest: 'GET /projects/proj_plain',
      expected: { id: 'proj_plain', name: 'Plain', summary: 'A project without links.', links: {} },
    },
    {
      input: { id: 'proj_linked' },
      rest: 'GET /projects/proj_linked',
      expected: {
        id: 'proj_linked',
        name: 'Linked',
        summary: 'A project with links.',
        tags: ['go', 'raft'],
        links: { github: 'https://github.com/example/linked', live: 'https://linked.example.org' },
      },
    },
  ],
  get_availability: [
    { input: {}, rest: 'GET /availability', resource: 'availability', expected: { status: 'open to opportunities' } },
    { input: {}, rest: 'GET /contact/availability', expected: { status: 'open to opportunities' } },
  ],
  get_resume: [
    {
      input: { format: 'pdf' },
      rest: 'GET /resume?format=pdf',
      resource: 'resume/pdf',
      expected: { url: resumeLink },
      check: checkPdf,
    },
    { input: { format: 'doc' }, rest: 'GET /resume?format=doc', expected: badRequest('format must be json or pdf') },
    { input: { format: 'json' }, rest: 'GET /resume?format=json', resource: 'resume/json', expected: resume },
    { input: {}, rest: 'GET /resume', expected: resume },
  ],
  create_auth_token: [
    {
      input: { email: 'ada@example.org' },
      rest: 'POST /auth/token',
      expected: issued,
      check: checkToken('ada@example.org'),
    },
    { input: {}, rest: 'POST /auth/token', expected: badRequest('email is required') },
    { input: { email: 'ada@' }, rest: 'POST /auth/token', expected: badRequest('email must be a valid email address') },
    {
      input: { email: ' Ada@Example.ORG ' },
      rest: 'POST /auth/token',
      expected: issued,
      check: checkToken('Ada@example.org'),
    },
  ],
  create_contact: [
    { input: contact, rest: 'POST /contact', expected: received, check: checkContact(contact) },
    { input: {}, rest: 'POST /contact', expected: badRequest('name is required') },
    {
      input: { ...contact, email: 'ada@' },
      rest: 'POST /contact',
      expected: badRequest('email must be a valid email address'),
    },
    { input: { ...contact, company: ' ' }, rest: 'POST /contact', expected: badRequest('company is required') },
    { input: multiline, rest: 'POST /contact', expected: received, check: checkContact(multiline) },
  ],
  get_background: [{ input: {}, rest: 'GET /background', resource: 'background', expected: background }],
  find_evidence: [
    {
      input: { text: 'You bring:\r\n- Importers in Go\r\n- A pilot licence' },
      rest: 'POST /evidence',
      expected: {
        requirements: [
          {
            text: 'Importers in Go',
            evidence: [
              { id: 'exp_past', place: 'roles.0.accomplishments.0', words: 'Wrote the importer' },
              { id: null, place: 'skills.0', words: 'Go' },
            ],
          },
          { text: 'A pilot licence', evidence: [] },
        ],
      },
    },
    { input: { text: 'Hello' }, rest: 'POST /evidence', expected: { requirements: [] } },
    { input: { text: 'ü'.repeat(10_000) }, rest: 'POST /evidence', expected: { requirements: [] } },
    {
      input: { text: `${'ü'.repeat(10_000)}x` },
      rest: 'POST /evidence',
      expected: badRequest('text must be at most 20000 bytes'),
    },
    { input: {}, rest: 'POST /evidence', expected: badRequest('text is required') },
  ],
  get_my_reads: [
    {
      input: {},
      rest: 'GET /me',
      expected: { is_recorded: true, kept_seconds: 7_776_000, erased_at: /^(null|2.*Z)$/, total: /^\d+$/, reads: /^/ },
      check: checkReads,
    },
  ],
  erase_my_reads: [{ input: {}, rest: 'DELETE /me', expected: null }],
};

/** A case with the operation it belongs to. */
export interface Call extends Case {
  readonly operation: string;
}

export const calls: readonly Call[] = Object.entries(cases).flatMap(([operation, each]) =>
  each.map((one) => ({ operation, ...one })),
);
