import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { operations } from '../src/operations/index.ts';
import { offeredIn } from '../src/operations/operation.ts';
import { samplePath } from '../src/service/config/config.ts';
import { openSample } from '../src/service/sample.ts';
import { isTool, resourcesOf, summaryPrompt, toTool } from '../src/surfaces/mcp/catalogue.ts';
import { toOpenApi } from '../src/surfaces/rest/openapi.ts';

// The published surface as reviewed data: a change to a pin is a decision, seen in the diff.
// `UPDATE_PINS=1 node --test test/pins.test.ts` updates them.

const { profile } = readProfile(samplePath);
// Of a profile that does not offer more, as the sample: exactly the specification's.
const offered = offeredIn(operations, profile!);
const withMutations = { mutations: true };

function assertPinned(name: string, published: unknown): void {
  const file = new URL(`pins/${name}`, import.meta.url);
  if (process.env.UPDATE_PINS === '1') writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`);
  assert.deepEqual(JSON.parse(JSON.stringify(published)), JSON.parse(readFileSync(file, 'utf8')));
}

const baseUrl = 'https://profile.example.org';

test('the OpenAPI description is the reviewed one [VERSION-1]', async () => {
  const published = toOpenApi(offered, baseUrl, await openSample(baseUrl).examples());
  assert.equal(published.info.version, '1.0.0');
  assert.deepEqual(published.servers, [{ url: 'https://profile.example.org' }]);
  assertPinned('openapi.json', published);
});

test('with OAUTH=off the OpenAPI description says nothing of OAuth and scopes', async () => {
  const published = toOpenApi(offered, baseUrl, await openSample(baseUrl).examples(), { hasOauth: false });
  assert.deepEqual(Object.keys(published.components.securitySchemes), ['bearer']);
  assert.deepEqual(JSON.stringify(published).match(/oauth|scope|"403"|Forbidden/i), null);
});

test('the tools are the reviewed ones [MCP-7] [MCP-8] [MCP-9] [MCP-10]', () => {
  assertPinned('tools.json', offered.filter((operation) => isTool(withMutations, operation)).map(toTool));
});

test('the resources are the reviewed ones [MCP-1] [MCP-4]', () => {
  assertPinned(
    'resources.json',
    [...resourcesOf(offered).values()].map(({ listed }) => listed),
  );
});

test('the prompt is the reviewed one', () => {
  assertPinned('prompts.json', [summaryPrompt]);
});

test('the search for evidence, which a profile may offer, is the reviewed one', async () => {
  const withEvidence = offeredIn(operations, { ...profile!, evidence: true });
  const [added, ...others] = withEvidence.filter((operation) => !offered.includes(operation));
  assert.deepEqual(others, []);
  const { paths, components } = toOpenApi(withEvidence, baseUrl, await openSample(baseUrl).examples());
  const { FoundEvidence } = components.schemas;
  assertPinned('evidence.json', {
    path: { '/evidence': paths['/evidence'] },
    schema: { FoundEvidence },
    tool: toTool(added!),
  });
});

test('what a profile may offer besides is the reviewed operation, after the tools of the specification', async () => {
  const withBackground = offeredIn(operations, { ...profile!, background: true });
  const [added, ...others] = withBackground.filter((operation) => !offered.includes(operation));
  assert.deepEqual(others, []);
  assert.equal(withBackground.filter((operation) => isTool(withMutations, operation))[9], added);
  const { paths, components } = toOpenApi(withBackground, baseUrl, await openSample(baseUrl).examples());
  const { Background } = components.schemas;
  assertPinned('background.json', {
    path: { '/background': paths['/background'] },
    schema: { Background },
    tool: toTool(added!),
    resources: [...resourcesOf([added!]).values()].map(({ listed }) => listed),
  });
});
