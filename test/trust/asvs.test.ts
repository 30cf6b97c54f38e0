import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { type MailFailure, openMailer } from '../../src/adapters/mail/mailer.ts';
import { fixture, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, startProcess } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const PROFILE = fixture('profile.yaml');

suite('docs/evidence/asvs.md', () => {
  const page = textOf('docs/evidence/asvs.md');
  const rows = [...page.matchAll(/^\| (V\d+\.\d+\.\d+)(?:–(V\d+\.\d+\.\d+))? \| ([12]) \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, first = '', last = first, level = '', here = '']) => ({ ids: idsBetween(first, last), level, here }),
  );
  const met = (here: string) => !/^(not met|does not apply): /.test(here);
  const idsOf = (level: string, isIn: (here: string) => boolean) =>
    rows.filter((row) => row.level === level && isIn(row.here)).flatMap(({ ids }) => ids);

  function idsBetween(first: string, last: string): string[] {
    const [section, from] = [first.slice(0, first.lastIndexOf('.')), Number(first.split('.')[2])];
    assert.ok(last.startsWith(`${section}.`), `${first}–${last}`);
    return Array.from({ length: Number(last.split('.')[2]) - from + 1 }, (_, index) => `${section}.${from + index}`);
  }

  test('lists 70 requirements of level 1 and 183 of level 2, each once', () => {
    assert.deepEqual([idsOf('1', () => true).length, idsOf('2', () => true).length], [70, 183]);
    assert.equal(new Set(rows.flatMap(({ ids }) => ids)).size, 253);
  });

  test('says at its top how many are met, and which are not', () => {
    for (const level of ['1', '2']) {
      const counts = [met, (here: string) => here.startsWith('not met'), (here: string) => here.startsWith('does not')]
        .map((isIn) => idsOf(level, isIn).length)
        .join(' | ');
      assert.ok(page.includes(`\n| ${level} | ${counts} |\n`), `level ${level}: ${counts}`);
    }
    const [, summary = ''] = /^## Not met$(.*?)^## /ms.exec(page) ?? [];
    const unmet = rows.flatMap(({ ids, here }) => (here.startsWith('not met') ? ids : []));
    assert.deepEqual(summary.match(/V\d+\.\d+\.\d+/g)?.sort(), unmet.sort());
  });

  test('lists what RFC 9700 and MCP require by their sections, each with a test or a reason', () => {
    const sectionsOf = (heading: string) => {
      const [, text = ''] = page.split(`\n## ${heading}\n`);
      const lines = text
        .split('\n## ')[0]!
        .split('\n')
        .filter((line) => /^\| (?!Section|---)/.test(line));
      return lines.map((line) => {
        const [, section = '', word = '', , here = '', ...more] = line.split('|').map((cell) => cell.trim());
        assert.match(word, /^(MUST|MUST NOT|SHOULD|SHOULD NOT|RECOMMENDED|–)$/, line);
        assert.match(here, /`test\/|^(not met|does not apply): .|^see (V\d|\d)/, line);
        assert.deepEqual(more, [''], line);
        return section;
      });
    };
    assert.deepEqual(
      [...new Set(sectionsOf('RFC 9700'))],
      [
        ...['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'],
        ...['4.1.3', '4.2.4', '4.3.2', '4.4.2', '4.5.3', '4.6.1', '4.7.1', '4.8.2', '4.9.3', '4.10.1', '4.10.2'],
        ...['4.11.1', '4.11.2', '4.12', '4.13', '4.14.2', '4.15.1', '4.16', '4.17.2'],
      ],
    );
    assert.equal(sectionsOf('MCP: authorization').length, 26);
    assert.equal(sectionsOf('MCP: security best practices').length, 14);
  });

  test('names tests and files that exist', () => {
    const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`(?:(?:: |, [^|;`]*?: |, )"[^"|]+")*/g)];
    assert.ok(named.length > 100);
    for (const [text, file = ''] of named) {
      const source = textOf(file);
      const titles = [...source.matchAll(/\b(?:test|suite|describe)\(\s*(['"`])(.*?)\1/gs)].map(([, , title = '']) =>
        title.replaceAll(/ *\[[A-Z]+-\d+\]/g, ''),
      );
      const cited = [...text.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
      assert.ok(cited.length > 0, `${file} is named without a title`);
      for (const title of cited) assert.ok(titles.includes(title), `${file} has no test "${title}"`);
    }
    const cited = named.flatMap(([text]) => text.match(/"[^"]+"/g) ?? []).length;
    assert.equal(cited, page.slice(page.indexOf('## V1 ')).match(/"[^"]+"/g)?.length, 'a title without its file');
    for (const [, path = ''] of page.matchAll(/`((?:src|test)\/[^`]+)`/g))
      assert.ok(existsSync(join(root, path)), path);
    for (const [, path = ''] of page.matchAll(/\]\(([\w./-]+\.md)\)/g))
      assert.ok(existsSync(join(root, 'docs/evidence', path)), path);
  });
});

test('no source file starts a program but the one for processes that print the PDF and read documents, evaluates text or uses a weak hash; weak randomness only spreads retries', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const found = (expression: RegExp) =>
    files.flatMap((file) => [...textOf(file).matchAll(expression)].map(([text]) => `${file}: ${text}`));
  assert.deepEqual(found(/child_process|node:(vm|cluster)|\beval\(|\bFunction\(/g), [
    'src/adapters/child-process.ts: child_process',
  ]);
  // In these, what is set are names of our own tables and times, in statements that take no parameters.
  assert.deepEqual([...new Set(found(/\bsql\.(?:raw|lit)\b/g).map((use) => use.split(':')[0]))].sort(), [
    'src/adapters/store/postgres/inspection.ts',
    'src/adapters/store/postgres/scrub.ts',
    'src/adapters/store/store-copy.ts',
  ]);
  const hashes = found(/create(?:Hash|Hmac)\([^)]|hkdfSync\(..../g);
  assert.ok(hashes.length > 0);
  assert.deepEqual(found(/(?:createHash|createHmac|hkdfSync)\((?!'sha256')/g), []);
  assert.deepEqual(found(/Math\.random/g), [
    'src/adapters/store/database.ts: Math.random',
    'src/adapters/mail/sender.ts: Math.random',
  ]);
});

test('what a visitor writes is bound as a value, never a part of an SQL statement', async (t) => {
  const service = await openTestService();
  t.after(() => service.close());
  const inject = `'); drop table contacts; --" or 1=1 \\' ?1 :x $y`;
  const contact = { name: inject, email: `o'1=1--@example.org`, company: inject, message: inject };
  const key = `');delete/**/from/**/contacts;--`;
  const token = await service.ask('/auth/token', postJson({ email: contact.email }));
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, 'idempotency-key': key };
  for (const _ of [1, 2]) assert.equal((await service.ask('/contact', postJson(contact, headers))).status, 201);

  using database = openSqliteFile(join(service.folder, 'candidate-profile.db'), { readOnly: true });
  const select = 'select name, email, company, message, subject from contacts';
  assert.deepEqual(database.prepare(select).all().map(Object.entries), [
    Object.entries({ ...contact, subject: contact.email }),
  ]);
  assert.deepEqual(database.prepare('select key from idempotency_keys').all().map(Object.values), [[key]]);
});

test('after an unexpected error the client gets one constant text, and the log gets the cause', async (t) => {
  const service = await startProcess(t, { PROFILE, LOG_LEVEL: 'debug' });
  const headers = { authorization: `Bearer ${await service.token()}` };
  const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
  database.exec('alter table contacts rename to elsewhere');
  database.close();
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  const response = await fetch(`${service.url}/contact`, postJson(contact, headers));
  assert.equal(response.status, 500);
  assert.equal(
    await response.text(),
    '{"error":{"code":"INTERNAL_ERROR","message":"Something went wrong on our side."}}',
  );
  const line = await eventually(() => service.lines.find((line) => line.includes('INTERNAL_ERROR')) ?? false);
  assert.match(JSON.parse(line).err.message, /no such table/);
  assert.doesNotMatch(line, /ada@example|Engines|Hello/);
  assert.equal((await fetch(`${service.url}/candidate`, { headers })).status, 200);
});

test('TLS is 1.3 if the client supports it, otherwise 1.2, never older, and always with authenticated encryption', async (t) => {
  const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
  const { url } = await startProcess(t, { PROFILE, ...tls });
  const spoken = (options: ConnectionOptions) =>
    new Promise<string | null>((resolve) => {
      const ca = readFileSync(tls.TLS_CERT);
      const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca, ...options }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      }).on('error', ({ message }) => resolve(/alert protocol version/.exec(message)?.[0] ?? message));
    });
  assert.equal(await spoken({}), 'TLSv1.3');
  assert.equal(await spoken({ maxVersion: 'TLSv1.2' }), 'TLSv1.2');
  assert.match(
    String(await spoken({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA' })),
    /handshake failure/,
  );
  // Older versions have no cipher at the default security level of OpenSSL.
  const ciphers = 'DEFAULT@SECLEVEL=0';
  assert.equal(await spoken({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers }), 'alert protocol version');
});

test('a mail server elsewhere gets nothing if its certificate is not trusted', async (t) => {
  const pair = { key: readFileSync(fixture('tls-key.pem')), cert: readFileSync(fixture('tls-cert.pem')) };
  const { port, received } = await openInbox(t, { disabledCommands: [], ...pair });
  const mailer = openMailer({
    smtpUrl: `smtp://0.0.0.0:${port}`, // this machine, but by no loopback address
    from: undefined,
    baseUrl: 'https://profile.example.org',
    directory: newFolder(t),
    log: { info: () => {} },
  });
  const message = {
    id: '7f6d',
    to: 'owner@example.org',
    subject: 'x',
    text: 'x',
    replyTo: null,
    createdAt: new Date(),
  };
  await assert.rejects(mailer.send(message, new AbortController().signal), (error: MailFailure) => {
    assert.match((error.cause as Error).message, /self-signed certificate/);
    return true;
  });
  assert.equal(received.length, 0);
});
