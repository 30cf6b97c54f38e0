import { toVisible } from '../../../model/visible-text.ts';
import type { Operation } from '../../../operations/operation.ts';
import { type Document, documentOf } from '../../rest/documents.ts';
import type { Site } from '../page.ts';
import { addressesOf } from './addresses.ts';
import { headingOf, type PublicProfile } from './public-profile.ts';

/** `/llms.txt`: what this is and how an agent connects, in the form of llmstxt.org; it names what `offered` has besides the usual. */
export function llmsOf(profile: PublicProfile, offered: readonly Operation[], site: Site): Document {
  const { token_url, privacy_url, openapi_url, mcp_url, docs_url, page_url, jwks_url } = addressesOf(site);
  const text = `# ${inLine(headingOf(profile))}

> ${inLine(profile.title ?? 'Experience, projects, skills and availability of one person, for people and their agents.')}

${factsOf(profile).concat('').join('\n')}
This is a professional profile as a service: experience, projects, skills, availability and the resume, over REST and MCP.
${besides(offered)}${site.hasOauth ? byAddress(mcp_url) : 'It is read with a bearer token.'} To get one, send the e-mail address of the person you act for:

    curl -s ${token_url} -H 'content-type: application/json' -d '{"email":"you@example.org"}'

The owner of the profile is told who asked ([what is kept](${privacy_url})). Send the \`access_token\` of the answer with every other request, over REST and MCP
alike, as \`Authorization: Bearer ACCESS_TOKEN\`.

## Interfaces

- [MCP server](${mcp_url}): Streamable HTTP, ${site.hasOauth ? 'by OAuth or ' : ''}with the token in the header; tools and resources
- [OpenAPI](${openapi_url}): every REST operation, with its parameters and errors
- [Reference](${docs_url}): the same for people, with examples

## Optional

- [Page](${page_url}): the profile for people, with a form to get a token
- [Public keys](${jwks_url}): what the signatures of tokens are verified with
`;
  return documentOf('text/plain; charset=utf-8', text.replace('\n\n\n', '\n\n'));
}

/** How a client of MCP connects, and what else is for. */
const byAddress = (mcpUrl: string): string => `
An MCP client that knows OAuth needs the address alone, ${mcpUrl}: it opens a page on which the person enters an e-mail address
and allows it. Leave that page to the person.

Other programs read with a bearer token.`;

/** A line for each operation that not every profile offers. */
const besides = (offered: readonly Operation[]): string =>
  offered
    .filter((operation) => operation.kind === 'read' && operation.isOffered !== undefined)
    .map(({ rest, summary }) => `This one also has, at ${rest.path}: ${summary}\n`)
    .join('');

function factsOf({ summary, location, years_experience: years, domains = [] }: PublicProfile): string[] {
  return [
    ...(summary === undefined ? [] : [inLine(summary), '']),
    ...(location === undefined ? [] : [`- Location: ${inLine(location)}`]),
    ...(years === undefined ? [] : [`- Years of experience: ${years}`]),
    ...(domains.length === 0 ? [] : [`- Domains: ${domains.map(inLine).join(', ')}`]),
  ];
}

/** In one line, so that no text of the profile can look like a heading or a list. */
const inLine = (text: string): string => toVisible(text.replace(/\s+/g, ' ').trim());
