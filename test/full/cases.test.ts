import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, type TestContext, test } from 'node:test';
import { toDocx } from 'resume-documents/docx/resume';
import { importResume } from 'resume-import/import-resume';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { themes } from 'resume-profile/resume-design';
import { readPdf, rendererOf, sample } from '../../packages/resume-documents/test/pdf/rendered.ts';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import type { PatchOperation } from '../../src/model/profile/working-copy.ts';
import { readConfig, StartFault } from '../../src/service/config/config.ts';
import { sample as sampleText } from '../support/desk.ts';
import { readDocx } from '../support/docx.ts';
import { openEditorDesk } from '../support/editor-desk.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox, refusal } from '../support/inbox.ts';
import { answersIn, legacy, modern, posted } from '../support/mcp-service.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, inheritedEnv, main, runCommand } from '../support/process.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

/** The cases come from the bug reports of similar programs; each has the number of its report. */
type Service = Awaited<ReturnType<typeof openTestService>>;

const BASE_URL = 'https://profile.example.org';
let service: Service;
before(async () => {
  service = await openTestService({ BASE_URL });
});
after(() => service.close());

suite('20: Accept of MCP clients', () => {
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const [json, events] = ['application/json', 'text/event-stream'];

  /** Sends a message with another Accept header, null for none, and returns status, type and JSON-RPC id. */
  async function typeOf(request: Request, accept: string | null) {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${service.token}`);
    if (accept === null) headers.delete('accept');
    else headers.set('accept', accept);
    const body = await request.text();
    const response = await service.send(new Request(`${BASE_URL}/mcp`, { method: 'POST', headers, body }));
    const text = await response.text();
    const type = response.headers.get('content-type');
    const { id } = type === events ? answersIn(text)[0] : JSON.parse(text);
    return [response.status, type, id];
  }

  const messages = {
    'initialize of the legacy era': () => posted(legacy('initialize', initialize)),
    'a request of the legacy era': () => posted(legacy('tools/list')),
    'an unknown tool of the legacy era': () => posted(legacy('tools/call', { name: 'none' })),
    'a request of the modern era': () => modern('tools/list'),
    'server/discover of the modern era': () => modern('server/discover'),
    'an unknown tool of the modern era': () => modern('tools/call', { name: 'none' }, { 'mcp-name': 'none' }),
  };
  for (const [name, message] of Object.entries(messages))
    test(`${name} is answered in the type that the client accepts`, async () => {
      for (const [accept, type] of [
        ['application/json', json],
        ['text/event-stream', events],
        ['*/*', json],
        ['application/*', json],
        [null, json],
        ['text/*, application/json;q=0', events],
        ['application/json, text/event-stream', name.includes('legacy') ? events : json],
      ] as const)
        assert.deepEqual(await typeOf(message(), accept), [200, type, 1], String(accept));
      assert.deepEqual(await typeOf(message(), 'text/html'), [406, json, null]);
    });

  test('an error of HTTP is JSON, whatever is accepted', async () => {
    assert.deepEqual(await typeOf(modern('no/such'), 'text/event-stream'), [404, json, 1]);
  });

  test('a subscription is refused to a client that does not accept an event stream', async () => {
    const headers = { accept: 'application/json', authorization: `Bearer ${service.token}` };
    const { body, status } = await service.send(
      new Request(modern('subscriptions/listen', { notifications: { toolsListChanged: true } }, headers), {}),
    );
    await body?.cancel();
    assert.equal(status, 406);
  });
});

suite('21: MCP from a page in a browser', () => {
  const origin = 'https://claude.ai';
  const listOf = (response: Response, header: string) =>
    (response.headers.get(header) ?? '').toLowerCase().split(/, ?/);

  const preflight = (path: string, method: string) =>
    service.ask(path, {
      method: 'OPTIONS',
      headers: {
        ...{ origin, 'access-control-request-method': method },
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    });

  test('at a public https address a page of any origin may call /mcp with a token, and read the answer', async () => {
    for (const origin of ['https://claude.ai', 'http://localhost:6274', 'https://app.mcpjam.com', 'null']) {
      const { status, headers } = await service.post('/mcp', legacy('ping'), { origin });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, origin]);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  test('a page reads the challenge of a 401, which leads to the metadata, the registration and the token', async () => {
    const response = await service.ask('/mcp', { method: 'POST', headers: { origin } });
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [401, origin]);
    assert.ok(listOf(response, 'access-control-expose-headers').includes('www-authenticate'));
    for (const [path, method] of [
      ['/.well-known/oauth-protected-resource/mcp', 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
    ] as const) {
      const allowed = await preflight(path, method);
      const names = listOf(allowed, 'access-control-allow-headers');
      assert.deepEqual([names.includes('mcp-protocol-version'), names.includes('content-type')], [true, true], path);
      const answer = await service.ask(path, { method, headers: { origin } });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', path);
    }
  });

  test('a form of another site is refused there as before', async () => {
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const response = await service.ask('/desk/sign-in', { method: 'POST', headers, body: 'link=true' });
    assert.equal(response.status, 403);
  });
});

suite('23: an SMTP password with signs of addresses', () => {
  const faultsOf = (env: Record<string, string>) => {
    try {
      readConfig({ PROFILE: fixture('profile.yaml'), ...env }, '/');
      return [];
    } catch (error) {
      assert.ok(error instanceof StartFault);
      return error.message.split('\n');
    }
  };

  test('a sign that must be encoded is named with its percent form, and the password is not shown', () => {
    const inPlace = 'or set SMTP_USER and SMTP_PASSWORD in their place';
    for (const [url, fault] of [
      [
        'smtp://me@host.example.net:p#ss/w@rd@mail.example.net:587',
        `SMTP_URL: has #, / and @ in its user name or password: write # as %23, / as %2F and @ as %40, ${inPlace}`,
      ],
      [
        'smtps://me:123/ss@mail.example.net',
        `SMTP_URL: has / in its user name or password: write / as %2F, ${inPlace}`,
      ],
      [
        'smtp://me:50%?x@mail.example.net',
        `SMTP_URL: has ? and % in its user name or password: write ? as %3F and % as %25, ${inPlace}`,
      ],
      ['smtp://', 'SMTP_URL: must be an smtp:// or smtps:// URL'],
    ] as const)
      assert.deepEqual(faultsOf({ SMTP_URL: url }), [fault]);
    assert.deepEqual(faultsOf({ SMTP_URL: 'smtp://me%40host.example.net:p%23s@s@mail.example.net:587' }), []);
  });

  test('a user name and a password beside SMTP_URL are used as they are', async (t) => {
    const logins: unknown[] = [];
    const { url } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        logins.push(username, password);
        callback(null, { user: 'me' });
      },
    });
    const SMTP_PASSWORD = ' p#ss/w@rd:%25';
    const env = { PROFILE: fixture('profile.yaml'), SMTP_URL: url, SMTP_USER: 'me@host.example.net', SMTP_PASSWORD };
    const { stdout } = await runCommand(t, ['doctor'], { ...env, OAUTH: 'off' });
    assert.match(stdout, /^ok {4}smtp: \S+ responds and accepts the log-in, the sender me@host.example.net and /m);
    assert.deepEqual(logins, ['me@host.example.net', SMTP_PASSWORD]);
  });

  test('half of them, or both there and in SMTP_URL, is refused', () => {
    const beside = { SMTP_USER: 'me', SMTP_PASSWORD: 'secret' };
    const SMTP_URL = 'smtp://mail.example.net';
    for (const [env, fault] of [
      [{ SMTP_URL, SMTP_USER: 'me' }, 'SMTP_PASSWORD: is not set, but SMTP_USER is; set both or neither'],
      [{ SMTP_URL, SMTP_PASSWORD: 'secret' }, 'SMTP_USER: is not set, but SMTP_PASSWORD is; set both or neither'],
      [beside, 'SMTP_URL: is not set, but SMTP_USER and SMTP_PASSWORD are; set it to the mail server'],
      [
        { ...beside, SMTP_URL: 'smtp://me:other@mail.example.net' },
        'SMTP_URL: has a user name and a password, and SMTP_USER and SMTP_PASSWORD are set; remove one of the two',
      ],
      [
        { ...beside, SMTP_URL: 'smtp://me@mail.example.net' },
        'SMTP_URL: has a user name, and SMTP_USER and SMTP_PASSWORD are set; remove one of the two',
      ],
    ] as const)
      assert.deepEqual(faultsOf(env), [fault]);
    assert.deepEqual(faultsOf({ ...beside, SMTP_URL }), []);
  });
});

suite('24: a sender that the mail server refuses', () => {
  const senderOf = (env: Record<string, string>) =>
    readConfig({ PROFILE: fixture('profile.yaml'), ...env }, '/').mailFrom;

  test('the sender is the user name at the mail server, if that is an address', () => {
    const beside = { SMTP_URL: 'smtp://mail.example.net', SMTP_USER: 'me@mail-example.net', SMTP_PASSWORD: 'pw' };
    for (const [env, sender] of [
      [{ SMTP_URL: 'smtp://me%40mail-example.net:pw@127.0.0.1' }, 'me@mail-example.net'],
      [beside, 'me@mail-example.net'],
      [{ ...beside, MAIL_FROM: 'you@mail-example.net' }, 'you@mail-example.net'],
      [{ SMTP_URL: 'smtp://me:pw@127.0.0.1' }, undefined],
      [{ SMTP_URL: 'smtp://100%40:pw@127.0.0.1' }, undefined],
      [{ SMTP_URL: beside.SMTP_URL }, undefined],
    ] as const)
      assert.equal(senderOf(env), sender);
  });

  test('doctor names sender and recipient to the mail server, says what that answers, and sends nothing', async (t) => {
    const { port, received } = await openInbox(t, {
      allowInsecureAuth: true,
      onAuth: (_login, _session, callback) => callback(null, { user: 'me' }),
      onMailFrom: ({ address }, _session, callback) =>
        callback(
          address === 'me@mail-example.net'
            ? null
            : refusal(553, '5.7.1 Sender address rejected: not owned by auth user'),
        ),
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === 'owner@example.net' ? null : refusal(550, '5.1.1 No such user')),
    });
    const at = `127.0.0.1:${port}`;
    const smtpLine = async (env: Record<string, string>) => {
      const settings = {
        PROFILE: fixture('profile.yaml'),
        OAUTH: 'off',
        SMTP_URL: `smtp://me%40mail-example.net:pw@${at}`,
        OWNER_EMAIL: 'owner@example.net',
      };
      const { stdout } = await runCommand(t, ['doctor'], { ...settings, ...env });
      return stdout.split('\n').find((line) => line.includes(' smtp: '));
    };
    for (const [env, line] of [
      [
        {},
        `ok    smtp: ${at} responds and accepts the log-in, the sender me@mail-example.net and the recipient owner@example.net`,
      ],
      [
        { MAIL_FROM: 'app@mail-example.net' },
        `fail  smtp: ${at} refuses the sender app@mail-example.net: 553 5.7.1 Sender address rejected: not owned by auth user; set MAIL_FROM to an address that may send there, such as the one of the account`,
      ],
      [
        { OWNER_EMAIL: 'nobody@example.net' },
        `fail  smtp: ${at} refuses the recipient nobody@example.net: 550 5.1.1 No such user; set OWNER_EMAIL to an address to which it delivers`,
      ],
    ] as const)
      assert.equal(await smtpLine(env), line);
    assert.equal(received.length, 0);
  });
});

suite('26: a data folder of another user, a read-only file system', () => {
  const isRoot = process.getuid?.() === 0;
  const uid = 12345;
  const asOther = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const canRun = (words: readonly string[]) => spawnSync(words[0]!, words.slice(1)).status === 0;
  const settings = { ...inheritedEnv(), PROFILE: fixture('profile.yaml'), PORT: '0', ALLOW_SAMPLE: 'true' };

  /** Starts `serve` by a command that runs its arguments. */
  function serve(by: readonly string[], dataDir: string): ChildProcessWithoutNullStreams {
    const [command = '', ...args] = [...by, process.execPath, main, 'serve'];
    return spawn(command, args, { cwd: '/', env: { ...settings, DATA_DIR: dataDir } });
  }

  /** Returns what a start that fails prints, and its exit code. */
  async function failedStart(by: readonly string[], dataDir: string): Promise<[string, number]> {
    const child = serve(by, dataDir);
    const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return [printed, code];
  }

  test('the start names folder, owner, its own user and the command', {
    skip: !(isRoot && canRun([...asOther, process.execPath, main, '--version'])) && 'runs as root, with setpriv',
  }, async (t) => {
    const folder = newFolder(t);
    chmodSync(folder, 0o755);
    const data = join(folder, 'data');
    assert.deepEqual(await failedStart(asOther, data), [
      `DATA_DIR: ${data} cannot be created: ${folder} belongs to user 0, and this process runs as user 12345; as root: install -d -o 12345 -g 12345 -m 700 ${data}\n`,
      1,
    ]);
    mkdirSync(data);
    chownSync(data, uid, uid);
    const database = join(data, 'candidate-profile.db');
    writeFileSync(database, '', { mode: 0o644 });
    assert.deepEqual(await failedStart(asOther, data), [
      `DATA_DIR: ${database} cannot be used: it belongs to user 0, and this process runs as user 12345; as root: chown -R 12345:12345 ${data}\n`,
      1,
    ]);
    chownSync(database, uid, uid);
    chmodSync(data, 0o555);
    assert.deepEqual(await failedStart(asOther, data), [
      `DATA_DIR: ${data} cannot be used: it has mode 555; chmod u+rwX ${data}\n`,
      1,
    ]);
  });

  test('a user who may not write in the root folder is told who may', {
    skip: isRoot && 'runs as another user',
  }, async () => {
    const [printed, code] = await failedStart([], '/candidate-profile-data');
    assert.match(
      printed,
      /^DATA_DIR: \/candidate-profile-data cannot be created: \/ belongs to user 0, and this process runs as user \d+; as root: install -d -o \d+ -g \d+ -m 700 \/candidate-profile-data\n$/,
    );
    assert.equal(code, 1);
  });

  suite('in a read-only root', { skip: !canRun(['unshare', '--mount', 'true']) && 'needs to mount' }, () => {
    /** Makes the root read-only for a command, with a file system of memory at the folder. */
    const inReadOnlyRoot = (folder: string) => [
      ...['unshare', '--mount', 'sh', '-c'],
      'mount -t tmpfs none "$0" && mount -o remount,ro,bind / && exec "$@"',
      folder,
    ];

    test('the service starts and prints the resume, if DATA_DIR can be written', async (t) => {
      const data = newFolder(t);
      const child = serve(inReadOnlyRoot(data), data);
      t.after(async () => {
        child.kill('SIGKILL');
        await once(child, 'close');
      });
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += chunk;
      });
      const url = await eventually(() => /^Listening on (\S+)/.exec(printed)?.[1] ?? false);
      const issued = await fetch(`${url}/auth/token`, postJson({ email: 'visitor@example.org' }));
      const { access_token: token } = (await issued.json()) as { access_token: string };
      const headers = { authorization: `Bearer ${token}` };
      const link = await eventually(async () => {
        const response = await fetch(`${url}/resume?format=pdf`, { headers });
        return response.ok && ((await response.json()) as { url: string }).url;
      });
      const type = await eventually(async () => {
        const file = await fetch(link);
        return file.ok && file.headers.get('content-type');
      });
      assert.equal(type, 'application/pdf');
    });

    test('a DATA_DIR there is named, with what to do', async (t) => {
      assert.deepEqual(await failedStart(inReadOnlyRoot(newFolder(t)), '/candidate-profile-data'), [
        'DATA_DIR: /candidate-profile-data cannot be created: its file system is read-only; set DATA_DIR to a place that this user can write\n',
        1,
      ]);
    });
  });
});

const caseFile = (name: string): string => fixture(join('cases', name));

/** Prints a resume, and returns its text and where each piece of it stands, in points. */
async function printed(profile: Profile, style: Parameters<typeof rendererOf>[0] = {}) {
  const { pages, text, missingGlyphs } = await rendererOf(style)(profile);
  const contents = await Promise.all(pages.map(({ page }) => page.getTextContent()));
  const pieces = contents.flatMap(({ items }) =>
    items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , , left, bottom] = item.transform as number[];
      return { text: item.str, left: left!, right: left! + item.width, bottom: bottom! };
    }),
  );
  const pieceOf = (part: string) => pieces.find((piece) => piece.text.includes(part)) ?? assert.fail(part);
  return { text, missingGlyphs, pieces, pieceOf };
}

test('02: flags, emoji and stars are printed in one colour', async () => {
  const { text, missingGlyphs } = await printed(readProfile(caseFile('02-emoji-and-flags.yaml')).profile!);
  for (const line of ['to three regions 🇩🇪🇬🇷🌐 and shipped it 🚀', 'Rated ★★★★☆ by users ✅', '🇩🇪 German (C1)'])
    assert.ok(text.includes(line), text);
  assert.deepEqual(missingGlyphs, []);
});

test('02: a sign that no font has is left out, and so is a text of nothing else', async () => {
  const accomplishments = ['Shipped 𓀀 it 𓀀.', '𓀀', '**𓀀** Led (𓀀) six', 'Read\ufffd'];
  const [job] = sample.experience;
  const experience = [{ ...job!, roles: [{ ...job!.roles[0]!, accomplishments }] }];
  const languages = [{ language: '𓀀 German' }, { language: '𓀀', fluency: '𓀀' }];
  const { text, missingGlyphs } = await printed({ ...sample, experience, resume: { ...sample.resume, languages } });
  assert.match(text, /• Shipped it\. • Led six • Read Projects/);
  assert.match(text, /Languages German Publications/);
  assert.deepEqual(missingGlyphs, ['𓀀', '\ufffd']);
});

test('10: Arabic in an English resume begins at the right, and is read in its order, without a setting', async () => {
  const { profile } = readProfile(caseFile('10-arabic-jobs-english-summary.yaml'));
  const { missingGlyphs, pieceOf } = await printed(profile!);
  assert.deepEqual(missingGlyphs, []);
  const [title, company, date] = ['مختبر', 'شركة', 'Mar 2021'].map(pieceOf);
  assert.ok(title!.right < company!.left && company!.right < date!.left);
  const [bullet, words, tool] = ['•', 'اختبار', 'Burp Suite'].map(pieceOf);
  assert.ok(tool!.right < words!.left && words!.right < bullet!.left && bullet!.right > 530);
  assert.ok(pieceOf('Tests the security').left < 61);
});

test('10: in Word, too, each paragraph runs in its own direction', async () => {
  const { profile } = readProfile(caseFile('10-arabic-jobs-english-summary.yaml'));
  const { parts } = readDocx(await toDocx(profile!, { paper: 'a4', photo: null }));
  const fromRight = parts['word/document.xml']!.match(/<w:p>.*?<\/w:p>/g)!.filter((one) => one.includes('<w:bidi/>'));
  assert.deepEqual(
    fromRight.map((one) => one.match(/\p{Script=Arabic}+/u)?.[0]),
    ['اختبار', 'كتابة'],
  );
});

const typedText = readFileSync(caseFile('17-profile-as-people-type-it.yaml'), 'utf8');

test('17: a profile as people type it is served as they mean it, with a warning of the colon', () => {
  const { profile, faults, remarks } = readProfileText(typedText);
  assert.deepEqual(faults, []);
  assert.deepEqual(profile, {
    owner_email: 'mara@lindholm-example.net',
    candidate: {
      ...{ id: 'cand_case', name: 'Mara Lindholm', title: 'Site Reliability Engineer', location: 'Utrecht' },
      ...{ summary: 'Keeps services up.', domains: ['Operations'] },
    },
    experience: [
      {
        ...{ id: 'exp_a', company: 'Verity Labs', company_start_date: '2019-03', company_end_date: null },
        ...{ current: true, summary: '' },
        roles: [{ title: 'Engineer', start_date: '2019-03', end_date: null, accomplishments: ['Led: six people'] }],
      },
    ],
    projects: [],
    availability: { status: 'open to talk' },
    resume: {
      skills: ['Kubernetes', 'Go'],
      phone: '+31612345678',
      links: [{ url: 'https://github.com/mara-example' }, { label: 'Site', url: 'https://mara-example.net' }],
      education: [{ institution: 'University of Leiden', end_date: '2015', score: '8.0' }],
      languages: [{ language: 'Dutch' }, { language: 'English' }],
      language: 'nl',
    },
    public: ['name', 'title'],
  });
  assert.deepEqual(remarks, [
    {
      path: ['experience', 0, 'roles', 0, 'accomplishments', 0],
      message: 'is read as a text in spite of its colon; put it in quotes: "Led: six people"',
    },
  ]);
});

test('17: what may mean one thing only is read so, and all else stays a fault', () => {
  /** Reads the value of a key of the case, or its fault, with other lines in place of some. */
  const read = (from: string | RegExp, to: string, toValue: (profile: Profile) => unknown) => {
    const { profile, faults } = readProfileText(typedText.replace(from, to));
    return profile === null ? faults.map((fault) => fault.replace(/^\d+:\d+: /, '')).join('\n') : toValue(profile);
  };
  const start = (typed: string) =>
    read('company_start_date: 03/2019', `company_start_date: ${typed}`, (one) => one.experience[0]!.company_start_date);
  const phone = (typed: string) => read(/phone: .*/, `phone: ${typed}`, ({ resume }) => resume.phone);
  const skills = (typed: string) => read(/skills: .*/, `skills: ${typed}`, ({ resume }) => resume.skills);
  const done = (typed: string) =>
    read(
      /accomplishments:.*?(?=projects)/s,
      `accomplishments:${typed}\n`,
      (one) => one.experience[0]!.roles[0]!.accomplishments,
    );
  const link = (typed: string) => read(/- github.*/, `- ${typed}`, ({ resume }) => resume.links?.[0]);

  for (const [typed, date] of [
    ...[['2019', '2019'], ['2019-3', '2019-03'], ['03.2019', '2019-03'], ['März 2019', '2019-03']],
    ...[['5 March 2019', '2019-03-05'], ['"2019年3月"', '2019-03'], ['2019/03/05', '2019-03-05']],
  ] as const) assert.equal(start(typed!), date); // biome-ignore format: a table
  const noDate = 'experience[0].company_start_date: must be a date: YYYY-MM-DD, YYYY-MM or YYYY';
  for (const typed of ['2019-13', '2019-02-30', '05/03/2019', 'Spring 2019', 'present'])
    assert.equal(start(typed), noDate, typed);
  assert.equal(read('end_date: 2015', 'start_date: Mar 2016\n      end_date: 2015', String), 'resume.education[0].end_date: must not be before start_date'); // biome-ignore format: one line
  assert.equal(
    read('current: true', 'current: yes', ({ experience }) => experience[0]!.current),
    true,
  );
  assert.equal(read('current: true', 'current: maybe', String), 'experience[0].current: must be true or false');

  assert.deepEqual(['01712345678', '+49 171 2', '0049171', '1e9'].map(phone), ['01712345678', '+49 171 2', '0049171', '1e9']); // biome-ignore format: one line
  assert.equal(phone(''), undefined);
  assert.equal(phone('[1]'), 'resume.phone: must be a string');
  assert.deepEqual(skills('Cloud (AWS, GCP), C++, 2'), ['Cloud (AWS, GCP)', 'C++', '2']);
  assert.deepEqual(skills('[Go, 4.0]'), ['Go', '4.0']);
  assert.equal(skills('{Go: 9}'), 'resume.skills: must be a list');
  assert.equal(skills('Go\n    - Rust'), 'resume.skills: must be a list');
  assert.deepEqual(done(' Led six, built two'), ['Led six, built two']);
  assert.deepEqual(done(''), []);
  assert.deepEqual(done('\n          -\n          - Built\n          - 2019: won'), ['Built', '2019: won']);
  const two =
    'experience[0].roles[0].accomplishments[0]: must be a text; put it in quotes because of its colon: "Led: six"';
  assert.equal(done('\n          - Led: six\n            Built: two'), two);
  assert.match(
    done('\n          - txt: six\n') as string,
    /accomplishments\[0\]\.txt: is not a known key; did you mean text\?/,
  );
  assert.deepEqual(link('www.mara.example/cv?x=1'), { url: 'https://www.mara.example/cv?x=1' });
  for (const typed of ['mara', 'mara@example.net', 'see below', 'ftp://x.example'])
    assert.match(link(typed) as string, /^resume\.links\[0\]: must be an object/, typed);
  assert.equal(
    read('language: nl', 'langage: nl', String),
    'resume.langage: is not a known key; did you mean language?',
  );
});

test('17: a colon that needs quotes, and a line that is not indented well, are explained where they are', () => {
  const faultOf = (from: string | RegExp, to: string) => readProfileText(typedText.replace(from, to)).faults.join();
  const indentation = 'this line is not indented like the others of its list or object';
  for (const [from, to, fault] of [
    [/Keeps.*/, 'Led: six people', '7:12: candidate.summary: must be in quotes, because it has a colon and a space: "Led: six people"'],
    ['  title: Site', '    title: Site', `5:5: candidate: ${indentation}`],
    ['  title: Site', ' title: Site', `5:2: ${indentation}`],
    ['    company: V', '     company: V', `11:6: experience[0]: ${indentation}`],
    ['    company: V', '   company: V', `11:4: experience: ${indentation}`],
    ['    - label', '   - label', `30:4: resume: ${indentation}`],
    ['  title: Site', '\ttitle: Site', '5:1: is indented by a tab; only spaces can be used'],
    [/Keeps.*/, '"Led" six', '7:18: candidate.summary: a text that begins with a quote, [ or { has to be in quotes as a whole'],
  ] as const) assert.equal(faultOf(from, to), fault, to); // biome-ignore format: a table
});

test('17: the editor shows it as it is meant, and a change changes nothing else of the text', async (t) => {
  const { copy, patch, publish, now } = await openEditorDesk(t, typedText);
  await publish();
  assert.equal(now(), typedText);
  const { base } = await copy();
  const [{ roles }] = (base as { experience: [{ roles: [{ start_date: unknown; accomplishments: unknown[] }] }] })
    .experience;
  assert.deepEqual([roles[0].start_date, roles[0].accomplishments], ['2019-03', ['Led: six people']]);

  const role = '/experience/0/roles/0';
  const change = async (...operations: PatchOperation[]) => {
    await patch([{ id: operations[0]!.path, step: operations[0]!.path, patch: operations }]);
    assert.equal((await publish()).status, 200);
  };
  await change(
    { op: 'add', path: `${role}/accomplishments/1`, value: 'Built two' },
    { op: 'replace', path: `${role}/end_date`, value: '2024-02' },
    { op: 'replace', path: '/experience/0/summary', value: 'Pages.' },
  );
  const changed = typedText
    .replace('summary:\n', 'summary: Pages.\n')
    .replace('company_end_date: present\n    current: true', 'company_end_date: 2024-02\n    current: false')
    .replace('end_date: Present', 'end_date: 2024-02')
    .replace('people\n', 'people\n          - Built two\n');
  assert.equal(now(), changed);

  await change(
    { op: 'add', path: '/resume/links/0/label', value: 'Code' },
    { op: 'add', path: '/resume/skills/-', value: 'Rust' },
  );
  assert.equal(
    now(),
    changed
      .replace('    - github.com/mara-example', '    - url: https://github.com/mara-example\n      label: Code')
      .replace('skills: Kubernetes, Go', 'skills:\n    - Kubernetes\n    - Go\n    - Rust'),
  );
});

const japanese = async () => {
  const { profile } = await importResume(readFileSync(caseFile('import-16-cjk-pdf.json')));
  const [job] = profile.experience;
  const accomplishments = job!.roles[0]!.accomplishments.map((text) => text.repeat(8));
  const experience = [{ ...job!, roles: [{ ...job!.roles[0]!, accomplishments }] }];
  return { ...profile, experience, candidate: { ...profile.candidate, summary: profile.candidate.summary.repeat(8) } };
};

test('import-16: Japanese breaks between its characters, and never runs over the margin', async () => {
  const profile = await japanese();
  for (const theme of themes) {
    const { pieces, missingGlyphs } = await printed(profile, { theme });
    assert.deepEqual(missingGlyphs, [], theme);
    assert.ok(new Set(pieces.map(({ bottom }) => Math.round(bottom))).size > 9, theme);
    for (const { text, right } of pieces) assert.ok(right < 565, `${theme}: ${text} at ${right}`);
  }
});

/** The sample with a name in a script that no installed font has. */
const korean = sampleText.replace(/^( {2}name: ).*/m, '$1김민수 (Kim)');
const koreanWarning =
  /candidate\.name: the PDF leaves out 3 Korean characters, which no font has; to print them: npm install @embedpdf\/fonts-kr$/m;

function writeKorean(t: TestContext) {
  const folder = newFolder(t);
  writeFileSync(join(folder, 'profile.yaml'), korean);
  return { folder, env: { PROFILE: join(folder, 'profile.yaml') } };
}

test('import-16: check names the package of fonts that is missing, and export goes on with a warning', async (t) => {
  const { folder, env } = writeKorean(t);
  const checked = await runCommand(t, ['check'], env, folder);
  assert.match(checked.stdout, koreanWarning);
  assert.equal(checked.code, 0);
  const exported = await runCommand(t, ['export', '--out', 'a.pdf'], env, folder);
  assert.match(exported.stderr, koreanWarning);
  assert.equal(exported.code, 0);
  const { pdf, text } = await readPdf(readFileSync(join(folder, 'a.pdf')));
  assert.match(text, /^\(Kim\) /);
  // What is attached for programs has all.
  const attached = Buffer.from((await pdf.getAttachmentContent('profile.json'))!).toString();
  assert.match(attached, /"name":"김민수 \(Kim\)"/);
});

test('import-16: on a terminal, export asks before it leaves out characters', { skip: noTerminal }, async (t) => {
  const { folder, env } = writeKorean(t);
  const exportPdf = (answer: string, ...more: string[]) =>
    runOnTerminal(t, ['export', '--out', 'a.pdf', ...more], { env, folder, answer });
  const refused = await exportPdf('n\n');
  assert.match(refused.shown, /fonts-kr.*The PDF lacks these characters\..*Go on\? .*Nothing was changed/s);
  assert.equal(refused.code, 1);
  assert.equal((await exportPdf('y\n')).code, 0);
  assert.equal(readFileSync(join(folder, 'a.pdf'), 'latin1').slice(0, 5), '%PDF-');
  assert.doesNotMatch((await exportPdf('', '--yes', '--force')).shown, /Go on/);
});

test('import-16: the desk asks before it publishes what the PDF would leave out, each time anew', async (t) => {
  const { write, publish, now } = await openEditorDesk(t, sampleText, {}, { openPrinter: openPrinterHere });
  await write(korean);
  const first = await publish();
  assert.deepEqual([first.status, first.body.reason, first.body.key], [409, 'leaves-out', '김민수']);
  assert.equal(now(), sampleText);
  await write(korean.replace('김민수 (Kim)', '이영희 (Lee)'));
  assert.equal((await publish({ leftOut: first.body.key })).status, 409);
  await write(korean);
  assert.equal((await publish({ leftOut: first.body.key })).status, 200);
  assert.equal(now(), korean);
});
