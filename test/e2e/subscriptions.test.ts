import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { type Cleanup, fixture, newFolder } from '../support/files.ts';
import { clientOf } from '../support/mcp-service.ts';
import { runCommand, startService } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';

type Service = Awaited<ReturnType<typeof startService>>;
const profile = readFileSync(fixture('profile.yaml'), 'utf8');

/** Starts a service whose candidate can be renamed in the profile. */
async function start(t: Cleanup, env: Record<string, string> = {}) {
  const folder = newFolder(t);
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, profile);
  const service = await startService(t, { LOG_LEVEL: 'silent', ...env }, folder);
  const rename = (name: string) => {
    writeFileSync(`${file}.draft`, profile.replace('Tess Example', name));
    renameSync(`${file}.draft`, file);
  };
  return { ...service, rename };
}

/** Subscribes to the candidate; `first` resolves at the first notification or the end, `end` with how the subscription ends. */
async function listen(t: Cleanup, { url }: Service, token: string) {
  const client = clientOf('modern');
  t.after(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const notified = new Promise<string>((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', () => resolve('notified')),
  );
  const { closed } = await client.listen({ resourceSubscriptions: ['candidate-profile://profile/candidate'] });
  const late = () => pause(60_000, 'still open', { ref: false });
  return { first: () => Promise.race([notified, closed]), end: () => Promise.race([closed, late()]) };
}

async function run(t: Cleanup, { folder }: Service, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCommand(t, args, {}, folder);
  assert.equal(code, 0, stderr);
}

test('a subscriber is notified of a change without waiting for the PDF', { timeout: 60_000 }, async (t) => {
  const folder = newFolder(t);
  const [template, pipe] = [join(folder, 'resume.typ'), join(folder, 'text')];
  writeFileSync(template, '#set document(title: "Resume")\n#read("text")');
  writeFileSync(pipe, 'Resume');
  const service = await start(t, { PDF_TEMPLATE: template });
  const subscription = await listen(t, service, await service.token());
  // Typst, and with it the event loop, blocks on a pipe without a writer.
  rmSync(pipe);
  execFileSync('mkfifo', [pipe]);
  service.rename('Tess Renamed');
  assert.equal(await subscription.first(), 'notified');
});

test('a subscriber is notified of what another process has loaded, and again of what its own loads', {
  timeout: 60_000,
}, async (t) => {
  const one = await start(t);
  const other = await start(t, { DATA_DIR: join(one.folder, 'data') });
  const token = await other.token();
  const elsewhere = await listen(t, other, token);
  one.rename('Tess Renamed');
  assert.equal(await elsewhere.first(), 'notified');
  const here = await listen(t, other, token);
  other.rename('Tess Renamed');
  assert.equal(await here.first(), 'notified');
});

suite('A subscription ends with its token', { concurrency: 2 }, () => {
  test('when the token is revoked or its visitor erased, and others continue [TRUST-5] [TRUST-22]', async (t) => {
    const service = await start(t);
    const [revoked, other] = [await service.token('ada@example.org'), await service.token('eve@example.org')];
    const first = await listen(t, service, revoked);
    const second = await listen(t, service, await service.token('bob@example.org'));
    const third = await listen(t, service, other);
    await run(t, service, 'tokens', 'revoke', '--jti', decodeJwt(revoked).jti!);
    assert.equal(await first.end(), 'graceful');
    await run(t, service, 'contacts', 'erase', '--email', 'bob@example.org');
    assert.equal(await second.end(), 'graceful');
    service.rename('Tess Renamed');
    assert.equal(await third.first(), 'notified');
    await run(t, service, 'tokens', 'revoke', '--all');
    assert.equal(await third.end(), 'graceful');
  });

  test('when the token expires, even if the database cannot be read [TRUST-22]', async (t) => {
    const service = await start(t, { TOKEN_TTL: '5s' });
    const subscription = await listen(t, service, await service.token());
    using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'));
    database.exec('alter table revocations rename to gone');
    assert.equal(await subscription.end(), 'graceful');
  });
});
