import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeLink } from '../../../src/operations/owner/links.ts';
import { invokerFor } from '../../../src/operations/owner/operation.ts';
import { scaled } from '../../support/figures.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { openTestService } from '../../support/in-process.ts';
import { hiddenField, openPage, openVisitor, textOf } from '../../support/pages.ts';
import { runCommand, startProcess } from '../../support/process.ts';

test('100,000 forged codes open nothing, and cost no query: random ones, or a link’s with bits flipped', async (t) => {
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

test('the next day, when the token of an opening has expired, the page says so, and the link opens again', async (t) => {
  const file = join(newFolder(t), 'offset');
  writeFileSync(file, '0');
  const service = await startProcess(t, {
    NODE_OPTIONS: `--import=${new URL('../../support/shifted-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_FILE: file,
    PROFILE: fixture('profile.yaml'),
    TOKEN_TTL: '1d',
  });
  const { code, stdout, stderr } = await runCommand(
    t,
    ['share', 'new', 'Acme', '--for', 'never', '--json'],
    {},
    service.folder,
  );
  assert.equal(code, 0, stderr);
  const path = new URL((JSON.parse(stdout) as { url: string }).url).pathname;
  const visitor = openVisitor({ ask: (at, init) => fetch(service.url + at, init) });
  const left = await (await visitor.get(path)).text();
  const press = async (page: string) => {
    const body = new URLSearchParams({ form_token: hiddenField(page, 'form_token') });
    return await visitor.send(path, { method: 'POST', body });
  };
  assert.equal((await press(left)).status, 303);
  const isOpen = async () => textOf(await (await visitor.get('/')).text()).includes('You are here through a link.');
  assert.equal(await isOpen(), true);

  writeFileSync(file, String(26 * 60 * 60));
  assert.match(
    textOf(await (await visitor.get('/')).text()),
    /Your access from this browser has ended: it has expired, or was revoked\. Enter your address to open the profile again or, if you came through a link, open that again\./,
  );
  const stale = await press(left);
  assert.equal(stale.status, 403);
  const told = await stale.text();
  assert.match(textOf(told), /Nothing was sent: the page was open for more than a day/);
  assert.equal((await press(told)).status, 303);
  assert.equal(await isOpen(), true);
  assert.equal((await press(await (await visitor.get(path)).text())).status, 303);
  assert.equal(await isOpen(), true);
});
