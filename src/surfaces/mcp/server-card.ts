import { type Document, documentOf } from '../rest/documents.ts';
import type { McpService } from './server.ts';

// The server card of MCP (SEP-2127) and the AI catalogue that leads to it. Their addresses and types have moved between
// revisions of the drafts; this is docs/discovery.md of modelcontextprotocol/experimental-ext-server-card, November 2026.

/** Below the address of the MCP server, which reserves it. */
export const cardPath = '/mcp/server-card';
export const cardType = 'application/mcp-server-card+json';
export const aiCatalogPath = '/.well-known/ai-catalog.json';
export const catalogType = 'application/ai-catalog+json';

/** Every path of the card: clients of earlier revisions look for it at the second one. */
export const cardPaths: readonly string[] = [cardPath, '/.well-known/mcp/server-card.json'];

type Described = Pick<McpService, 'baseUrl' | 'version'> & { readonly hasOauth: boolean };

/** Returns the server card: who serves, where, and in which revisions. It lists no tools, which only a client sees. */
export async function serverCardOf({ baseUrl, hasOauth, version }: Described): Promise<Document> {
  const [{ SUPPORTED_PROTOCOL_VERSIONS }, { modernRevision, serverInfo }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ]);
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: cardNameOf(baseUrl),
    version,
    title: serverInfo.title,
    description: "A person's professional profile: experience, projects, resume and availability.",
    websiteUrl: `${baseUrl}/`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: [modernRevision, ...SUPPORTED_PROTOCOL_VERSIONS],
        headers: [
          {
            name: 'Authorization',
            description: `${hasOauth ? 'If the client cannot sign in by itself: ' : ''}Bearer TOKEN, with the token that the page of the profile gives`,
            isRequired: !hasOauth,
            isSecret: true,
          },
        ],
      },
    ],
  };
  return documentOf(cardType, JSON.stringify(card));
}

/** Returns the AI catalogue, whose one entry is the server card. */
export function aiCatalogOf({ baseUrl }: Pick<Described, 'baseUrl'>): Document {
  const { hostname } = new URL(baseUrl);
  const entry = {
    identifier: `urn:air:${hostname}:mcp:${ownNameOf(baseUrl)}`,
    type: cardType,
    url: baseUrl + cardPath,
  };
  return documentOf(catalogType, JSON.stringify({ specVersion: '1.0', entries: [entry] }));
}

/** Returns a name that differs for each public address, in the form of a reversed host name, a slash and a name. */
function cardNameOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isAddress = /^[\d.]+$|:/.test(hostname);
  const namespace = isAddress ? hostname.replaceAll(/[^\da-f.]+/g, '-') : hostname.split('.').toReversed().join('.');
  return `${namespace}/${ownNameOf(baseUrl)}`;
}

/** Several profiles may be below one host, told apart by their paths. */
const ownNameOf = (baseUrl: string): string =>
  ['candidate-profile', ...new URL(baseUrl).pathname.split('/')]
    .filter((part) => part !== '')
    .map((part) => part.replaceAll(/[^\w.-]+/g, '-'))
    .join('.');
