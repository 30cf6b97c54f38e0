import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { scaled } from '../support/figures.ts';
import { openTestService } from '../support/in-process.ts';
import { hiddenField, openPage } from '../support/pages.ts';

test('100,000 forged codes open nothing, and cost no query: random ones, and those of a link with any bits flipped', async (t) => {
  const service = await openTestService();
  t.after(service.close);
  const { owner, store } = service.opened;
  const { address } = await invokerFor(owner)(makeLink, { name: 'Acme', view: 'all', may_write: true });
  const path = address.slice(service.baseUrl.length);
  const form_token = hiddenField(await (await openPage(service, path)).text(), 'form_token');
  const bytes = Buffer.from(path.slice(3), 'base64url');
  let queries = 0;
  const { links } = store;
  const { find } = links;
  links.find = (id) => {
    queries += 1;
    return find(id);
  };

  /** Returns the code of the link with other bits in as many bytes, of the id or of the MAC. */
  function forged(n: number): string {
    if (n % 2 === 0) return randomBytes(16).toString('base64url');
    const changed = Buffer.from(bytes);
    for (let times = 0; times <= n % 3; times += 1) changed[randomBytes(1)[0]! % 16]! ^= (randomBytes(1)[0]! % 255) + 1;
    return changed.equals(bytes) ? forged(n + 1) : changed.toString('base64url');
  }

  for (let n = 0; n < scaled(100_000, 2_000); n += 1) {
    const code = forged(n);
    // Every tenth presses the button.
    const body = new URLSearchParams({ form_token });
    const init = n % 10 === 0 ? { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body } : {};
    const { status } = await service.ask(`/s/${code}`, init);
    if (status !== 404) assert.fail(`${code}: ${status}`);
  }
  assert.equal(queries, 0);
  assert.equal((await links.list())[0]?.openedAt, null);
});
