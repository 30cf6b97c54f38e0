import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formPost, formTokenOf } from '../support/desk.ts';
import { browserOf } from '../support/oauth.ts';
import { authorizationUrl } from '../support/oauth-flow.ts';
import { openOauthService } from '../support/oauth-service.ts';
import { openLimited } from '../support/visitors.ts';

const marker = 'evil-marker';
const ampersands = '&'.repeat(66_000);
const reply = '/desk/inbox/contact_1/reply';

test('forms without a token of ours are shown again 30 times a minute; then a page of 429 repeats nothing [TRUST-73]', async (t) => {
  const { from } = await openLimited(t);
  const send = (path: string, address: string) =>
    from(address, path, formPost({ form_token: '1.x', email: marker, message: marker, link: marker, reply: marker }));
  const paths = ['/', '/profile', '/profile/write', '/desk/sign-in', '/desk/sign-in/confirm', reply];
  const statuses = [];
  for (let n = 0; n < 30; n += 1) statuses.push((await send(paths[n % paths.length]!, '198.51.100.1')).status);
  assert.deepEqual(
    statuses.filter((status) => status === 429),
    [],
  );
  for (const path of paths) {
    const refused = await send(path, '198.51.100.1');
    assert.equal(refused.status, 429, path);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    const page = await refused.text();
    assert.match(page, /<h1>Too many requests<\/h1>/);
    assert.doesNotMatch(page, new RegExp(marker));
  }
  assert.equal((await send('/', '198.51.100.2')).status, 403);
  // A form of a page of ours is still accepted.
  const form_token = formTokenOf(await (await from('198.51.100.1', '/', { headers: { accept: 'text/html' } })).text());
  const sent = await from('198.51.100.1', '/', formPost({ form_token, email: 'ada@example.org' }));
  assert.equal(sent.status, 303);
});

test('forms with an invalid token, without a session, or over a limit come back 30 times a minute [TRUST-73]', async (t) => {
  const { from } = await openLimited(t);
  const page = await (await from('192.0.2.77', '/', { headers: { accept: 'text/html' } })).text();
  const form_token = formTokenOf(page);
  const counted = async (path: string, address: string, times: number) => {
    let [shown, led] = [0, 0];
    for (let n = 0; n < times; n += 1) {
      const response = await from(
        address,
        path,
        formPost({ form_token, email: 'ada@example.org', message: marker, reply: marker }),
      );
      if ((await response.text()).includes(marker)) shown += 1;
      else if (response.status === 303) led += 1;
      else assert.equal(response.status, 429);
    }
    return [led, shown];
  };
  assert.deepEqual(await counted('/profile/write', '198.51.100.1', 35), [0, 30]);
  assert.deepEqual(await counted(reply, '198.51.100.2', 35), [0, 30]);
  // After 10 tokens, whose sessions keep the message.
  assert.deepEqual(await counted('/', '198.51.100.3', 45), [10, 30]);
});

test('a form of a client is charged like all others, and the typed address is cut to its maximum [TRUST-73]', async (t) => {
  const service = await openOauthService(t, { LIMITS: '1' });
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const shown = await browser.open(authorizationUrl(service, String(body.client_id)));
  const typed = await browser.send(shown, { email: ampersands, step: 'address' });
  assert.equal(typed.response.status, 400);
  assert.equal(typed.text.match(/&amp;/g)?.length, 254);
  const statuses = [];
  for (let n = 0; n < 31; n += 1)
    statuses.push((await browser.open(shown.url, formPost({ form_token: '1.x', step: 'deny' }))).response.status);
  assert.deepEqual(statuses, [...Array(30).fill(403), 429]);
});

test('what is shown again of a form is its fields up to their lengths: 198 KB of & are not 674 KB [TRUST-73]', async (t) => {
  const { from, visitor } = await openLimited(t);
  const fields = { name: ampersands, message: ampersands, company: ampersands, email: ampersands, token: ampersands };
  const size = async (sent: Record<string, string>) => {
    const response = await from('198.51.100.1', '/profile', formPost({ ...sent, other: marker }));
    const text = await response.text();
    assert.doesNotMatch(text, new RegExp(marker));
    return text.match(/&amp;/g)?.length ?? 0;
  };
  // The message, twice 10,000, the name and the company, and the address once.
  assert.ok((await size({ message: ampersands, form_token: '1.x' })) <= 20_050);
  assert.ok((await size({ name: ampersands })) <= 450);
  assert.ok((await size({ email: ampersands })) <= 300);
  assert.ok((await size({ token: ampersands })) <= 50);
  assert.equal((await from('198.51.100.1', '/profile', formPost(fields))).status, 413);
  // With a token, too.
  const ada = await visitor('ada@example.org', '198.51.100.2');
  const page = await (await from('198.51.100.1', '/', { headers: { accept: 'text/html' } })).text();
  const sent = { form_token: formTokenOf(page), token: ada.token, message: ampersands };
  assert.ok((await size(sent)) <= 10_050);
  assert.ok((await size({ ...sent, message: '', idempotency_key: ampersands })) <= 100);
});

test('a message of 10,000 characters is shown again whole, in whatever characters [TRUST-73]', async (t) => {
  const { from } = await openLimited(t);
  const message = '😀'.repeat(10_000);
  const page = await (await from('198.51.100.1', '/', formPost({ form_token: '1.x', message }))).text();
  assert.ok(page.includes(`\n${message}</textarea>`));
});

test('a form whose page was open for too long does nothing, and sent as it is shown again does', async (t) => {
  const service = await openOauthService(t);
  const { body } = await service.register();
  const browser = browserOf(service.fetch, service.baseUrl);
  const url = authorizationUrl(service, String(body.client_id));
  const sendAgain = async (path: string | URL, sent: Record<string, string>) => {
    const kept = await browser.open(path, formPost({ ...sent, form_token: '1.x' }));
    assert.equal(kept.response.status, 403);
    assert.match(kept.text, /<h1>Send this again<\/h1>/);
    const fields = [...kept.text.matchAll(/<input (?:type="hidden"|id="[^"]*") name="([^"]+)" value="([^"]*)">/g)];
    return browser.open(path, formPost(Object.fromEntries(fields.map(([, name, value]) => [name!, value!]))));
  };

  const address = await browser.open(url);
  const consent = await sendAgain(address.url, { email: 'ada@example.org', step: 'address' });
  assert.match(consent.text, /asks to read this profile<\/h1>/);
  // What it allows is shown again before it is allowed.
  const shown = await sendAgain(consent.url, { step: 'allow', address: 'ada@example.org' });
  assert.match(shown.text, /asks to read this profile<\/h1>/);
  assert.deepEqual(service.rows('select 1 from oauth_grants'), []);
  assert.match((await sendAgain('/', { email: 'ada@example.org' })).text, /You are here as/);
  assert.match((await sendAgain('/desk/sign-in', { to: '/desk/inbox' })).text, /Look for the file/);
  assert.deepEqual(service.rows('select path from sign_in_links'), [{ path: '/desk/inbox' }]);
});
