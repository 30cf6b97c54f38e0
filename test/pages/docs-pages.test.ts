import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { DomUtils, parseDocument } from 'htmlparser2';
import { operations } from '../../src/operations/index.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { isTool } from '../../src/surfaces/mcp/catalogue.ts';
import { writeOfferingSample } from '../support/background-profile.ts';
import { openUntilEnd } from '../support/pages.ts';

const paths = ['/docs', '/docs/mcp', '/docs/client'];

/** Every element of a page. */
const elementsOf = (html: string) =>
  DomUtils.getElementsByTagName('*', parseDocument(html)).map((element) => ({
    name: element.name,
    attributes: element.attribs,
    text: DomUtils.textContent(element),
  }));

// Offers every operation.
const PROFILE = writeOfferingSample({ after });
const service = await openUntilEnd({ after }, { PROFILE, BASE_URL: 'http://127.0.0.1:3000/lena' });
const pages = new Map<string, string>();
for (const path of paths)
  pages.set(path, await (await service.send(new Request(`http://127.0.0.1:3000${path}`))).text());

suite('the reference', () => {
  const elements = elementsOf(pages.get('/docs')!);
  const byId = new Map(elements.map((element) => [element.attributes.id, element]));

  test('no page shows code that a visitor cannot run: our package is on no registry', () => {
    for (const [path, html] of pages)
      assert.doesNotMatch(html, /candidate-profile(\/client| call| mcp| serve|@)|npm pack|from its source/, path);
  });

  for (const operation of operations) {
    const { name, title, rest } = operation;
    test(`shows ${name} with the ways to call it, and its answer`, () => {
      const section = elements.find(({ attributes }) => attributes['aria-labelledby'] === name)!;
      assert.equal(byId.get(name)?.text, title);
      assert.match(section.text, new RegExp(`${rest.method} ${rest.path.replaceAll(/[{}]/g, '\\$&')}`));
      for (const part of ['answer', 'errors', 'agents']) assert.ok(byId.has(`${name}-${part}`), part);
      assert.match(byId.get(`${name}-curl-code`)!.text, /^curl /);
      const call = `await client.${rest.method}('${rest.path}'`;
      assert.ok(byId.get(`${name}-typescript-code`)!.text.includes(call), call);
      assert.equal(byId.get(`${name}-mcp-code`) !== undefined, isTool({ mutations: false }, operation));
      assert.match(section.text, operation.kind === 'read' ? /the sample profile’s answer/ : /an example/);
    });
  }

  test('shows a read as a resource with its address, and links an id to the operation that takes it', () => {
    const section = elements.find(({ attributes }) => attributes['aria-labelledby'] === 'list_experience')!;
    assert.match(section.text, /resource candidate-profile:\/\/profile\/experience\./);
    assert.match(section.text, /Pass it to Get experience/);
    assert.match(section.text, /current must be true or false/);
    assert.match(section.text, /current\ntrue or false/);
    assert.match(section.text, /"company": "Confluent"/);
  });

  test('shows each message of a refusal once, with the fields that it is about', () => {
    const section = elements.find(({ attributes }) => attributes['aria-labelledby'] === 'create_contact')!;
    assert.match(section.text, /name, email, company or message is required/);
    assert.match(section.text, /name or company must be at most 200 characters/);
  });
});

test('no list that an answer does not have, and no empty paragraph, is shown', () => {
  for (const [path, page] of pages) {
    assert.doesNotMatch(page, /<\/b>: undefined/, path);
    assert.doesNotMatch(page, /<p><\/p>/, path);
  }
});

test('every link within the reference leads to an anchor that exists, and no id is used twice', () => {
  for (const [path, page] of pages) {
    const elements = elementsOf(page);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    assert.deepEqual(ids, [...new Set(ids)], path);
    const missing = elements.flatMap(({ attributes: { href = '' } }) => {
      if (!/^(\/lena\/docs[^#]*)?#/.test(href)) return [];
      const [target = '', id = ''] = href.split('#');
      const there = pages.get(target === '' ? path : target.slice('/lena'.length));
      return there?.includes(` id="${id}"`) ? [] : [href];
    });
    assert.deepEqual(missing, [], path);
    for (const { name, attributes, text } of elements) if (/^h[23]$/.test(name)) assert.ok(attributes.id, text);
    for (const { attributes } of elements)
      for (const refersTo of [attributes['data-copy'], attributes['data-answer'], attributes.for])
        assert.ok(refersTo === undefined || ids.includes(refersTo), refersTo);
  }
});

test('the page of MCP shows each tool and each resource with what the server answers', async () => {
  const text = elementsOf(pages.get('/docs/mcp')!)[0]!.text;
  for (const { name, kind } of operations)
    assert.equal(text.includes(`"name": "${name}"`), kind === 'read' || kind === 'search', name);
  for (const path of ['candidate', 'experience', 'projects', 'availability', 'resume/json', 'resume/pdf', 'background'])
    assert.match(text, new RegExp(`candidate-profile://profile/${path}\\n`));
  assert.match(text, /"uri": "candidate-profile:\/\/profile\/candidate"/);
  assert.match(text, /"structuredContent": \{"data": \{"id": "cand_[^}]*"name": "Dr\. Lena Vasquez"/);
});

test('programs list the server by the candidate’s public name, as the page for visitors does', async (t) => {
  assert.match(pages.get('/docs/mcp')!, /claude mcp add --transport http dr-lena-vasquez /);
  const secret = await openUntilEnd(t, {}, readFileSync(samplePath, 'utf8').replace(/^public:.*$/m, 'public: []'));
  assert.match(await (await secret.ask('/docs/mcp')).text(), /claude mcp add --transport http candidate-profile /);
});

test('what the profile does not offer is on no page, and where agents may write, the tools that write are', async (t) => {
  const plain = await openUntilEnd(t, { PROFILE: samplePath, MCP_MUTATIONS: 'true' });
  for (const path of paths) {
    const page = await (await plain.ask(path)).text();
    assert.doesNotMatch(page, /get_background|\/background|getBackground|profile\/background/, path);
  }
  assert.match(await (await plain.ask('/docs/mcp')).text(), /id="tool-create_contact"/);
});

test('each page is the same for everybody, small, and kept by browsers', async () => {
  for (const path of paths) {
    const response = await service.send(
      new Request(`http://127.0.0.1:3000${path}`, { headers: { 'accept-encoding': 'gzip' } }),
    );
    assert.equal(response.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
    assert.ok((await response.arrayBuffer()).byteLength < 20 * 1024, path);
    assert.doesNotMatch(pages.get(path)!, / style=| on\w+=|<script(?! type="module" src=)/);
  }
});

test('only a public name is shown, and a hostile one as text', async (t) => {
  const profile = readFileSync(samplePath, 'utf8').replace(
    'name: Dr. Lena Vasquez',
    String.raw`name: "<script>x</script>\u202E"`,
  );
  const titleOf = async (text: string) => (await (await openUntilEnd(t, {}, text)).ask('/docs')).text();
  assert.match(await titleOf(profile), /<bdi>&lt;script&gt;x&lt;\/script&gt;\\u\{202e\}<\/bdi>/i);
  const hidden = await titleOf(profile.replace(/^public: .*/m, 'public: []'));
  assert.doesNotMatch(hidden, /script&gt;x/);
  assert.match(hidden, /<bdi>A professional profile<\/bdi>/);
});
