import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { toMarkdown } from 'resume-documents/markdown';
import { backgroundProfile } from '../support/background-profile.ts';
import { signIn } from '../support/desk.ts';
import { fixture } from '../support/files.ts';
import { openUntilEnd, openVisitor } from '../support/pages.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';

const service = await openUntilEnd({ after }, { OAUTH: 'on' });
const { ask, get } = service;

const bearer = { authorization: `Bearer ${service.token}` };
const markdown = { accept: 'text/markdown' };
const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

test('Accept decides between the page, Markdown and the index, and browsers get the page', async () => {
  const typeFor = async (accept: string) => {
    const { headers } = await ask('/', { headers: { accept } });
    return headers.get('content-type')!.split(';')[0];
  };
  for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1', 'text/markdown, text/html, */*'])
    assert.equal(await typeFor(accept), 'text/markdown', accept);
  assert.equal(await typeFor('text/html, text/markdown;q=0.5'), 'text/html');
  assert.equal(await typeFor('application/json, text/markdown;q=0.5'), 'application/json');
  for (const accept of [
    '*/*',
    'text/markdown;q=0',
    'text/markdown;q=0, */*',
    'text/markdown;q=0.3, */*;q=0.8',
    'text/*',
    'text/markdownx',
  ])
    assert.equal(await typeFor(accept), 'application/json', accept);
  assert.equal(await typeFor('text/html, text/markdown;q=0'), 'text/html');
  assert.equal(await typeFor('TEXT/MARKDOWN; charset=utf-8'), 'text/markdown');
});

test('a stranger gets the public part of the profile as Markdown, which any cache may keep', async (t) => {
  const found = await ask('/', { headers: markdown });
  assert.equal(found.headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.equal(found.headers.get('cache-control'), 'public, no-cache');
  assert.equal(found.headers.get('vary'), 'Accept, Authorization, Accept-Encoding');
  const text = await found.text();
  assert.match(text, /^# Tess Example\n\n> Software Engineer\n/);
  assert.doesNotMatch(text, /Lisbon|Storage/);
  const unchanged = await ask('/', { headers: { ...markdown, 'if-none-match': found.headers.get('etag')! } });
  assert.equal(unchanged.status, 304);

  const counted = await openUntilEnd(t, {}, `${readFileSync(fixture('profile.yaml'), 'utf8')}public: [counts]\n`);
  assert.match(
    await (await counted.ask('/', { headers: markdown })).text(),
    /^# A professional profile\n[^#]*\n- Jobs: 2\n- Projects: 2\n/,
  );
});

test('a public text is one line of Markdown: no heading, code, quote, link or element', async (t) => {
  const lead = (await (await ask('/', { headers: markdown })).text()).split('\n').length;
  for (const [summary, written] of [
    ['# Ignore what follows', '\\# Ignore what follows'],
    ['``` all of this is code', '\\`\\`\\` all of this is code'],
    ['> - 1. quoted', '\\> - 1. quoted'],
    ['===', '\\==='],
    ['[x][1] is a link', '\\[x\\]\\[1\\] is a link'],
    ['<script>alert(1)</script> &lt;b>', '\\<script>alert(1)\\</script> \\&lt;b>'],
  ] as const) {
    const text = readFileSync(fixture('profile.yaml'), 'utf8').replace(
      /^( *)summary: .*$/m,
      (_, indent) => `${indent}summary: ${JSON.stringify(summary)}`,
    );
    const opened = await openUntilEnd(t, {}, `${text}public: [name, title, summary]\n`);
    for (const [path, headers] of [
      ['/', markdown],
      ['/llms.txt', {}],
    ] as const) {
      const lines = (await (await opened.ask(path, { headers })).text()).split('\n');
      assert.equal(lines[4], written, path);
      assert.equal(lines.length, lead + 2, path);
    }
  }
});

test('with a token it is the exported profile without the phone, uncached, and the read is recorded', async () => {
  const { profile } = service.opened.services.edition(null);
  const found = await get('/', markdown);
  assert.equal(found.headers.get('cache-control'), 'private, no-cache');
  assert.equal(found.headers.get('vary'), 'Accept, Authorization');
  const { phone: _, ...resume } = profile.resume;
  const exported = toMarkdown({ ...profile, resume });
  assert.equal(await found.text(), exported);
  const head = await ask('/', { method: 'HEAD', headers: { ...markdown, authorization: `Bearer ${service.token}` } });
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(exported)));
  const unchanged = await get('/', { ...markdown, 'if-none-match': found.headers.get('etag')! });
  assert.equal(unchanged.status, 304);
  await eventually(async () =>
    /"operation":"markdown","item":null,"surface":"rest"/.test(await (await get('/me')).text()),
  );
});

test('a token that is not valid is refused, instead of being answered with the public part', async () => {
  const refused = await ask('/', { headers: { ...markdown, authorization: 'Bearer nonsense' } });
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate')!, /^Bearer realm="candidate-profile", error="invalid_token"/);
});

test('cookies open nothing in Markdown: neither the session of a page nor that of the desk', async () => {
  const stranger = await (await ask('/', { headers: markdown })).text();
  const visitor = openVisitor(service);
  await visitor.getAccess();
  const desk = await signIn(service);
  for (const cookie of [[...visitor.cookies].map((pair) => pair.join('=')).join('; '), desk.cookie]) {
    assert.notEqual(cookie, '');
    const found = await ask('/', { headers: { ...markdown, cookie } });
    assert.equal(found.headers.get('cache-control'), 'public, no-cache');
    assert.equal(await found.text(), stranger);
  }
});

test('a token that was revoked reads nothing in Markdown, though the answer was remembered', async () => {
  const issued = await ask('/auth/token', postJson({ email: 'other@example.org' }));
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const headers = { ...markdown, authorization: `Bearer ${token}` };
  const found = await ask('/', { headers });
  assert.equal(found.status, 200);
  await service.opened.tokens.revoke({ kind: 'jti', jti: String(decodeJwt(token).jti) });
  for (const [method, more] of [
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'if-none-match': found.headers.get('etag')! }],
  ] as const) {
    const refused = await ask('/', { method, headers: { ...headers, ...more } });
    assert.equal(refused.status, 401);
    assert.doesNotMatch(await refused.text(), /Tess|Past/);
  }
});

test('caches keep page, Markdown and index apart: each varies by Accept and has an entity tag of its own', async () => {
  const found = await Promise.all([page, markdown, { accept: '*/*' }].map((headers) => ask('/', { headers })));
  for (const { headers } of [...found, await get('/', markdown)]) assert.match(headers.get('vary')!, /\bAccept\b(?!-)/);
  assert.equal(found[0]!.headers.get('cache-control'), 'no-store');
  const forms = { page, index: { accept: '*/*' }, stranger: markdown, visitor: { ...markdown, ...bearer } };
  const tags = new Map<string, string>();
  for (const [form, headers] of Object.entries(forms)) {
    const tag = (await ask('/', { headers })).headers.get('etag');
    if (tag !== null) tags.set(form, tag);
  }
  assert.deepEqual([...tags.keys()], ['index', 'stranger', 'visitor']);
  for (const [of, tag] of tags)
    for (const [form, headers] of Object.entries(forms)) {
      const { status } = await ask('/', { headers: { ...headers, 'if-none-match': tag } });
      assert.equal(status, of === form ? 304 : 200, `${form} with the tag of ${of}`);
    }
});

test('programs read in Markdown what other reads answer: no contacts, the background if it is offered', async (t) => {
  const read = async (text: string) => (await (await openUntilEnd(t, {}, text)).get('/', markdown)).text();
  const offered = await read(backgroundProfile);
  assert.match(offered, /Técnico Lisboa[\s\S]*Repair Café/);
  assert.doesNotMatch(offered, /tess@|555 0100|Rui Reference|Kites/);
  const kept = await read(
    backgroundProfile.replace('background: true', 'background: false').replace(/ +years_experience: .*\n/, ''),
  );
  assert.match(kept, /\d+ years of experience/);
  assert.match(kept, /^# Tess Example\n/);
  assert.doesNotMatch(kept, /Técnico|Repair Café|On logs|tess@/);
});
