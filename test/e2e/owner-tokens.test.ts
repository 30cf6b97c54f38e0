import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Cleanup, newFolder } from '../support/files.ts';
import { eventually, runCommand, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { noTerminal, runOnTerminal } from '../support/terminal.ts';

type Service = Awaited<ReturnType<typeof startService>>;
const off = { LIMITS: 'off' };

const statusOf = async ({ url }: Service, token: string, path = '/candidate') =>
  (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;

/** Waits until the service refuses a token, over REST and MCP. */
async function end(service: Service, token: string): Promise<void> {
  await eventually(async () => (await statusOf(service, token)) === 401);
  assert.equal(await statusOf(service, token, '/mcp'), 401);
}

const tokens = (t: Cleanup, { folder }: Service, ...args: string[]) => runCommand(t, ['tokens', ...args], off, folder);

async function list(t: Cleanup, service: Service) {
  const { code, stdout, stderr } = await tokens(t, service, 'list', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as (Record<'jti' | 'subject' | 'issued_at' | 'expires_at', string> & {
    revoked: boolean;
    client: string | null;
    grant: string | null;
  })[];
}

const instantOf = (seconds = 0) => new Date(seconds * 1000).toISOString();

suite("The owner's tokens commands", { concurrency: 2 }, () => {
  test('list shows every unexpired token, the latest first, and whether it is revoked', async (t) => {
    const service = await startService(t, { ...off, TOKEN_TTL: '1h' });
    const [ada, bob] = [await service.token('ada@example.org'), await service.token('bob@example.org')];
    const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    t.after(() => database.close());
    const add = database.prepare('insert into issued_tokens (jti, subject, issued_at, expires_at) values (?, ?, ?, ?)');
    add.run('past', 'past@example.org', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z');
    // Validation refuses such an address; the list escapes it all the same.
    add.run('first', 'a\u202eb@example.org', '2026-01-01T00:00:00.000Z', '2096-01-01T00:00:00.000Z');
    await tokens(t, service, 'revoke', '--email', 'ada@example.org');
    const rows = await list(t, service);
    const rowOf = (token: string, subject: string, revoked: boolean) => {
      const { jti = '', iat, exp } = decodeJwt(token);
      const ofVisitor = { client: null, grant: null };
      return { jti, subject, issued_at: instantOf(iat), expires_at: instantOf(exp), revoked, ...ofVisitor };
    };
    const issued = rows.slice(0, 2).sort((a, b) => (a.subject < b.subject ? -1 : 1));
    assert.deepEqual(issued, [rowOf(ada, 'ada@example.org', true), rowOf(bob, 'bob@example.org', false)]);
    assert.deepEqual(rows.map(({ jti }) => jti).slice(2), ['first']);
    const { stdout } = await tokens(t, service, 'list');
    const lines = stdout.split('\n');
    assert.match(lines[0]!, /^jti +issued +expires +revoked +subject +client$/);
    const at = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.000Z';
    assert.match(stdout, new RegExp(`^[0-9a-f]{32}  ${at}  ${at}  yes      ada@example\\.org +-$`, 'm'));
    assert.match(lines[3]!, new RegExp(`^first {29}${at}  ${at}  no       a\\\\u\\{202e\\}b@example\\.org +-$`));
    assert.deepEqual(lines.slice(4), ['']);
  });

  test('revoke ends one token, those of an address, or all, in the running service, on REST and MCP alike [TRUST-5]', async (t) => {
    const service = await startService(t, off);
    const [first, second] = [await service.token('ada@example.org'), await service.token('Ada@example.org')];
    const [other, last] = [await service.token('bob@example.org'), await service.token('eve@example.org')];
    for (const token of [first, second, other, last]) assert.equal(await statusOf(service, token), 200);

    const one = await tokens(t, service, 'revoke', '--jti', decodeJwt(first).jti!, '--json');
    await end(service, first);
    assert.deepEqual(
      [one.code, one.stdout, one.stderr],
      [
        0,
        '{"ended":1,"grants":0}\n',
        'Ended 1 valid token; a running service refuses what was ended within 2 seconds.\n',
      ],
    );
    assert.equal(await statusOf(service, second), 200);

    const address = await tokens(t, service, 'revoke', '--email', ' ada@EXAMPLE.org ');
    await end(service, second);
    assert.deepEqual([address.code, address.stdout], [0, '']);
    assert.equal(
      address.stderr,
      'Ended 1 valid token of ada@example.org; a running service refuses what was ended within 2 seconds.\n',
    );
    assert.deepEqual([await statusOf(service, other), await statusOf(service, last)], [200, 200]);
    assert.equal(await statusOf(service, await service.token('ada@example.org')), 200);

    const all = await tokens(t, service, 'revoke', '--all');
    await end(service, other);
    assert.equal(await statusOf(service, last), 401);
    assert.equal(all.stderr, 'Ended 3 valid tokens; a running service refuses what was ended within 2 seconds.\n');
    assert.equal(await statusOf(service, await service.token('bob@example.org')), 200);
  });

  test('a service that could not read the revocations reads them as soon as it can', async (t) => {
    const service = await startService(t, off);
    const token = await service.token();
    assert.equal(await statusOf(service, token), 200);
    const { jti = '' } = decodeJwt(token);
    const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    t.after(() => database.close());
    database.exec('alter table revocations rename to gone');
    const faults = () => service.lines.filter((line) => line.includes('the store does not answer')).length;
    await eventually(() => faults() >= 2);
    database.exec('alter table gone rename to revocations');
    assert.equal((await tokens(t, service, 'revoke', '--jti', jti)).code, 0);
    await end(service, token);
  });

  test('on a terminal list fits 80 columns; revoke takes an id as listed, and refuses an ambiguous one', {
    skip: noTerminal,
  }, async (t) => {
    const service = await startService(t, off);
    const ada = await service.token('ada@example.org');
    await service.token('jane.doe@northwind-robotics.example');
    const database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    t.after(() => database.close());
    const add = database.prepare('insert into issued_tokens (jti, subject, issued_at, expires_at) values (?, ?, ?, ?)');
    const instants = ['2026-11-02T14:10:00.000Z', '2096-01-01T00:00:00.000Z'] as const;
    add.run('same1', 'bob@example.org', ...instants);
    add.run('same2', 'eve@example.org', ...instants);
    const options = { folder: service.folder, env: { ...off, TZ: 'UTC' }, columns: 80 };
    const { shown } = await runOnTerminal(t, ['tokens', 'list', '--no-color'], options);
    const lines = shown.trimEnd().split('\n');
    const start = (subject: string) => lines.find((line) => line.includes(subject))?.split(' ')[0];
    assert.deepEqual(
      lines.map((line) => line.replaceAll(/\d+ [A-Z][a-z]+ \d\d:\d\d +/g, 'TIME  ')).toSorted(),
      [
        'jti    issued        expires       subject                              client',
        `${start('ada@')}   TIME  TIME  ada@example.org                      -`,
        `${start('jane')}   TIME  TIME  jane.doe@northwind-robotics.example  -`,
        'same1  TIME  1 Jan 2096    bob@example.org                      -',
        'same2  TIME  1 Jan 2096    eve@example.org                      -',
      ].toSorted(),
    );
    assert.equal(start('ada@'), decodeJwt(ada).jti!.slice(0, 4));

    const several = await tokens(t, service, 'revoke', '--jti', 'same');
    assert.deepEqual(
      [several.code, several.stderr],
      [1, 'Several tokens have an id that begins with same. Give more of one of them:\n  same1\n  same2\n'],
    );
    assert.deepEqual(
      (await list(t, service)).filter(({ revoked }) => revoked),
      [],
    );
    const one = await tokens(t, service, 'revoke', '--jti', decodeJwt(ada).jti!.slice(0, 4));
    assert.equal(one.stderr, 'Ended 1 valid token; a running service refuses what was ended within 2 seconds.\n');
    await end(service, ada);
  });

  test('an unknown token id is revoked too, and reported as unknown', async (t) => {
    const folder = newFolder(t);
    const { code, stdout, stderr } = await runCommand(t, ['tokens', 'revoke', '--jti', 'none'], off, folder);
    assert.deepEqual([code, stdout], [0, '']);
    assert.equal(stderr, 'No valid token with this id is known; the id is revoked anyway.\n');
    const database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
    t.after(() => database.close());
    assert.deepEqual(
      { ...database.prepare('select kind, value from revocations').get() },
      { kind: 'jti', value: 'none' },
    );
  });
});
