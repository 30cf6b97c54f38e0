import type { Random } from '../../../support/random.ts';

/** A request before it is serialized; the body is JSON, undefined for none. */
export interface Draft {
  /** The endpoint of the valid request; mutations don't change it. */
  readonly endpoint: string;
  method: string;
  path: string;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body: unknown;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}

interface OpenApi {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly schema: Schema;
}

interface Described {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } };
}

/** The paths of pages and documents, which need no token. */
export const documents = [
  ...['/', '/privacy', '/docs', '/docs/mcp', '/desk', '/desk/inbox', '/desk/sign-in', '/files/resume.pdf'],
  ...['/llms.txt', '/robots.txt', '/sitemap.xml', '/mcp/server-card', '/.well-known/ai-catalog.json', '/qr.svg'],
  ...['/.well-known/api-catalog', '/og.png', '/openapi.json', '/.well-known/jwks.json', '/healthz', '/readyz'],
];

/**
 * Returns generators of valid requests to a service, from its OpenAPI document and its MCP lists: with a visitor's token,
 * and with the owner's cookie at the desk.
 */
export async function readEndpoints(
  url: string,
  token: string,
  cookie: string,
): Promise<((random: Random) => Draft)[][]> {
  const bearer = { authorization: `Bearer ${token}` };
  const ask = async (path: string) => (await fetch(url + path, { headers: bearer })).json() as Promise<never>;
  const askMcp = async (method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...bearer, ...json }, body });
    return JSON.parse(/^data: (.*)$/m.exec(await answer.text())![1]!).result;
  };
  const idsOf = async (path: string) => ((await ask(path)) as { id: string }[]).map(({ id }) => id);
  const ids: Record<string, string[]> = {
    list_experience: await idsOf('/experience'),
    list_projects: await idsOf('/projects'),
  };
  const { url: resumeUrl } = (await ask('/resume?format=pdf')) as { url: string };
  const { paths, components } = (await ask('/openapi.json')) as OpenApi;
  const { tools } = (await askMcp('tools/list')) as { tools: { name: string; inputSchema: Schema }[] };
  const { resources } = (await askMcp('resources/list')) as { resources: { uri: string }[] };

  /** Returns a valid value; the field's name decides if the schema only says string. */
  function validFor(schema: Schema, field: string, random: Random): unknown {
    if (schema.$ref !== undefined) return validFor(components.schemas[schema.$ref.split('/').at(-1)!]!, field, random);
    if (schema.properties !== undefined)
      return Object.fromEntries(
        Object.entries(schema.properties)
          .filter(([name]) => schema.required?.includes(name) || random.isOneIn(2))
          .map(([name, property]) => [name, validFor(property, name, random)]),
      );
    if (schema.enum !== undefined) return random.pick(schema.enum);
    if (schema.type === 'boolean') return random.isOneIn(2);
    if (field === 'email') return `visitor${random.below(1_000)}@example.org`;
    const list = /list_\w+/.exec(schema.description ?? '');
    if (list !== null) return random.pick(ids[list[0]]!);
    return random.pick(['Ada', 'Zoë & Söhne', '北京', 'a "quoted" word', '😀', '<b>bold</b>']);
  }

  const rest = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]) => (random: Random): Draft => {
      const draft: Draft = {
        endpoint: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        query: [],
        headers: { ...bearer },
        body: undefined,
      };
      for (const given of parameters) {
        const {
          name,
          in: place,
          schema,
          ...described
        } = '$ref' in given ? components.parameters[given.$ref.split('/').at(-1)!]! : given;
        const value = String(validFor({ ...schema, ...described }, name, random));
        if (place === 'path') draft.path = draft.path.replace(`{${name}}`, value);
        else if (random.isOneIn(2)) {
          if (place === 'query') draft.query.push([name, value]);
          else draft.headers[name] = encodeURIComponent(value);
        }
      }
      if (requestBody === undefined) return draft;
      const body = validFor(requestBody.content['application/json'].schema, '', random);
      return { ...draft, headers: { ...draft.headers, ...json }, body };
    }),
  );
  const opened = [...documents, '/desk/inbox?q=a&state=read', '/desk/sign-in?link=a', resumeUrl.slice(url.length)].map(
    (target) => (): Draft => {
      const { pathname, searchParams } = new URL(url + target);
      const [path, query] = [pathname, [...searchParams]];
      const headers = { accept: 'text/html', ...(path.startsWith('/desk') && { cookie }) };
      return { endpoint: `GET ${path}`, method: 'GET', path, query, headers, body: undefined };
    },
  );
  const overMcp = (endpoint: string, method: string, paramsOf: (random: Random) => Record<string, unknown>) => {
    return (random: Random): Draft => {
      const params = paramsOf(random);
      const era = random.isOneIn(2) ? modern(method, params) : { headers: {}, meta: {} };
      return {
        endpoint: `POST /mcp ${endpoint}`,
        method: 'POST',
        path: '/mcp',
        query: [],
        headers: { ...bearer, ...json, ...era.headers },
        body: { jsonrpc: '2.0', id: random.below(1_000), method, params: { ...params, ...era.meta } },
      };
    };
  };
  const calls = tools.map(({ name, inputSchema }) =>
    overMcp(name, 'tools/call', (random) => ({ name, arguments: validFor(inputSchema, '', random) })),
  );
  const reads = resources.map(({ uri }) => overMcp('resources/read', 'resources/read', () => ({ uri })));
  return [rest.filter((draft) => draft(zero).method === 'POST'), [...rest, ...opened], calls, reads];
}

const zero: Random = { below: () => 0, isOneIn: () => false, pick: (items) => items[0]! };

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const modern = (method: string, { name, uri }: Record<string, unknown>) => ({
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': String(name ?? uri) },
  meta: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
