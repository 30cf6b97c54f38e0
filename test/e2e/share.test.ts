import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { fixture, newFolder } from '../support/files.ts';
import { programName, runCommand } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');
const BASE_URL = 'https://lena.example.net';
const address = /^https:\/\/lena\.example\.net\/s\/[\w-]{22}$/;
const dayMs = 86_400_000;

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly until: string | null;
  readonly may_write: boolean;
  readonly ended_at: string | null;
}

function open(t: TestContext, folder = newFolder(t)) {
  const run = (...args: string[]) => runCommand(t, args, { PROFILE, BASE_URL, OWNER_EMAIL: 'o@vasquez.dev' }, folder);
  const list = async (): Promise<Listed[]> => JSON.parse((await run('share', 'list', '--json')).stdout);
  return { folder, run, list };
}

suite('share', { concurrency: 2 }, () => {
  test('makes a link, lists it, gives it another name, and ends it by the start of its id', async (t) => {
    const { run, list } = open(t);
    const made = await run('share', 'new', 'Acme, staff engineer');
    const url = made.stdout.trim();
    assert.deepEqual([made.code, address.test(url)], [0, true]);
    const [{ id, until } = assert.fail()] = await list();
    assert.equal(
      made.stderr,
      `The link for Acme, staff engineer works until ${until}. To end it: ${programName} share end ${id}\n`,
    );
    assert.ok(Math.abs(Date.parse(until!) - Date.now() - 60 * dayMs) < 60_000);
    assert.equal((await run('share', 'rename', id.slice(0, 4), 'Acme, second round')).code, 0);
    await run('share', 'new', 'Card at GopherCon', '--for', 'never', '--no-write');
    assert.deepEqual(
      (await list()).map((link) => [link.name, link.until === null, link.may_write]),
      [
        ['Card at GopherCon', true, false],
        ['Acme, second round', false, true],
      ],
    );
    assert.equal((await list())[1]?.url, url);
    const ended = await run('share', 'end', id.slice(0, 6), '--yes');
    assert.deepEqual(
      [ended.code, ended.stderr],
      [
        0,
        'The link for Acme, second round has ended; a running service refuses what was opened through it within 2 seconds.\n',
      ],
    );
    const [, last] = await list();
    assert.deepEqual([last?.url, typeof last?.ended_at], [null, 'string']);
  });

  test('keys rotate --links says how many links end, and leaves the signing key; other rotations end none', async (t) => {
    const { run, list, folder } = open(t);
    const first = (await run('share', 'new', 'Acme')).stdout.trim();
    await run('share', 'new', 'Globex');
    const keys = () =>
      JSON.parse(readFileSync(join(folder, 'data/signing-key.json'), 'utf8')).keys as { kty: string; k?: string }[];
    const before = keys();
    const advice = `The key of links was kept beside them, and is as it was. After a leak, replace it, too: ${programName} keys rotate --links\n`;
    for (const option of [[], ['--drop-old']]) {
      const { code, stderr } = await run('keys', 'rotate', ...option);
      assert.deepEqual([code, stderr.includes(advice)], [0, option.length > 0]);
    }
    assert.equal((await list())[1]?.url, first);
    const rotated = await run('keys', 'rotate', '--links', '--json');
    assert.deepEqual(
      [rotated.code, rotated.stdout, rotated.stderr],
      [0, '{"links":2}\n', 'Ended 2 links; a running service refuses them within 2 seconds.\n'],
    );
    const linkKeys = (set: typeof before) => set.filter(({ kty }) => kty === 'oct');
    assert.deepEqual([linkKeys(before).length, linkKeys(keys()).length], [1, 1]);
    assert.notEqual(linkKeys(keys())[0]?.k, linkKeys(before)[0]?.k);
    assert.deepEqual(
      (await list()).map(({ url }) => url),
      [null, null],
    );
    const both = await run('keys', 'rotate', '--links', '--drop-old');
    assert.deepEqual([both.code, both.stderr], [2, 'candidate-profile: give one of --drop-old and --links\n']);
  });

  test('a backup has the links with their names, and no code: the key makes it', async (t) => {
    const { run, list, folder } = open(t);
    const url = (await run('share', 'new', 'Acme, staff engineer')).stdout.trim();
    assert.equal((await run('backup', 'copy.db')).code, 0);
    const copied = readFileSync(join(folder, 'copy.db'), 'latin1');
    assert.ok(copied.includes('Acme, staff engineer') && !copied.includes(url.slice(-14)));
    const [{ id } = assert.fail()] = await list();
    await run('share', 'end', id);
    assert.equal((await run('restore', 'copy.db', '--yes')).code, 0);
    assert.equal((await list())[0]?.url, url);
  });

  test('contacts takes a link in place of an address', async (t) => {
    const { run, list } = open(t);
    await run('share', 'new', 'Acme');
    const [{ id } = assert.fail()] = await list();
    assert.equal((await run('contacts', 'list', '--link', id.slice(0, 5), '--json')).stdout, '[]\n');
    const everything = JSON.parse((await run('contacts', 'export', '--link', id, '--everything')).stdout);
    assert.deepEqual([everything.contacts, everything.tokens], [[], []]);
    const erased = await run('contacts', 'erase', '--link', id.slice(0, 5), '--yes');
    assert.match(erased.stderr, /^Nothing of the link for Acme was found\./);
  });
});
