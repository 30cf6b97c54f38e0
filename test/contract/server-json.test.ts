import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { fixture } from '../support/files.ts';

type Json = Record<string, unknown>;

const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));
const inRoot = (name: string): string => join(import.meta.dirname, '../..', name);
const serverJson = readJson(inRoot('server.json'));
const packageJson = readJson(inRoot('package.json'));

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** An object or list with all that it holds. */
const within = (value: unknown): Json[] => (isObject(value) ? [value, ...Object.values(value).flatMap(within)] : []);

/** The parts of the schema that no `allOf` joins to others. */
const whole = ['Package', 'KeyValueInput', 'NamedArgument', 'PositionalArgument', 'StdioTransport', 'RemoteTransport'];

/** The registry's schema, which accepts unknown keys, changed to refuse them. */
function closedSchema(): Json {
  const { $schema, ...schema } = readJson(fixture('mcp-server.schema.json'));
  const definitions = schema.definitions as Record<string, Json>;
  const variables = within(schema).flatMap(({ additionalProperties }) =>
    isObject(additionalProperties) ? [additionalProperties] : [],
  );
  for (const part of [...whole.map((name) => definitions[name]!), ...variables, definitions.ServerDetail!])
    part.unevaluatedProperties = false;
  return schema;
}

const ajv = new Ajv2019({ strict: false });
(addFormats as unknown as (ajv: Ajv2019) => void)(ajv);
const isValid = ajv.compile(closedSchema());

test('server.json is what the schema of the MCP registry describes', () => {
  assert.ok(isValid(serverJson), ajv.errorsText(isValid.errors));
});

test('a key that the schema does not know is refused in every part of server.json', () => {
  const copy = structuredClone(serverJson);
  const parts = within(copy).filter((part) => !Array.isArray(part));
  assert.equal(parts.length, 10);
  for (const part of parts) {
    part.stray = true;
    assert.equal(isValid(copy), false, JSON.stringify(part));
    delete part.stray;
  }
  assert.ok(isValid(copy));
});

test('server.json has the version and the package that are published, under the package’s name', () => {
  const [npm] = serverJson.packages as Json[];
  assert.match(packageJson.version as string, /^\d+\.\d+\.\d+(-[\w.]+)?$/);
  assert.deepEqual([serverJson.version, npm?.version], [packageJson.version, packageJson.version]);
  assert.equal(npm?.identifier, packageJson.name);
  assert.equal(serverJson.name, packageJson.mcpName);
});
