import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { StoredToken } from '../../src/model/token.ts';
import { byAddress } from '../../src/model/visitor.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { fixture } from '../support/files.ts';
import { hiddenField, openPage, openUntilEnd, openVisitor, postForm, snippetOf, textOf } from '../support/pages.ts';
import { storeReads } from '../support/reads.ts';
import { keyOf } from '../support/store.ts';

const service = await openUntilEnd({ after }, { PROFILE: samplePath });

const message = { name: 'Ada King', email: 'ada@example.com', company: 'Engines', message: 'Would you talk to us?' };

const messages = () => service.opened.store.contacts.list();

/** Returns the contents of the one-click links of a page. */
function linksIn(page: string) {
  const cursor = [...page.matchAll(/href="(cursor:[^"]+)"/g)].map(([, link = '']) => {
    const { searchParams } = new URL(link.replaceAll('&amp;', '&'));
    return { name: searchParams.get('name'), config: JSON.parse(atob(searchParams.get('config')!)) };
  });
  const code = [...page.matchAll(/href="vscode:mcp\/install\?([^"]+)"/g)].map(([, link = '']) =>
    JSON.parse(decodeURIComponent(link)),
  );
  return { cursor, code };
}

describe('before access', () => {
  test('the page has the name, the title and one form, and tells who sees the address', async () => {
    const response = await openPage(service, '/');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    const page = await response.text();
    assert.match(page, /<h1 dir="auto">Dr. Lena Vasquez<\/h1>/);
    assert.match(page, /<bdi>Dr. Lena Vasquez<\/bdi> sees your address/);
  });

  test('it tells that reads are recorded and for how long, unless they are not', async (t) => {
    const recorded = async (env: Record<string, string>) => {
      const one = await openUntilEnd(t, { PROFILE: samplePath, ...env });
      return (await (await openPage(one, '/')).text()).match(/sees your address([^.]*)\./)![1];
    };
    assert.equal(await recorded({}), ' and what you read, for 90 days');
    assert.equal(await recorded({ KEEP_READS: '12h' }), ' and what you read, for 12 hours');
    assert.equal(await recorded({ READER_RECORD: 'off' }), '');
  });

  test('pages allow no inline script or style, no other origin and no frame', async () => {
    const { headers } = await openPage(service, '/');
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.equal(headers.get('referrer-policy'), 'same-origin');
  });

  test('an address that is not one is kept in the field, with what to do', async () => {
    const page = await (await openVisitor(service).post('/', { email: 'ada@' })).text();
    assert.match(page, /<title>There is a problem: Dr. Lena Vasquez<\/title>/);
    assert.match(page, /name="email"[^>]* value="ada@" aria-invalid="true"/);
  });
});

describe('how to add the profile to an assistant, before access', () => {
  test('the page gives the address alone for Claude, ChatGPT, Cursor and VS Code, without a token', async () => {
    const page = await (await openPage(service, '/')).text();
    const url = 'http://127.0.0.1:3000/mcp';
    assert.equal(snippetOf(page, 'claude-address'), url);
    assert.equal(snippetOf(page, 'chatgpt-address'), url);
    assert.equal(
      snippetOf(page, 'claude-code-address'),
      `claude mcp add --transport http dr-lena-vasquez \\\n  ${url}`,
    );
    assert.deepEqual(JSON.parse(textOf(snippetOf(page, 'cursor-address'))), {
      mcpServers: { 'dr-lena-vasquez': { url } },
    });
    assert.deepEqual(JSON.parse(textOf(snippetOf(page, 'vscode-address'))), {
      servers: { 'dr-lena-vasquez': { type: 'http', url } },
    });
    assert.ok(!page.includes('Bearer'));
  });

  test('it names the programs that can reach the address: without https not Claude and ChatGPT, and says why', async (t) => {
    const note = /cannot reach this address/g;
    const local = await (await openPage(service, '/')).text();
    assert.equal(local.match(note)?.length, 2);
    assert.match(textOf(local), /Add http:\/\/127\.0\.0\.1:3000\/mcp to Claude Code, VS Code or Cursor\./);
    const secure = await openUntilEnd(t, {
      PROFILE: samplePath,
      ALLOW_SAMPLE: 'true',
      BASE_URL: 'https://profile.example.org',
    });
    const page = await (await openPage(secure, '/')).text();
    assert.equal(snippetOf(page, 'claude-address'), 'https://profile.example.org/mcp');
    assert.equal(page.match(note), null);
    assert.match(textOf(page), /Add https:\/\/profile\.example\.org\/mcp to Claude, ChatGPT or Cursor\./);
  });

  test('a name that is not public is not in what to paste either', async (t) => {
    const secret = await openUntilEnd(t, {}, readFileSync(samplePath, 'utf8').replace(/^public:.*$/m, 'public: []'));
    const page = await (await openPage(secret, '/')).text();
    assert.match(snippetOf(page, 'claude-code-address'), /^claude mcp add --transport http candidate-profile /);
    assert.doesNotMatch(page, /vasquez/i);
  });

  test('with OAUTH=off there is nothing of it: the form alone, and what to paste has the token', async (t) => {
    const without = await openUntilEnd(t, { PROFILE: samplePath, OAUTH: 'off' });
    assert.doesNotMatch(await (await openPage(without, '/')).text(), /assistant, |\/mcp</);
    const visitor = openVisitor(without);
    const before = await (await visitor.getAccess()).text();
    assert.doesNotMatch(before, /address alone|ChatGPT|<pre|class="tabs"/);
    await visitor.showToken();
    const page = await (await visitor.get('/')).text();
    assert.doesNotMatch(page, /address alone|ChatGPT/);
    assert.deepEqual(
      [...page.matchAll(/<pre><code id="([^"]+)"/g)].map(([, id]) => id),
      ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'curl', 'types', 'typescript'],
    );
  });
});

describe('with access', () => {
  test('the tab of the program that was chosen is open after the token is shown, without JavaScript, too', async () => {
    const openTab = (page: string) => /value="([^"]*)"[^>]* id="tab-[^"]*" checked/.exec(page)?.[1];
    const visitor = openVisitor(service);
    const before = await (await visitor.getAccess()).text();
    const [, form] = /<form class="token" id="([^"]*)"/.exec(before)!;
    assert.match(before, new RegExp(`<input type="radio" name="program" value="vs-code" form="${form}"`));
    assert.equal(openTab(before), 'claude');
    assert.equal(openTab(await (await visitor.post('/profile/token', { program: 'vs-code' })).text()), 'vs-code');
    const unknown = await (await visitor.post('/profile/token', { program: '"><b>//example.org' })).text();
    assert.equal(openTab(unknown), 'claude');
    assert.ok(!unknown.includes('<b>'));
  });

  test('once it is shown, the whole token is in each snippet, and in the second of two one-click links', async () => {
    const visitor = openVisitor(service);
    await visitor.getAccess();
    const url = 'http://127.0.0.1:3000/mcp';
    const headers = { Authorization: `Bearer ${await visitor.showToken()}` };
    const name = 'dr-lena-vasquez';
    const page = await (await visitor.get('/')).text();
    for (const id of ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'curl', 'typescript'])
      assert.ok(snippetOf(page, id).includes(headers.Authorization), id);
    const { cursor, code } = linksIn(page);
    assert.deepEqual(cursor, [
      { name, config: { url } },
      { name, config: { url, headers } },
    ]);
    assert.deepEqual(code, [
      { name, type: 'http', url },
      { name, type: 'http', url, headers },
    ]);
  });

  test('a token that the visitor has already opens the profile, also when pasted with its scheme', async () => {
    const response = await openVisitor(service).post('/profile', { token: ` Bearer ${service.token}\n` });
    assert.equal(response.status, 200);
    assert.match(await response.text(), /Confluent/);
  });

  test('a message is stored, confirmed once, and the form is empty for another one', async () => {
    const before = (await messages()).length;
    const visitor = openVisitor(service);
    await visitor.getAccess();
    const response = await visitor.post('/profile/write', message);
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.match(page, /Your message was sent\. The answer will come to <bdi>ada@example\.com<\/bdi>\./);
    assert.match(page, /<textarea[^>]*><\/textarea>/);
    assert.doesNotMatch(await (await visitor.get('/')).text(), /Your message was sent/);
    const stored = await messages();
    assert.equal(stored.length, before + 1);
    assert.equal(stored[0]!.message, 'Would you talk to us?');
  });

  test('a form that is sent twice leaves one message; another text in it, two', async () => {
    const before = (await messages()).length;
    const visitor = openVisitor(service);
    await visitor.getAccess();
    const fields = { ...message, idempotency_key: 'once' };
    await visitor.post('/profile/write', fields);
    await visitor.post('/profile/write', fields);
    assert.equal((await messages()).length, before + 1);
    await visitor.post('/profile/write', { ...fields, message: 'And another thing.' });
    await visitor.post('/profile/write', { ...fields, message: 'And another thing.' });
    assert.equal((await messages()).length, before + 2);
  });

  test('a message of 10,000 characters with line breaks is taken, as the page counts them', async () => {
    const text = 'line\n'.repeat(2_000);
    const visitor = openVisitor(service);
    await visitor.getAccess();
    // Browsers send each line break as two characters.
    const fields = { ...message, message: text.replaceAll('\n', '\r\n') };
    assert.equal((await visitor.post('/profile/write', fields)).status, 200);
    assert.equal((await messages())[0]!.message, text);
  });

  test('all missing fields are named at once, above the form and beside each, and nothing typed is lost', async () => {
    const visitor = openVisitor(service);
    await visitor.getAccess();
    const page = await (await visitor.post('/profile/write', { ...message, name: '', company: ' ' })).text();
    assert.match(
      page,
      /tabindex="-1" autofocus>\n<h2 id="problem">There is a problem<\/h2>\n<ul><li><a href="#write-name">Your name is required<\/a><\/li><li><a href="#write-company">Company is required<\/a><\/li><\/ul>/,
    );
    assert.match(page, /id="write-name-fault">Your name is required\./);
    assert.match(page, /id="write-company-fault">Company is required\./);
    assert.match(page, /name="company" required[^>]* aria-invalid="true" aria-describedby="write-company-fault"/);
    assert.match(page, /Would you talk to us\?<\/textarea>/);
    assert.match(page, /<title>There is a problem: Dr\. Lena Vasquez<\/title>/);
  });
});

test('a visitor sees the visits and messages of the token, and of no other, and erases the record', async () => {
  const visitor = openVisitor(service);
  await visitor.getAccess('grace@example.com');
  const subject = 'grace@example.com';
  const [{ jti }] = (await service.opened.store.tokens.listOf([keyOf(subject)])) as [StoredToken];
  const other = openVisitor(service);
  await other.getAccess('grace@example.com');
  const client = 'Agent <b>1.0</b>';
  const at = (time: string) => new Date(`2026-11-20T${time}Z`);
  storeReads(join(service.folder, 'candidate-profile.db'), [
    { jti, subject, operation: 'list_projects', client: 'openai-mcp 1.0.0', at: at('08:00:00') },
    { jti, subject, operation: 'page', surface: 'web', at: at('09:12:00') },
    { jti, subject, operation: 'pdf', surface: 'web', at: at('09:13:00') },
    { jti, subject, operation: 'page', surface: 'web', at: at('09:42:59') },
    { jti, subject, operation: 'get_experience', item: 'exp_confluent', client, at: at('10:12:59') },
  ]);
  await visitor.post('/profile/write', message);
  await other.post('/profile/write', { ...message, message: 'From another browser' });
  const shown = await (await visitor.get('/profile/record')).text();
  assert.match(shown, /<h1>What Dr\. Lena Vasquez sees of you<.h1>/);
  assert.match(
    textOf(shown),
    /20 Nov 2026, 10:12 Read experience Agent <b>1\.0<.b> 20 Nov 2026, 09:12 Opened the page and downloaded the PDF unnamed 20 Nov 2026, 08:00 Read projects ChatGPT /,
  );
  assert.match(textOf(shown), /What you wrote “Would you talk to us\?” .* as Ada King, ada@example\.com/);
  assert.ok(!shown.includes('From another browser') && !shown.includes('<b>1.0'));
  const erased = await (await visitor.post('/profile/record/erase')).text();
  assert.match(erased, /The record was erased on .* UTC\. Dr\. Lena Vasquez sees that, and when\./);
  assert.match(erased, /Nothing that you read has been recorded since\./);
  assert.match(erased, /What you wrote/);
});

test('the page on privacy tells how long each thing is kept, notes too, as the settings say [TRUST-59]', async (t) => {
  const strict = await openUntilEnd(t, { PROFILE: samplePath, KEEP_CONTACTS: '36h', TOKEN_TTL: '7d' });
  const page = await (await openPage(strict, '/privacy')).text();
  assert.match(page, /when you asked for access<\/td><td>7 days, as long as your token works</);
  assert.match(
    page,
    /What you write: name, company, e-mail address, message; and what Dr\. Lena Vasquez replies<\/td><td>36 hours</,
  );
  const verifying = await openUntilEnd(t, { VERIFY_EMAIL: 'on', SMTP_URL: 'smtp://127.0.0.1:1' });
  assert.match(
    await (await openPage(verifying, '/privacy')).text(),
    /the code that is sent to it, and the e-mail with it<\/td><td>10 minutes, or until you enter it, and up to an hour more</,
  );
  const usual = await (await openPage(service, '/privacy')).text();
  assert.match(
    usual,
    /What Dr\. Lena Vasquez notes about you<\/td><td>as long as anything of the above is kept, and until 90 days after you were last here</,
  );
  assert.doesNotMatch(usual, /the code that is sent/);
  assert.match(
    usual,
    /What you write: name, company, e-mail address, message; and what Dr\. Lena Vasquez replies<\/td><td>until Dr\. Lena Vasquez erases it</,
  );
});

describe('when something is wrong', () => {
  test('a message that was typed after the session had ended is sent once the address is entered again', async () => {
    const before = (await messages()).length;
    const visitor = openVisitor(service);
    const page = await (await visitor.getAccess()).text();
    await service.opened.tokens.revoke({ kind: 'subject', subject: byAddress('ada@example.com') });
    const form_token = hiddenField(page, 'form_token');
    const idempotency_key = hiddenField(page, 'idempotency_key');
    const body = new URLSearchParams({ form_token, idempotency_key, ...message });
    const refused = await visitor.send('/profile/write', { method: 'POST', body });
    assert.equal(refused.status, 401);
    const landing = await refused.text();
    assert.match(landing, /Your access from this browser has ended: .* your message is kept\./);
    assert.equal(hiddenField(landing, 'message'), 'Would you talk to us?');
    assert.equal(hiddenField(landing, 'idempotency_key'), idempotency_key);
    const fields = { ...message, idempotency_key };
    assert.match(await (await visitor.post('/', fields)).text(), /Your message was sent\./);
    assert.equal((await messages()).length, before + 1);
  });

  test('a message whose visitor has left in another tab is kept, and the page says that access has ended', async () => {
    const visitor = openVisitor(service);
    const form_token = hiddenField(await (await visitor.getAccess()).text(), 'form_token');
    await visitor.post('/profile/leave');
    const send = (token: string) =>
      visitor.send('/profile/write', {
        method: 'POST',
        body: new URLSearchParams({ ...message, message: 'Typed before', form_token: token }),
      });
    const shown = await (await send(form_token)).text();
    assert.match(textOf(shown), /Nothing was sent, because your access from this browser has ended\. /);
    assert.match(shown, /name="message" value="Typed before"/);
    const landing = await (await send(hiddenField(shown, 'form_token'))).text();
    assert.match(landing, /Your access from this browser has ended: .* your message is kept\./);
    assert.equal(hiddenField(landing, 'message'), 'Typed before');
  });

  test('a form from another site is refused, and one without a token of ours is shown again', async () => {
    const cross = await postForm(service, '/', { email: 'ada@example.com' }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(cross.status, 403);
    const stale = await postForm(service, '/', { email: 'ada@example.com', form_token: '1.x' });
    assert.equal(stale.status, 403);
    assert.match(await stale.text(), /open for more than a day.*value="ada@example\.com"/s);
  });

  test('without Sec-Fetch-Site the Origin must be ours', async () => {
    const page = await (await openPage(service, '/')).text();
    const post = (headers: Record<string, string>) =>
      service.ask('/', {
        method: 'POST',
        headers,
        body: new URLSearchParams({ form_token: hiddenField(page, 'form_token'), email: 'ada@example.com' }),
      });
    assert.equal((await post({ origin: 'http://127.0.0.1:3000' })).status, 303);
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:8080' },
    ])
      assert.equal((await post(headers as Record<string, string>)).status, 403, JSON.stringify(headers));
  });

  test('over the limit, the page says when to try again and keeps what was typed', async (t) => {
    const limited = await openUntilEnd(t, { LIMITS: '0.1' });
    const response = await postForm(limited, '/', { email: 'ada@example.com' });
    assert.equal(response.status, 429);
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match(
      await response.text(),
      /Nothing was sent\. There were too many requests\. Try again in \d+ seconds\..*value="ada@example\.com"/s,
    );
  });

  test('what was done is said to be done, although the token has no read left for the page that follows', async (t) => {
    const limited = await openUntilEnd(t, { LIMITS: '0.1' });
    const visitor = openVisitor(limited);
    const page = await (await visitor.post('/profile', { token: limited.token })).text();
    for (let count = 0; count < 11; count += 1) await limited.get('/candidate');
    const body = new URLSearchParams({ form_token: hiddenField(page, 'form_token'), ...message });
    const sent = await visitor.send('/profile/write', { method: 'POST', body });
    assert.equal(sent.status, 303);
    assert.equal((await limited.opened.store.contacts.list()).length, 1);
    const shown = await visitor.get('/');
    assert.equal(shown.status, 429);
    assert.match(await shown.text(), /Your message was sent\..*There is a limit for each person/s);
    assert.doesNotMatch(await (await visitor.get('/')).text(), /Your message was sent\./);
  });

  test('an unknown path is a page for browsers, and JSON for programs', async () => {
    const page = await openPage(service, '/nothing-here');
    assert.equal(page.status, 404);
    assert.match(await page.text(), /There is no page at this address/);
    const json = await service.ask('/nothing-here', { headers: { accept: 'application/json' } });
    assert.equal((await json.json()).error.code, 'NOT_FOUND');
  });
});

test('a job of one role is one heading, and the role has its own dates if it was shorter', async (t) => {
  const jobOf = async (profile: string) => {
    const one = await openUntilEnd(t, {}, profile);
    const text = textOf(await (await openVisitor(one).post('/profile', { token: one.token })).text()).replace(
      /\s+/g,
      ' ',
    );
    return text
      .slice(text.indexOf('Experience ') + 'Experience '.length, text.indexOf(' Senior Engineer'))
      .split(' Past')[0];
  };
  const profile = readFileSync(fixture('profile.yaml'), 'utf8');
  assert.equal(await jobOf(profile), 'Staff Engineer, Nów GmbH Jul 2018 – present Platform work.');
  assert.equal(
    await jobOf(
      profile.replace('Staff Engineer\n        start_date: 2018', 'Staff Engineer\n        start_date: 2020'),
    ),
    'Nów GmbH Jul 2018 – present Platform work. Staff Engineer Jul 2020 – present',
  );
});
