import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { rowsOf, testOnSqlite } from '../support/database.ts';
import { formPost, formTokenOf, printLink, signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { snippetOf, textOf } from '../support/pages.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const service = await openTestService();
after(service.close);
const { ask, baseUrl, folder, opened } = service;
const database = `${folder}/candidate-profile.db`;

const sections = ['/desk', '/desk/readers', '/desk/inbox', '/desk/profile', '/desk/mail'];

// The program names itself as it was started, and `npm test` starts it, too.
const isRunByNpm = process.env.npm_package_name === 'candidate-profile';

const titleOf = (page: string) => /<h1>(.*)<\/h1>/.exec(page)?.[1];
const newLink = async (to = '/desk') => (await printLink(opened, to)).url.slice(baseUrl.length);
const secretOf = (link: string) => new URL(link, baseUrl).searchParams.get('link')!;

/** Confirms a link with the form of its page. */
async function confirm(link: string, headers: Record<string, string> = {}) {
  const form_token = formTokenOf(await (await ask(link)).text());
  return ask('/desk/sign-in/confirm', formPost({ form_token, link: secretOf(link) }, headers));
}

suite('The desk', () => {
  test('every section opens with a session, and asks to sign in without one, keeping where to go', async () => {
    const owner = await signIn(service);
    for (const path of sections) {
      assert.equal((await owner.get(path)).status, 200, path);
      const closed = await ask(`${path}?since=2026-11-21`);
      assert.equal(closed.status, 403, path);
      const page = await closed.text();
      assert.equal(titleOf(page), 'Sign in to your desk', path);
      assert.match(page, new RegExp(`name="to" value="${path}\\?since=2026-11-21"`));
    }
  });

  test('the page that asks to sign in is the same for every foreign Host, and names nothing of the owner', async () => {
    const [own, foreign] = await Promise.all(
      ['http://profile.example', 'http://evil.example'].map(async (origin) => {
        const response = await service.send(new Request(`${origin}/desk`));
        const page = await response.text();
        return [response.status, page.replaceAll(/name="form_token" value="[^"]+"/g, '')];
      }),
    );
    assert.deepEqual(own, foreign);
    assert.doesNotMatch(String(own), /@|Lena|Vasquez/);
  });

  test('without a mail server the page after a link was written says in which folder, to be copied', async () => {
    const page = await (await ask('/desk/sign-in/sent')).text();
    assert.match(textOf(page), /Where it is It is the newest file in this folder, on this computer: /);
    assert.ok(page.includes(`<details class="details" open><summary>Where it is</summary>`), page);
    assert.equal(snippetOf(page, 'mail-folder'), `${folder}/mail`);
    assert.match(page, /<button type="button" class="plain" data-copy="mail-folder" data-needs-script>Copy</);
    assert.match(page, /<script type="module" src="\/assets\/page\./);
  });

  test('the pages to sign in say which command prints a link, to be copied', async () => {
    const command = isRunByNpm
      ? 'npm run --silent cli -- desk'
      : `node ${process.argv[1]!.slice(process.cwd().length + 1)} desk`;
    for (const path of ['/desk/sign-in', '/desk/sign-in/sent', '/desk']) {
      const page = await (await ask(path)).text();
      assert.match(textOf(page), /this command prints a link, and so does each start in a terminal: /);
      assert.equal(snippetOf(page, 'link-command'), command);
      assert.match(page, /data-copy="link-command"/);
    }
  });

  test('the pages to sign in name no path of the machine to others, and no file if a mail is sent', async (t) => {
    const pathless = isRunByNpm ? 'npm run --silent cli -- desk' : 'candidate-profile desk';
    const open = async (env: Record<string, string>) => {
      const proxied = await openTestService({ OWNER_EMAIL: 'owner@lenavasquez.dev', ...env });
      t.after(proxied.close);
      return proxied;
    };
    const asked = (headers: Record<string, string>, origin = baseUrl) => ({
      proxied: service,
      send: (path: string) => service.send(new Request(origin + path, { headers })),
    });
    const byConfiguration = [
      { BASE_URL: 'https://profile.example.org' },
      { TRUST_PROXY: '127.0.0.1' },
      { ALLOWED_HOSTS: 'profile.example.org' },
    ].map(async (env) => {
      const proxied = await open(env);
      return { proxied, send: (path: string) => proxied.ask(path) };
    });
    // A tunnel to a service that does not know of it.
    const byRequest = [
      asked({}, 'http://profile.example.org'),
      asked({ 'x-forwarded-for': '192.0.2.1' }),
      asked({ 'x-forwarded-host': 'profile.example.org' }),
      asked({ forwarded: 'for=192.0.2.1' }),
      asked({ 'cf-connecting-ip': '192.0.2.1' }),
    ];
    for (const { proxied, send } of [...(await Promise.all(byConfiguration)), ...byRequest]) {
      for (const path of ['/desk', '/desk/sign-in', '/desk/sign-in/sent']) {
        const page = await (await send(path)).text();
        assert.equal(snippetOf(page, 'link-command'), pathless);
        if (path.endsWith('/sent'))
          assert.match(
            textOf(page),
            /the newest file in the folder “mail”, inside the data folder of this site, on the mach/,
          );
        for (const secret of [proxied.folder, process.cwd(), 'test/']) assert.ok(!page.includes(secret), secret);
      }
    }
    const mailing = await openTestService({ SMTP_URL: 'smtp://127.0.0.1:1' });
    t.after(mailing.close);
    assert.doesNotMatch(textOf(await (await mailing.ask('/desk/sign-in')).text()), /\bfiles?\b/);
  });

  test('no page of the desk is kept by a cache', async () => {
    const owner = await signIn(service);
    const link = await newLink();
    for (const response of [await owner.get('/desk'), await ask('/desk'), await ask(link), await confirm(link)])
      assert.equal(response.headers.get('cache-control'), 'no-store');
  });
});

suite('A link', () => {
  test('signs in when its page is confirmed, and leads to the page that was asked for', async () => {
    const response = await confirm(await newLink('/desk/inbox?state=unread'));
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/desk/inbox?state=unread');
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('is not used by GET or HEAD, which programs that check mail send [TRUST-46]', async () => {
    const link = await newLink();
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const response = await ask(link, { method });
      assert.equal(response.status, 200);
      assert.deepEqual(response.headers.getSetCookie(), []);
    }
    assert.equal((await confirm(link)).status, 303);
  });

  test('that was used, has expired or is unknown is told so, and signs nobody in [TRUST-46]', async () => {
    const used = await newLink();
    await confirm(used);
    const expired = await newLink();
    rowsOf(database, "update sign_in_links set expires_at = '2026-01-01T00:00:00.000Z' where used_at is null");
    const form_token = formTokenOf(await (await ask('/desk/sign-in')).text());
    for (const [link, status, title] of [
      [used, 410, 'This link was used already'],
      [expired, 410, 'This link has expired'],
      ['/desk/sign-in?link=guessed', 404, 'This link is not known here'],
      ['/desk/sign-in?link=', 404, 'This link is not known here'],
    ] as const) {
      const posted = await ask('/desk/sign-in/confirm', formPost({ form_token, link: secretOf(link) }));
      for (const response of [await ask(link), posted]) {
        assert.equal(response.status, status);
        const page = await response.text();
        assert.equal(titleOf(page), title);
        assert.match(page, /href="\/desk\/sign-in">Ask for another link</);
        assert.deepEqual(response.headers.getSetCookie(), []);
      }
    }
  });

  test('leaves its secret in no address that a browser tells to others', async () => {
    const link = await newLink();
    const response = await ask(link);
    assert.equal(response.headers.get('referrer-policy'), 'strict-origin');
    assert.match(await response.text(), /<form method="post" action="\/desk\/sign-in\/confirm">/);
  });

  test('leads only to pages of the desk', async () => {
    const asked = async (to: string) => {
      const page = await (await ask(`/desk/sign-in?to=${encodeURIComponent(to)}`)).text();
      return /name="to" value="([^"]*)"/.exec(page)?.[1];
    };
    assert.equal(await asked('/desk/readers?reader=ada%40example.org'), '/desk/readers?reader=ada%40example.org');
    for (const to of [
      'https://evil.example/desk',
      '//evil.example/desk',
      '/\\evil.example/desk',
      '/deskevil',
      '/desk/../docs',
      '/desk/sign-in?link=x',
      'javascript:alert(1)',
      `/desk/${'x'.repeat(500)}`,
      '',
    ])
      assert.equal(await asked(to), '/desk', to);
  });
});

suite('Asking for a link', () => {
  test('mails it to the owner three times an hour, and says the same afterwards and the fourth time [TRUST-48]', async (t) => {
    const limited = await openTestService({ LIMITS: '1' });
    t.after(limited.close);
    const answers = new Set<string>();
    for (let n = 0; n < 5; n += 1) {
      const form_token = formTokenOf(await (await limited.ask('/desk/inbox')).text());
      const response = await limited.ask('/desk/sign-in', formPost({ form_token, to: '/desk/inbox' }));
      const page = await (await limited.ask(response.headers.get('location')!)).text();
      answers.add(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()} ${page}`);
    }
    assert.equal(answers.size, 1);
    assert.match([...answers][0]!, /^303 .*"\/desk\/sign-in\/sent".*Look for the file/s);
    const rows = rowsOf(`${limited.folder}/candidate-profile.db`, 'select path from sign_in_links');
    assert.deepEqual(rows, Array(3).fill({ path: '/desk/inbox' }));
  });

  testOnSqlite(
    'takes no lock of the database once there are too many, so that a flood of them delays no visitor',
    async (t) => {
      const limited = await openTestService({ LIMITS: '1' });
      t.after(limited.close);
      const form_token = formTokenOf(await (await limited.ask('/desk/sign-in')).text());
      const asked = () => limited.ask('/desk/sign-in', formPost({ form_token, to: '/desk' }));
      for (let count = 0; count < 3; count += 1) await asked();
      using other = openSqliteFile(`${limited.folder}/candidate-profile.db`);
      other.exec('begin immediate');
      assert.equal((await asked()).status, 303);
    },
  );

  testOnSqlite('is answered with 503 if the database cannot be written', async (t) => {
    const locked = await openTestService();
    t.after(locked.close);
    const form_token = formTokenOf(await (await locked.ask('/desk/sign-in')).text());
    using other = openSqliteFile(`${locked.folder}/candidate-profile.db`);
    other.exec('begin immediate');
    const response = await locked.ask('/desk/sign-in', formPost({ form_token, to: '/desk' }));
    assert.equal(response.status, 503);
    assert.equal(titleOf(await response.text()), 'Nothing can be stored at the moment');
  });
});

suite('A form of another site', () => {
  const foreign: Record<string, Record<string, string>> = {
    'Sec-Fetch-Site: cross-site': { 'sec-fetch-site': 'cross-site' },
    'Sec-Fetch-Site: same-site': { 'sec-fetch-site': 'same-site' },
    'Sec-Fetch-Site: none': { 'sec-fetch-site': 'none' },
    'cross-site with our Origin': { 'sec-fetch-site': 'cross-site', origin: baseUrl },
    'another Origin': { 'sec-fetch-site': '', origin: 'https://evil.example' },
    'Origin: null': { 'sec-fetch-site': '', origin: 'null' },
    'neither header': { 'sec-fetch-site': '' },
  };
  for (const [name, headers] of Object.entries(foreign))
    test(`is refused, even with a valid token: ${name} [TRUST-47]`, async () => {
      const owner = await signIn(service);
      const link = await newLink();
      const desk = formTokenOf(await (await owner.get('/desk')).text());
      const visitor = formTokenOf(await (await ask(link)).text());
      const posted = (path: string, fields: Record<string, string>, more = {}) => {
        const init = formPost(fields, { ...headers, ...more });
        const kept = new Headers(init.headers);
        if (kept.get('sec-fetch-site') === '') kept.delete('sec-fetch-site');
        return ask(path, { ...init, headers: kept });
      };
      for (const response of [
        await posted('/desk/sign-out', { form_token: desk }, { cookie: owner.cookie }),
        await posted('/desk/sign-in', { form_token: visitor }),
        await posted('/desk/sign-in/confirm', { form_token: visitor, link: secretOf(link) }),
      ]) {
        assert.equal(response.status, 403);
        assert.equal(titleOf(await response.text()), 'This was not sent from a page of this site');
      }
      assert.equal((await owner.get('/desk')).status, 200);
      assert.equal(await opened.owner.signIn.check(secretOf(link)), 'valid');
    });

  test('is accepted of our own page by a browser that sends only Origin', async () => {
    const owner = await signIn(service);
    const form_token = formTokenOf(await (await owner.get('/desk')).text());
    const init = formPost({ form_token }, { cookie: owner.cookie, origin: baseUrl });
    const headers = new Headers(init.headers);
    headers.delete('sec-fetch-site');
    assert.equal((await ask('/desk/sign-out', { ...init, headers })).status, 303);
  });

  test('is refused under another Host [TRUST-47]', async () => {
    const owner = await signIn(service);
    const form_token = formTokenOf(await (await owner.get('/desk')).text());
    const init = formPost({ form_token }, { cookie: owner.cookie, origin: 'http://evil.example' });
    const response = await service.send(new Request('http://evil.example/desk/sign-out', init));
    assert.equal(response.status, 403);
    assert.equal((await owner.get('/desk')).status, 200);
  });
});

test('a form with many more fields than a page of ours has is refused, and not repeated', async () => {
  const body = 'a&'.repeat(100_000);
  for (const [path, title] of [
    ['/desk/sign-in', 'What you sent is too long'],
    ['/desk/sign-in/confirm', 'What you sent is too long'],
    ['/profile/write', 'What you sent is too long'],
  ]) {
    const response = await ask(path!, { ...formPost({}), body });
    assert.equal(response.status, 413, path);
    const page = await response.text();
    assert.equal(titleOf(page), title);
    assert.ok(page.length < 10_000, path);
  }
});

test('the address of a form, opened again, leads to the page that the form is on', async () => {
  const owner = await signIn(service);
  for (const [form, page] of [
    ['/desk/inbox/contact_1/reply', '/desk/inbox/contact_1'],
    ['/desk/readers/reader_1/note', '/desk/readers/reader_1'],
    ['/desk/mail/schedules', '/desk/mail'],
    ['/desk/sign-out', '/desk'],
  ]) {
    const response = await owner.get(form!);
    assert.deepEqual([response.status, response.headers.get('location')], [303, page], form);
  }
  assert.equal((await owner.get('/desk')).status, 200);
});

suite('A session', () => {
  test('has a new secret at each sign-in: a cookie that was set beforehand is not taken over [TRUST-47]', async () => {
    const planted = `desk=${'A'.repeat(43)}`;
    const response = await confirm(await newLink(), { cookie: planted });
    const [cookie = ''] = response.headers.getSetCookie().map((one) => one.split(';')[0]!);
    assert.notEqual(cookie, planted);
    assert.equal((await ask('/desk', { headers: { cookie: planted } })).status, 403);
    assert.equal((await ask('/desk', { headers: { cookie } })).status, 200);
  });

  test('ends when its owner signs out, and the others go on; signing out everywhere ends them all', async () => {
    const [first, second, third] = [await signIn(service), await signIn(service), await signIn(service)];
    const response = await first.post('/desk/sign-out');
    assert.equal(response.headers.get('location'), '/desk/sign-in?ended=here');
    assert.match(await (await ask('/desk/sign-in?ended=here')).text(), /You are signed out in this browser\./);
    assert.doesNotMatch(await (await ask('/desk/sign-in?ended=constructor')).text(), /role="status"/);
    assert.match(response.headers.get('set-cookie')!, /^desk=; Max-Age=0; Path=\//);
    assert.equal((await first.get('/desk')).status, 403);
    assert.equal((await second.get('/desk')).status, 200);
    await second.post('/desk/sign-out-everywhere');
    for (const { get } of [second, third]) assert.equal((await get('/desk')).status, 403);
  });

  test('accepts no form token of another one, nor of a visitor [TRUST-47]', async () => {
    const [owner, other] = [await signIn(service), await signIn(service)];
    const tokens = [await (await other.get('/desk')).text(), await (await ask('/desk/sign-in')).text()].map(
      formTokenOf,
    );
    for (const form_token of [...tokens, '']) {
      const response = await ask('/desk/sign-out', formPost({ form_token }, { cookie: owner.cookie }));
      assert.equal(response.status, 403);
      assert.equal(titleOf(await response.text()), 'Nothing was changed');
    }
    assert.equal((await owner.get('/desk')).status, 200);
  });

  test('has a cookie for only this host if the public address is https', async (t) => {
    const secure = await openTestService({ BASE_URL: 'https://profile.example' });
    t.after(secure.close);
    const { url } = await printLink(secure.opened);
    const form_token = formTokenOf(await (await secure.send(new Request(url))).text());
    const response = await secure.ask('/desk/sign-in/confirm', formPost({ form_token, link: secretOf(url) }));
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^__Host-desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const [name, value] = cookie.split(';')[0]!.split('=');
    assert.equal((await secure.ask('/desk', { headers: { cookie: `${name}=${value}` } })).status, 200);
    assert.equal((await secure.ask('/desk', { headers: { cookie: `desk=${value}` } })).status, 403);
  });
  test('that has ended leads a form to signing in, and from there to the page of the form', async () => {
    const owner = await signIn(service);
    const form_token = formTokenOf(await (await owner.get('/desk')).text());
    await owner.post('/desk/sign-out');
    const ended = await ask('/desk/mail/schedules', formPost({ form_token }, { cookie: owner.cookie }));
    assert.equal(ended.status, 403);
    assert.match(await ended.text(), /<input type="hidden" name="to" value="\/desk\/mail\/schedules">/);
    const back = await (await signIn(service)).get('/desk/mail/schedules');
    assert.equal(back.headers.get('location'), '/desk/mail');
  });
});
