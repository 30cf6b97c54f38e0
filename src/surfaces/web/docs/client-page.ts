import { html } from 'hono/html';
import type { Html } from '../page.ts';
import { typesCommands } from '../visitor/connections.ts';
import { anchored, codeBlock, section } from './frame.ts';
import type { Reference } from './reference.ts';

/** Shows `/docs/client`: how to get the types or the typed client, then a program that uses the client, part by part. */
export const clientPage = ({ clientExample, site }: Reference): Html => html`${section(
  'types',
  html`<h1>TypeScript</h1>
<p>Two ways to the same types: from the OpenAPI document, with packages that many services are called with, or the client of this
service, one file that needs nothing else.</p>
${anchored(2, 'types', 'Types from OpenAPI')}
<p>The <a href="${site.path('/docs')}">examples of the reference</a> use openapi-fetch. These commands install it and write the types
to <code>profile.ts</code>, once for all examples. Save an example beside it, as <code>example.mts</code>: Node.js 24 runs it as it is.</p>`,
  html`<p class="status"><b>In your project</b></p>
${codeBlock('types-code', typesCommands(site.baseUrl))}
<p class="status"><b>Then</b></p>
${codeBlock('types-run', 'node example.mts')}`,
)}
${section(
  'get',
  html`${anchored(2, 'get', 'The client of this service')}
<p><a href="${site.path('/docs/client.ts')}">client.ts</a> has one method for each operation, with the types of its input and answer. This
service makes it from the list of operations that it answers itself. It imports nothing, and runs in Node.js, Deno, Bun and browsers. As <code>client.mts</code>, Node.js takes it for a module in any project.</p>`,
  html`<p class="status"><b>In your project</b></p>
${codeBlock('get-code', `curl -fsS ${site.baseUrl}/docs/client.ts -o client.mts`)}`,
)}
${partsOf(clientExample).map(({ id, title, prose, code }) =>
  section(
    id,
    html`${anchored(2, id, title)}
<p>${prose}</p>`,
    codeBlock(
      `${id}-code`,
      code.replace('candidate-profile/client', './client.mts').replace('https://profile.example.org', site.baseUrl),
    ),
  ),
)}`;

/** The parts of a program: each begins with a comment that has a title and, on the lines below, what is to be said. */
function partsOf(program: string) {
  return program.split(/^\/\/ # /m).flatMap((part) => {
    const [, title, comment = '', code = ''] = /^([^\n]+)\n((?:\/\/ [^\n]*\n)*)(.*)$/s.exec(part) ?? [];
    if (title === undefined) return [];
    const prose = comment.replaceAll('// ', '').replaceAll('\n', ' ').trim();
    return [{ id: title.toLowerCase().replaceAll(/\W+/g, '-'), title, prose, code: code.trim() }];
  });
}
