import { html } from 'hono/html';
import type { Html } from '../page.ts';
import { anchored, codeBlock, section } from './frame.ts';
import type { Reference } from './reference.ts';

/** Says of code that needs the package how to get it: somebody else may register its name on npm, and would get tokens. */
export const unpublished = ({ site }: Pick<Reference, 'site'>): Html =>
  html`<p class="small soft">candidate-profile is not on npm: <a href="${site.path('/docs/client#get')}">make it from its source</a>.</p>`;

/** What `/docs/client` holds: how to get the typed client, then a program that uses it, part by part. */
export const clientPage = ({ clientExample, site }: Reference): Html => html`${section(
  'get',
  html`<h1>Typed client</h1>
<p>The client of this project for TypeScript, in browsers and in Node.js: one method for each operation, with the types of the
service. It is a function over the same list of operations as the service, so the two agree.</p>
${anchored(2, 'get', 'Get it')}
<p>It is not on npm: a package of this name there is not this project’s, and would get your token. In a checkout of the project, make the package, then install the file that it leaves there in your own project.</p>
<p>A generator of clients does as well: the contract is the <a href="${site.path('/openapi.json')}">OpenAPI document</a>.</p>`,
  html`<p class="status"><b>In the checkout</b></p>
${codeBlock('get-pack', 'npm install\nnpm pack')}
<p class="status"><b>In your project</b></p>
${codeBlock('get-install', 'npm install ../candidate-profile/candidate-profile-*.tgz')}`,
)}
${partsOf(clientExample).map(({ id, title, prose, code }) =>
  section(
    id,
    html`${anchored(2, id, title)}
<p>${prose}</p>`,
    codeBlock(`${id}-code`, code.replace('https://profile.example.org', site.baseUrl)),
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
