import { hash } from '../adapters/node-crypto.ts';
import { readProfile } from '../adapters/profile/profile-file.ts';
import type { RecordedRead } from '../model/reader.ts';
import type { IssuedToken } from '../model/token.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { Edition, Services } from '../operations/ports.ts';
import { type Examples, examplesOf, exampleVisitor } from '../surfaces/examples.ts';
import { resumePath } from '../surfaces/rest/files.ts';
import { toOpenApi } from '../surfaces/rest/openapi.ts';
import { type Config, samplePath } from './config/config.ts';

const exampleToken = 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.NOT-A-REAL-TOKEN.EXAMPLE';

/** The sample profile for documents, as if it offered every operation; it is read on first use. */
export function openSample(
  baseUrl: string,
  { recordsReads: isRecorded, hasOauth }: Partial<Pick<Config, 'recordsReads' | 'hasOauth'>> = {},
) {
  let services: Services | undefined;
  let latest: Promise<Examples> | undefined;
  const servicesOf = () => (services ??= sampleServices(baseUrl));
  const examples = () => (latest ??= examplesOf(operations, servicesOf()));
  return {
    services: servicesOf,
    examples,
    openApi: async (described: readonly Operation[]) =>
      toOpenApi(described, baseUrl, await examples(), { isRecorded, hasOauth }),
  };
}

function sampleServices(baseUrl: string): Services {
  const { profile: sample, faults } = readProfile(samplePath);
  if (sample === null) throw new Error(faults.join('\n'));
  const profile = { ...sample, background: true, evidence: true };
  const edition: Edition = {
    profile,
    resumeUrl: `${baseUrl}${resumePath}?expires=1798761600&signature=NOT-A-REAL-SIGNATURE`,
    today: '2027-01-01',
  };
  const token = exampleVisitor.token as IssuedToken;
  const [first] = operations;
  const ofEntry = operations.find(({ rest }) => rest.path.endsWith('{id}'))!;
  const { client } = exampleVisitor;
  const reads: readonly RecordedRead[] = [
    {
      operation: ofEntry.name,
      item: profile.experience[0]?.id ?? null,
      surface: 'rest',
      client,
      readAt: token.issuedAt,
    },
    { operation: first.name, item: null, surface: 'rest', client, readAt: token.issuedAt },
  ];
  return {
    edition: () => edition,
    viewOf: () => null,
    now: () => token.issuedAt,
    record() {},
    audit() {},
    hash,
    newId: () => '0123456789abcdef0123456789abcdef',
    store: {
      contacts: { add: async ({ id }) => id, hasKey: async () => false, sentWith: async () => [] },
      tokens: { add: async () => {} },
      links: { find: async () => null },
      quotas: { check: async () => {}, take: async () => {} },
    },
    tokens: {
      prepare: async (subject) => ({ ...token, subject }),
      sign: async () => exampleToken,
      subjectHashes: () => [],
      verify: async () => token,
      recall: () => token,
      isValid: () => true,
    },
    reads: {
      isOn: true,
      keepSeconds: 90 * 86_400,
      add() {},
      recordOf: async () => ({ total: 2, reads, erasedAt: null }),
      erase: async () => {},
    },
    limits: { take: () => 0, toStored: () => [] },
  };
}
