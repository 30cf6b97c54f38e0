import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations } from '../src/operations/index.ts';
import { openSample } from '../src/service/sample.ts';
import { isTool, resourcesOf, toTool } from '../src/surfaces/mcp/catalogue.ts';
import { summaryPrompt } from '../src/surfaces/mcp/prompt.ts';
import { toOpenApi } from '../src/surfaces/rest/openapi.ts';

// The published surface as reviewed data: a change to a pin is a decision, seen in the diff.
// `UPDATE_PINS=1 node --test test/pins.test.ts` updates them.

function assertPinned(name: string, published: unknown): void {
  const file = new URL(`pins/${name}`, import.meta.url);
  if (process.env.UPDATE_PINS === '1') writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`);
  assert.deepEqual(JSON.parse(JSON.stringify(published)), JSON.parse(readFileSync(file, 'utf8')));
}

test('the OpenAPI description is the reviewed one [VERSION-1]', async () => {
  const baseUrl = 'https://profile.example.org';
  const published = toOpenApi(operations, baseUrl, await openSample(baseUrl).examples());
  assert.equal(published.info.version, '1.0.0');
  assert.deepEqual(published.servers, [{ url: 'https://profile.example.org' }]);
  assertPinned('openapi.json', published);
});

test('the tools are the reviewed ones [MCP-7] [MCP-8] [MCP-9] [MCP-10]', () => {
  assertPinned('tools.json', operations.filter((operation) => isTool({ mutations: true }, operation)).map(toTool));
});

test('the resources are the reviewed ones [MCP-1] [MCP-4]', () => {
  assertPinned(
    'resources.json',
    [...resourcesOf(operations).values()].map(({ listed }) => listed),
  );
});

test('the prompt is the reviewed one', () => {
  assertPinned('prompts.json', [summaryPrompt]);
});
