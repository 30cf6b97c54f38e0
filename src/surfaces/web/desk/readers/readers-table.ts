import { html } from 'hono/html';
import { toCanonicalAddress } from '../../../../model/email-address.ts';
import type { Grant } from '../../../../model/grant.ts';
import type { Reader } from '../../../../model/reader.ts';
import { toVisible } from '../../../../model/visible-text.ts';
import { toBrowserName } from '../../format.ts';
import type { Html, Site } from '../../page.ts';
import { timeElement } from '../time.ts';
import type { Readers } from './ports.ts';
import { readingOf } from './reading.ts';
import { maxTokens, revokeForm } from './revoke-form.ts';

const maxNamed = 3;

interface Table {
  readonly site: Site;
  readonly readers: Readers;
  readonly listed: readonly Reader[];
  readonly formToken: Html;
  readonly now: Date;
}

/** The rows of readers, each with what they read and the form that ends their tokens. */
export async function readersTable({ site, readers, listed, formToken, now }: Table): Promise<Html> {
  const addresses = listed.map(({ canonicalAddress }) => canonicalAddress);
  const tokens = await readers.tokensOf(addresses, maxTokens);
  const valid = tokens.filter((token) => token.expiresAt > now && !readers.isRevoked(token));
  const validBy = Map.groupBy(valid, ({ subject }) => toCanonicalAddress(subject));
  const grants = await readers.grantsOf(addresses, maxTokens);
  const grantsBy = Map.groupBy(
    grants.filter(({ expiresAt }) => expiresAt > now),
    ({ subject }) => toCanonicalAddress(subject),
  );

  const row = (reader: Reader): Html => {
    const { canonicalAddress, address, client, lastSeenAt, note } = reader;
    const path = site.path(`/desk/readers/${readers.idOf(canonicalAddress)}`);
    const count = validBy.get(canonicalAddress)?.length ?? 0;
    const connected = grantsBy.get(canonicalAddress) ?? [];
    return html`<tr>
<th scope="row"><a href="${path}"><bdi>${toVisible(address)}</bdi></a>${connected.some(({ isVerified }) => isVerified) ? html` <span class="soft small">verified</span>` : ''}${clientsOf(connected)}${
      note === '' ? '' : html`<span class="clipped soft small" dir="auto">${toVisible(note)}</span>`
    }</th>
${
  readers.isRecorded
    ? html`<td data-label="With">${client === null ? html`<span class="soft">–</span>` : html`<span class="clipped">${toVisible(toBrowserName(client))}</span>`}</td>
<td data-label="Read">${readingWords(reader, readers)}</td>`
    : ''
}
<td class="number">${timeElement(lastSeenAt, now)}</td>
<td class="number">${
      count + connected.length === 0
        ? html`<span class="soft">no valid token</span>`
        : revokeForm({
            action: `${path}/revoke`,
            label: 'Revoke',
            address,
            count,
            clients: connected.length,
            formToken,
          })
    }</td>
</tr>`;
  };

  return html`<table class="readers">
<thead><tr><th scope="col">Reader</th>${
    readers.isRecorded ? html`<th scope="col">With</th><th scope="col">Read</th>` : ''
  }<th scope="col" class="number">Last</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
<tbody>
${listed.map(row)}
</tbody>
</table>`;
}

/** Names the clients that a reader has connected. */
function clientsOf(grants: readonly Grant[]): Html {
  const names = [...new Set(grants.map(({ clientName }) => clientName))];
  if (names.length === 0) return html``;
  const others = names.length - maxNamed;
  return html` <span class="clipped soft small" dir="auto">connected ${toVisible(names.slice(0, maxNamed).join(', '))}${others > 0 ? ` and ${others} more` : ''}</span>`;
}

/** What was read, short enough for a cell. */
export function readingWords({ reads, erasedAt }: Reader, { offered }: Pick<Readers, 'offered'>): Html {
  const { topics, isPdfRequested } = readingOf(reads, offered());
  const parts = [...topics, ...(isPdfRequested ? ['asked for the PDF'] : [])];
  if (parts.length > 0) return html`${parts.map(toVisible).join(', ')}`;
  return html`<span class="soft">${erasedAt === null ? 'nothing yet' : 'record erased by the visitor'}</span>`;
}
