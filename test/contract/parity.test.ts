import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient } from '../../src/client.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { resourcesOf } from '../../src/surfaces/mcp/catalogue.ts';
import { writeOfferingProfile } from '../support/background-profile.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { connectTo } from '../support/mcp-service.ts';
import { calls } from '../support/parity-cases.ts';
import { assertParity, assertResources, overClient, overMcp, overRest, witnessOf } from '../support/surfaces.ts';

// The surfaces that run in this process without a port; the others are in test/e2e/parity.test.ts.

const service = await openTestService({ PROFILE: writeOfferingProfile({ after }), MCP_MUTATIONS: 'true' });
after(() => service.close());
const { baseUrl, token, send } = service;

const modern = await connectTo(service, 'modern');
const legacy = await connectTo(service, 'legacy');

// As a visitor has it: the file that the service offers.
const offeredClient = join(newFolder({ after }), 'client.ts');
writeFileSync(offeredClient, await (await service.ask('/docs/client.ts')).text());
const offered = (await import(pathToFileURL(offeredClient).href)) as { createClient: typeof createClient };

const witness = witnessOf(send, baseUrl, service.folder);

test('every operation of the catalogue has a case with data, every resource one that it shows', () => {
  const catalogue: readonly Operation[] = operations;
  const withData = calls.filter(({ expected }) => !('error' in Object(expected)));
  assert.deepEqual(
    [...new Set(withData.map(({ operation }) => operation))],
    catalogue.map(({ name }) => name),
  );
  assert.deepEqual(
    calls.flatMap(({ resource }) => resource ?? []).sort(),
    [...resourcesOf(catalogue).values()].map(({ listed }) => listed.name).sort(),
  );
});

test('every operation answers over REST as the specification says [SERVICE-1] [SERVICE-3] [STATE-1] [DATE-1] [CANDIDATE-1] [EXPERIENCE-1] [EXPERIENCE-2] [EXPERIENCE-3] [ROLE-1] [PROJECT-1] [PROJECT-2] [AVAILABILITY-1] [RESUME-1] [RESUME-2] [RESUME-3] [REST-1] [REST-2] [REST-4] [REST-5] [REST-6] [REST-8] [REST-9] [REST-10] [REST-11]', (t) =>
  assertParity(t, overRest(send, baseUrl, token), witness));

for (const [name, surface] of [
  ['the typed client', overClient(createClient({ baseUrl, token, fetch: send }))],
  ['the client that the service offers', overClient(offered.createClient({ baseUrl, token, fetch: send }))],
] as const)
  test(`every operation has the same answers over ${name} [SERVICE-3]`, (t) => assertParity(t, surface, witness));

for (const [revision, client] of [
  ['2026-07-28', modern],
  ['2025-11-25', legacy],
] as const) {
  test(`every operation has the same answers over MCP ${revision} [SERVICE-3] [MCP-6] [MCP-11] [MCP-12] [MCP-14] [MCP-15]`, (t) =>
    assertParity(t, overMcp(client), witness));

  test(`each resource of MCP ${revision} is the data of its REST endpoint, pretty-printed [MCP-2] [MCP-3] [MCP-5]`, () =>
    assertResources(client, witness));
}
