import { html } from 'hono/html';
import { type FailureCode, failures } from '../../../model/failure.ts';
import { type Quota, scaledCount } from '../../../model/quota.ts';
import { missingScopeMessage } from '../../../operations/invoke.ts';
import { type Operation, scopeOf } from '../../../operations/operation.ts';
import { downloadQuota, quotasOf, readQuota } from '../../../operations/quotas.ts';
import { exampleOf } from '../../rest/openapi.ts';
import { type Html, joined, table } from '../page.ts';
import { anchored, caption, json, type Reference, section } from './frame.ts';

const codes = Object.keys(failures) as FailureCode[];

/** Lists the failures of an operation by their statuses in the OpenAPI document. */
export function errorList(operation: Operation, reference: Reference): Html {
  const { path, method } = operation.rest;
  const described = reference.document.paths[path]![method.toLowerCase()] as { responses: Record<string, unknown> };
  const refusals = codes.filter(
    (code) => failures[code].status >= 400 && `${failures[code].status}` in described.responses,
  );
  return html`<dl class="facts ruled fields">
${refusals.map(
  (code) => html`<div><dt><code>${failures[code].status}</code></dt>
<dd>${messagesOf(code, operation, reference)}</dd></div>
`,
)}</dl>`;
}

function messagesOf(code: FailureCode, operation: Operation, reference: Reference): Html {
  if (code === 'RATE_LIMITED') return html`${exampleOf(code).message}<p>${quotasInWords(operation, reference)}</p>`;
  if (code === 'FORBIDDEN') return html`${missingScopeMessage(scopeOf(operation))}`;
  const refusals = reference.examples.get(operation.name)!.refusals.filter((refusal) => refusal.code === code);
  if (refusals.length === 0) return html`${exampleOf(code).message}`;
  const ways = Map.groupBy(refusals, ({ message }) => message.replace(/^\w+ /, ''));
  if (code !== 'BAD_REQUEST') return html`${refusals[0]!.message}`;
  const lines = [...ways].map(([way, those]) => {
    const fields = those.map(({ message }) => html`<code>${message.split(' ')[0]}</code>`);
    const last = fields.pop()!;
    return html`${fields.length === 0 ? '' : html`${joined(fields, ', ')} or `}${last} ${way}`;
  });
  return joined(lines, html`<br>`);
}

const holders: Record<Quota['per'], string> = {
  token: 'for a token',
  subject: 'for an e-mail address',
  block: 'for a network',
  service: 'for all together',
};

function quotasInWords(operation: Operation, { limits }: Reference): string {
  if (limits === Number.POSITIVE_INFINITY) return 'This service has no limits.';
  const own = quotasOf(operation)
    .map((quota) => inWords(quota, limits))
    .join(', ');
  if (operation.kind === 'mutation') return `At most ${own}.`;
  return `Counted with all reads: at most ${inWords(readQuota, limits)}${own === '' ? '' : `; at most ${own} of these calls`}.`;
}

function inWords({ count, seconds, per }: Quota, limits: number): string {
  const window = seconds === 3_600 ? 'an hour' : seconds === 60 ? 'a minute' : `in ${seconds} seconds`;
  return `${scaledCount(count, limits).toLocaleString('en')} ${window} ${holders[per]}`;
}

export const errorsSection = ({ site }: Pick<Reference, 'site'>): Html =>
  section(
    'errors',
    html`${anchored(2, 'errors', 'Errors')}
<p>Every error has the same body: a code for programs, and a message for people that repeats nothing of what you sent. Statuses and
codes belong together.</p>
${table(
  ['Status', 'Code and message'],
  codes.map((code) => [
    html`<code>${failures[code].status}</code>`,
    html`<code>${code}</code><br>${failures[code].message}`,
  ]),
)}
<p>A call without a valid token is answered 401 before anything else about it is looked at.${
      site.hasOauth
        ? html` A call for which the token of a program that was
allowed by OAuth lacks the scope is answered 403; <code>WWW-Authenticate</code> then has <code>insufficient_scope</code> and the scopes to ask for.`
        : ''
    } 429 and 503 have <code>Retry-After</code>,
in seconds.</p>`,
    html`${caption('401 Unauthorized')}
${json(exampleOf('UNAUTHORIZED').body)}
${caption('429 Too Many Requests', 'Retry-After: 30')}
${json(exampleOf('RATE_LIMITED').body)}`,
  );

export function limitsSection({ operations, limits }: Reference): Html {
  const rows = [
    ['All reads together, and all messages to /mcp', readQuota] as const,
    ['Downloads of the resume PDF', downloadQuota] as const,
    ...operations.flatMap((operation) => quotasOf(operation).map((quota) => [operation.title, quota] as const)),
  ];
  return section(
    'limits',
    html`${anchored(2, 'limits', 'Limits')}
${
  limits === Number.POSITIVE_INFINITY
    ? html`<p>This service has no limits at the moment. It answers 429 once it has.</p>`
    : html`<p>A call over a limit is answered 429. Calls with wrong input count, too.</p>
${table(
  ['Calls', 'At most'],
  rows.map(([calls, quota]) => [calls, inWords(quota, limits)]),
)}
<p class="soft small">A network is an IPv4 address or an IPv6 /64. If all together have a limit, an IPv6 /56 gets
twice that of a /64.</p>`
}
<p>A body may have 64 KiB. An answer to a read has an <code>ETag</code>: send it in <code>If-None-Match</code>, and an unchanged answer
is 304, without a body.</p>`,
  );
}
