import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Client as McpClient } from '@modelcontextprotocol/client';
import type { Client } from '../../src/client.ts';
import { type Failure, failures } from '../../src/model/failure.ts';
import { operations } from '../../src/operations/index.ts';
import { isTool } from '../../src/surfaces/mcp/catalogue.ts';
import { rowsOf } from './database.ts';
import { type Call, calls, type Witness } from './parity-cases.ts';

/** A surface under test; it answers with the data, or with the error body of the specification. */
export interface Surface {
  /** The calls that the surface can express. */
  readonly calls: readonly Call[];
  answer(call: Call): Promise<unknown>;
}

type Send = (request: Request) => Promise<Response>;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Returns the witness of a service with its data in a folder. */
export function witnessOf(send: Send, baseUrl: string, folder: string): Witness {
  const rows = (sql: string) => rowsOf(join(folder, 'candidate-profile.db'), sql);
  return {
    baseUrl,
    get: (url, token) => send(new Request(url, token === undefined ? {} : { headers: bearer(token) })),
    contactOf: (id) => rows(`select name, email, company, message from contacts where id = '${id}'`)[0],
    noticesNaming: (id) => rows(`select kind from outbox where text like '%${id}%'`).map(({ kind }) => kind),
  };
}

export const overRest = (send: Send, baseUrl: string, token: string): Surface => ({
  calls: calls.filter(({ rest }) => rest !== undefined),
  async answer({ rest = '', input }) {
    const [method = '', path = ''] = rest.split(' ');
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const body = method === 'POST' ? { body: JSON.stringify(input) } : {};
    const response = await send(new Request(baseUrl + path, { method, headers, ...body }));
    const answer = response.status === 204 ? null : ((await response.json()) as object);
    if (answer !== null) assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.ok, answer === null || !('error' in answer));
    return answer;
  },
});

const tools = operations.filter((operation) => isTool({ mutations: true }, operation));

export const overMcp = (client: McpClient): Surface => ({
  calls: calls.filter(({ operation }) => tools.some(({ name }) => name === operation)),
  async answer({ operation, input }) {
    const result = await client.callTool({ name: operation, arguments: input });
    const [item] = result.content;
    assert.ok(item?.type === 'text');
    const answer = JSON.parse(item.text) as object;
    assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(answer, null, 2) }]);
    assert.equal(result.isError === true, 'error' in answer);
    assert.deepEqual(result.structuredContent, result.isError ? undefined : { data: answer });
    return answer;
  },
});

export const overClient = (client: Client): Surface => ({
  calls,
  async answer({ operation, input }) {
    const method = operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof Client;
    try {
      return await client[method](input as never);
    } catch (error) {
      // The client that a service offers has a class of its own.
      assert.ok(error instanceof Error && error.name === 'Failure');
      const { code, message, status } = error as Failure;
      assert.equal(status, failures[code].status);
      return { error: { code, message } };
    }
  },
});

/** Makes each call of the surface and compares the answers. */
export async function assertParity(t: TestContext, surface: Surface, witness: Witness): Promise<void> {
  await Promise.all(
    surface.calls.map((call) =>
      t.test(`${call.operation} ${JSON.stringify(call.input)}`, async () => {
        const answer = await surface.answer(call);
        assertAnswer(answer, call.expected);
        await call.check?.(answer as Record<string, string>, witness);
      }),
    ),
  );
}

/** Reads each resource and compares it with the data of its REST endpoint. */
export async function assertResources(client: McpClient, witness: Witness): Promise<void> {
  const shown = calls.filter(({ resource }) => resource !== undefined);
  const uriOf = ({ resource }: Call) => `candidate-profile://profile/${resource}`;
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri).sort(), shown.map(uriOf).sort());
  for (const call of shown) {
    const uri = uriOf(call);
    const { contents } = await client.readResource({ uri });
    const [entry] = contents;
    assert.ok(entry && 'text' in entry);
    const data = JSON.parse(entry.text);
    assert.deepEqual(contents, [{ uri, mimeType: 'application/json', text: JSON.stringify(data, null, 2) }]);
    assertAnswer(data, call.expected);
    await call.check?.(data, witness);
  }
}

function assertAnswer(answer: unknown, expected: unknown): void {
  const isWhole = expected === null || Array.isArray(expected);
  assert.deepEqual(answer, isWhole ? expected : settled(expected as object, answer as object));
}

/** Replaces each pattern of an expected answer by the text that it matches. */
const settled = (expected: object, answer: object): object =>
  Object.fromEntries(
    Object.entries(expected).map(([name, value]) => {
      const given: unknown = answer[name as keyof typeof answer];
      return [name, value instanceof RegExp && value.test(String(given)) ? given : value];
    }),
  );
