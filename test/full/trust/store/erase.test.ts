import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { report, scaled } from '../../../support/figures.ts';
import { fixture, newFolder } from '../../../support/files.ts';
import { postJson } from '../../../support/post-json.ts';
import { eventually, runCommand, startService } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';

const PROFILE = fixture('profile.yaml');

/** Returns how often the files contain a text, in any capitalisation, as it is or in base64. */
function hitsOf(text: string, files: readonly string[]): number {
  const spellings = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + text).toString('base64');
    return encoded.slice(shift === 0 ? 0 : 4, encoded.length - 4 - (encoded.length % 4));
  });
  return files.reduce((hits, file) => {
    // The file of a mail is renamed once it is written.
    const content = existsSync(file)
      ? readFileSync(file, 'latin1')
      : readFileSync(file.replace(/\.part$/, ''), 'latin1');
    const plain = content.toLowerCase().split(text.toLowerCase()).length - 1;
    return hits + plain + spellings.reduce((sum, spelling) => sum + content.split(spelling).length - 1, 0);
  }, 0);
}

test('a visitor who is erased while others write is in no file, log or later backup; others lose nothing [TRUST-34]', async (t) => {
  const service = await startService(t, { PROFILE });
  const { url, folder } = service;
  const files = () =>
    globSync(join(folder, 'data/**/*')).filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  const send = (email: string, token: string, message: string) =>
    fetch(
      `${url}/contact`,
      postJson(
        { name: 'Ada', email, company: 'Engines', message },
        { authorization: `Bearer ${token}`, 'idempotency-key': message.slice(0, 40).replaceAll(' ', '-') },
      ),
    );

  const erased = Array.from({ length: scaled(10, 1) }, (_, n) => `erased.visitor-${n}@example.org`);
  const staying = Array.from({ length: scaled(300, 10) }, (_, n) => `stays-${n}@example.org`);
  const tokens = new Map<string, string>();
  for (const email of [...erased, ...staying]) tokens.set(email, await service.token(email));
  // Recorded within a second, with a client that calls itself by the address.
  for (const [email, token] of tokens) {
    const headers = { authorization: `Bearer ${token}`, 'user-agent': `agent of ${email}` };
    assert.equal((await fetch(`${url}/candidate`, { headers })).status, 200);
  }
  // Long messages, so that pages split and rows move.
  for (const email of [...erased, ...staying])
    for (const length of [10, 3_000, 9_000]) {
      const { status } = await send(
        email.replace('erased', 'Erased'),
        tokens.get(email)!,
        `${length} ${'x'.repeat(length)}`,
      );
      assert.equal(status, 201);
    }
  // The visitor's token, but another address in the message.
  assert.equal((await send('other@example.org', tokens.get(erased[0]!)!, 'From another address')).status, 201);
  const mailed = () => globSync(join(folder, 'data/mail/*.eml')).length;
  await eventually(() => mailed() === tokens.size * 4 + 1);
  assert.ok(hitsOf(erased[0]!, files()) > 4);

  const acknowledged: string[] = [];
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const writers = [0, 1, 2, 3].map(async (n) => {
    for (let count = 0; !isOver; count += 1) {
      const response = await send(staying[n]!, tokens.get(staying[n]!)!, `under load ${n} ${count}`).catch(() => null);
      if (response === null) return assert.ok(isOver);
      // VACUUM may lock the database for longer than a request waits.
      if (response.status === 503) continue;
      assert.equal(response.status, 201);
      acknowledged.push(((await response.json()) as { id: string }).id);
    }
  });
  await eventually(() => acknowledged.length > 20);
  const hits: number[] = [];
  for (const email of erased) {
    const { code, stdout, stderr } = await runCommand(
      t,
      ['contacts', 'erase', '--email', email.toUpperCase(), '--json'],
      { PROFILE, DATA_DIR: join(folder, 'data') },
      folder,
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), {
      contacts: email === erased[0] ? 4 : 3,
      tokens: 1,
      grants: 0,
      reads: 1,
      notes: 0,
      files: email === erased[0] ? 5 : 4,
    });
    hits.push(hitsOf(email, files()));
  }
  isOver = true;
  await Promise.all(writers);
  assert.deepEqual(hits, Array(erased.length).fill(0));

  await eventually(async () => {
    const headers = { authorization: `Bearer ${tokens.get(erased[0]!)}` };
    return (await fetch(`${url}/candidate`, { headers })).status === 401;
  });
  const copy = join(newFolder(t), 'copy.db');
  const { code, stderr } = await runCommand(t, ['backup', copy], { PROFILE, DATA_DIR: join(folder, 'data') }, folder);
  assert.equal(code, 0, stderr);
  for (const email of erased) assert.equal(hitsOf(email, [copy]), 0);

  using database = openSqliteFile(copy, { readOnly: true });
  const kept = database.prepare('select id, email from contacts').all();
  assert.equal(kept.filter(({ email }) => String(email).startsWith('stays-')).length, kept.length);
  assert.deepEqual(
    acknowledged.filter((id) => !kept.some((row) => row.id === id)),
    [],
  );
  assert.ok(kept.length >= staying.length * 3 + acknowledged.length);
  report(
    'erase',
    `${erased.length} visitors erased beside 4 writers: ${hits.reduce((sum, n) => sum + n)} hits in the database, its log, mail and audit files, 0 in a later backup; ${acknowledged.length} writes meanwhile, 0 lost`,
  );
});
