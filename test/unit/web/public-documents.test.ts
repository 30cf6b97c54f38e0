import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import { openSvgRenderer } from '../../../src/adapters/svg-renderer.ts';
import { robotsOf } from '../../../src/surfaces/web/public/discovery.ts';
import { publicHead } from '../../../src/surfaces/web/public/head.ts';
import { faviconOf, indexOf, initialsOf, llmsOf, qrCodeOf } from '../../../src/surfaces/web/public/public.ts';
import { addressesOf } from '../../../src/surfaces/web/public/public-profile.ts';

const site = {
  baseUrl: 'https://example.org/tess',
  hasOauth: true,
  path: (path: string) => `/tess${path}`,
  assets: () => assert.fail('not needed'),
};
const tess = { name: 'Tess Example', title: 'Software Engineer' };
const headOf = async (profile: object) => String(await publicHead(profile, site));

test('the index, robots.txt and llms.txt name addresses below the public address, its path included', () => {
  assert.deepEqual(JSON.parse(String(indexOf(site).body)), {
    page_url: 'https://example.org/tess/',
    docs_url: 'https://example.org/tess/docs',
    openapi_url: 'https://example.org/tess/openapi.json',
    mcp_url: 'https://example.org/tess/mcp',
    token_url: 'https://example.org/tess/auth/token',
    jwks_url: 'https://example.org/tess/.well-known/jwks.json',
    llms_url: 'https://example.org/tess/llms.txt',
    privacy_url: 'https://example.org/tess/privacy',
    qr_url: 'https://example.org/tess/qr.svg',
    sitemap_url: 'https://example.org/tess/sitemap.xml',
    api_catalog_url: 'https://example.org/tess/.well-known/api-catalog',
  });
  assert.equal(
    robotsOf(site).body,
    'User-agent: *\nDisallow: /tess/desk\n\nSitemap: https://example.org/tess/sitemap.xml\n',
  );
  assert.match(String(llmsOf({}, [], site).body), /^- \[MCP server\]\(https:\/\/example\.org\/tess\/mcp\): /m);
});

suite('llms.txt', () => {
  test('it says that an MCP client needs the address alone, and tells agents to leave the page to the person', () => {
    const text = String(llmsOf(tess, [], site).body);
    assert.match(text, /needs the address alone, https:\/\/example\.org\/tess\/mcp: it opens a page /);
    assert.match(
      text,
      /Leave that page to the person\.\n\nOther programs read with a bearer token\. To get one, send /,
    );
    assert.match(text, /Streamable HTTP, by OAuth or with the token in the header;/);
    const off = String(llmsOf(tess, [], { ...site, hasOauth: false }).body);
    assert.doesNotMatch(off, /OAuth|address alone/);
    assert.match(off, /\nIt is read with a bearer token\. To get one, send /);
  });

  test('it begins with name and title, or with neutral words if neither is public', () => {
    assert.match(
      String(llmsOf(tess, [], site).body),
      /^# Tess Example\n\n> Software Engineer\n\nThis is a professional /,
    );
    assert.match(String(llmsOf({}, [], site).body), /^# A professional profile\n\n> Experience, projects, skills and /);
  });

  test('every other field is there once it is public', () => {
    const profile = {
      ...tess,
      summary: 'Builds things.\nThey last.',
      location: 'Lisbon',
      years_experience: 12,
      domains: ['Storage', 'Streaming'],
    };
    assert.equal(
      String(llmsOf(profile, [], site).body).split('\n\nThis is')[0],
      `# Tess Example

> Software Engineer

Builds things. They last.

- Location: Lisbon
- Years of experience: 12
- Domains: Storage, Streaming`,
    );
  });

  test('a name of several lines makes no second heading, and invisible characters are written out', () => {
    assert.match(
      String(llmsOf({ name: 'Tess\n\n## Ignore\u202e' }, [], site).body),
      /^# Tess \\## Ignore\\u\{202e\}\n/,
    );
  });
});

suite('The head of the landing page', () => {
  test('search engines and link previews read name and title, and where the picture is', async () => {
    const head = await headOf(tess);
    for (const line of [
      '<meta name="description" content="Software Engineer. A professional profile to read, to print and to hand to an agent.">',
      '<link rel="canonical" href="https://example.org/tess/">',
      '<meta property="og:type" content="profile">',
      '<meta property="og:title" content="Tess Example">',
      '<meta property="og:url" content="https://example.org/tess/">',
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      '<meta property="og:image:alt" content="Tess Example, Software Engineer">',
      '<meta name="twitter:card" content="summary_large_image">',
    ])
      assert.ok(head.includes(line), line);
    assert.match(head, /<meta property="og:image" content="https:\/\/example\.org\/tess\/og\.png\?v=[\w-]{10}">/);
  });

  test('a picture has another address once it shows another title', async () => {
    const versionOf = async (profile: object) => /\?v=([\w-]+)/.exec(await headOf(profile))![1];
    assert.notEqual(await versionOf(tess), await versionOf({ ...tess, title: 'Engineer' }));
  });

  test('JSON-LD describes the page of a profile, and the person with the fields that are public', async () => {
    const ldIn = async (profile: object) => JSON.parse(/ld\+json">(.*)<\/script>/.exec(await headOf(profile))![1]!);
    const url = 'https://example.org/tess/';
    const page = { '@context': 'https://schema.org', '@type': 'ProfilePage', url };
    const nameAlone = { '@type': 'Person', url, name: 'Tess Example' };
    assert.deepEqual(await ldIn({ name: 'Tess Example' }), { ...page, mainEntity: nameAlone });
    const { mainEntity } = await ldIn({
      ...tess,
      summary: 'Builds.',
      location: 'Lisbon',
      years_experience: 12,
      domains: ['Storage'],
    });
    assert.deepEqual(mainEntity, {
      '@type': 'Person',
      url,
      name: 'Tess Example',
      jobTitle: 'Software Engineer',
      description: 'Builds.',
      homeLocation: { '@type': 'Place', name: 'Lisbon' },
      knowsAbout: ['Storage'],
    });
  });

  test('a name ends no element and no attribute, and hides nothing', async () => {
    const head = await headOf({ name: '</script><b title="x">&\u202e' });
    assert.match(head, /og:title" content="&lt;\/script&gt;&lt;b title=&quot;x&quot;&gt;&amp;\\u\{202e\}"/);
    assert.match(head, /"name":"\\u003c\/script>\\u003cb title=\\"x\\">&\\\\u\{202e\}"/);
    assert.equal(head.split('</script>').length, 2);
  });

  test('a summary of 10,000 characters is cut to 300', async () => {
    const [, description] = /name="description" content="([^"]*)"/.exec(await headOf({ summary: 'é'.repeat(10_000) }))!;
    assert.equal(description, `${'é'.repeat(299)}…`);
  });
});

suite('The favicon', () => {
  test('it has the initials, or one letter in a script without capitals', () => {
    for (const [name, initials] of [
      ['Tess Example', 'TE'],
      ['ada king, countess of lovelace', 'AL'],
      ['Émile', 'É'],
      ['Dr. Tess Example Jr.', 'TE'],
      ['T. Example', 'TE'],
      ['Анна Каренина', 'АК'],
      ['محمد عبد الله', 'م'],
      ['王小明', '王'],
      ['"Tess" (Example)', 'TE'],
      ['\u202eTess', 'T'],
      ['</script> &', 'S'],
      ['😀 7', ''],
      ['', ''],
    ] as const)
      assert.equal(initialsOf(name), initials, name);
  });

  test('it is in the accent of the light and dark scheme, and shows lines if the name is not public', () => {
    const icon = String(faviconOf({}, '#0b5d6b').body);
    assert.match(icon, /<rect [^>]*fill="#0b5d6b"/);
    assert.match(icon, /<style>@media\(prefers-color-scheme:dark\)\{rect\{fill:(?!#0b5d6b)#[\da-f]{6}\}/);
    assert.match(icon, /<path d="M8 9h16/);
    assert.doesNotMatch(icon, /<text/);
    assert.match(String(faviconOf(tess, '#0b5d6b').body), /<text [^>]*>TE<\/text>/);
  });
});

test('opened as a page of its own, the favicon may use its style and nothing else', () => {
  const { body, headers } = faviconOf(tess, '#0b5d6b');
  const [, style] = /<style>(.*)<\/style>/.exec(String(body))!;
  const hash = createHash('sha256').update(style!).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'`;
  assert.equal(headers?.['content-security-policy'], policy);
});

test('the QR code has a quiet zone of 4 white modules, sharp edges and a title', async () => {
  const { type, body } = qrCodeOf(addressesOf(site).page_url);
  const svg = String(body);
  assert.equal(type, 'image/svg+xml');
  assert.match(svg, /viewBox="0 0 33 33".* shape-rendering="crispEdges"/);
  assert.match(svg, /<title id="title">QR code of https:\/\/example\.org\/tess\/<\/title>/);
  // The corner of the upper left finder pattern, 7 modules wide.
  assert.match(svg, /<path d="M4 4h7v1h-7z/);
  const { widthOf } = await openSvgRenderer();
  assert.equal(widthOf(svg), 33);
});
