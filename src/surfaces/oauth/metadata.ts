import type { Scope } from '../../model/grant.ts';
import { withLoopbackHostOf } from '../../model/oauth/loopback.ts';

/** The path of the protected resource metadata (RFC 9728, section 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

interface Resource {
  readonly baseUrl: string;
  /** The URL of the request. */
  readonly askedUrl: string;
  readonly path: '' | '/mcp';
  readonly scopes: readonly Scope[];
}

/**
 * The metadata of what tokens open: all of the service, or `/mcp` alone (RFC 9728). On loopback the resource has the name of this
 * machine that was asked, because clients compare the two; the issuer, and the audience of tokens, keep that of BASE_URL.
 */
export const resourceMetadata = ({ baseUrl, askedUrl, path, scopes }: Resource) => ({
  resource: withLoopbackHostOf(baseUrl, askedUrl) + path,
  authorization_servers: [baseUrl],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
});

/**
 * The paths at which clients look for the metadata of the authorization server: those of RFC 8414 and OpenID Connect Discovery,
 * and those that a client forms with the path of the MCP server.
 */
export const serverMetadataPaths: readonly string[] = ['oauth-authorization-server', 'openid-configuration'].flatMap(
  (name) => [`/.well-known/${name}`, `/.well-known/${name}/mcp`, `/mcp/.well-known/${name}`],
);

/**
 * The metadata of the authorization server (RFC 8414). Its scopes are those of MCP, because clients of MCP ask for all that it names.
 * Id tokens are never issued; their fields are for clients that require them.
 */
export const serverMetadata = (baseUrl: string, mcpScopes: readonly Scope[], readsClientDocuments: boolean) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  revocation_endpoint_auth_methods_supported: ['none'],
  jwks_uri: `${baseUrl}/.well-known/jwks.json`,
  scopes_supported: mcpScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ...(readsClientDocuments && { client_id_metadata_document_supported: true }),
  protected_resources: [baseUrl, `${baseUrl}/mcp`],
  service_documentation: `${baseUrl}/docs`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['EdDSA'],
});
