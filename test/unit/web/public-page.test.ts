import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from 'hono/html';
import { openPublicPage, type Site } from '../../../src/surfaces/web/page.ts';

const site: Site = {
  baseUrl: 'https://profile.example.org',
  hasOauth: true,
  path: (path) => path,
  assets: () => ({
    style: '/assets/style.css',
    fonts: { text: [], code: '' },
    script: (name) => `/assets/${name}`,
  }),
};

const ask = (headers: Record<string, string> = {}) => new Request('https://profile.example.org/', { headers });

/** A page that counts how often it is rendered. */
function openCounted() {
  const state = { name: 'Ada', renders: 0 };
  const respond = openPublicPage(
    site,
    () => state.name,
    () => {
      state.renders += 1;
      return {
        title: state.name,
        layout: 'docs',
        body: html`<main id="main" data-long="${'long '.repeat(500)}">${state.name}</main>`,
      };
    },
  );
  return { state, respond };
}

test('a page for everybody is rendered once for all visitors, and again when what it shows has changed', async () => {
  const { state, respond } = openCounted();
  const texts = [];
  for (const name of ['Ada', 'Ada', 'Grace']) {
    state.name = name;
    texts.push(/<main[^>]*>(.*)<\/main>/.exec(await (await respond(ask())).text())?.[1]);
  }
  assert.deepEqual([texts, state.renders], [['Ada', 'Ada', 'Grace'], 2]);
});

test('a browser may keep the page, asks whether it has changed, and is answered 304 without a body', async () => {
  const { respond } = openCounted();
  const { headers } = await respond(ask());
  assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate');
  const again = await respond(ask({ 'if-none-match': headers.get('etag')! }));
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', headers.get('etag')]);
  assert.equal(again.headers.get('vary'), 'Accept-Encoding');
});

test('a page that could not be rendered is rendered again for the next visitor', async () => {
  let renders = 0;
  const respond = openPublicPage(
    site,
    () => '',
    () => {
      renders += 1;
      if (renders === 1) throw new Error('a fault');
      return { title: 'A page', layout: 'docs', body: html`<main id="main"></main>` };
    },
  );
  await assert.rejects(respond(ask()), /a fault/);
  assert.equal((await respond(ask())).status, 200);
});
