import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { openPostgres } from '../../../src/adapters/store/postgres/postgres.ts';
import { signingKey } from '../../support/database.ts';
import { confirmLink } from '../../support/desk.ts';
import { openTab, typing } from '../../support/editor-desk.ts';
import { fixture, newFolder } from '../../support/files.ts';
import { runSql, startPostgres } from '../../support/postgres.ts';
import { eventually, runCommand, startProcess } from '../../support/process.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());

const several = 'other replicas serve from the same database, and this one alone would have the change';
const away = 'the database cannot be used at the moment';

/** Opens what a process knows of the replicas on a database, and joins them. */
async function joinAs(t: TestContext, url: string, { settleMilliseconds = 0, onMet = async () => {} } = {}) {
  const { replicas } = openPostgres(url, { settleMilliseconds });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await replicas.close();
    isClosed = true;
  };
  t.after(close);
  const joined = replicas.join(onMet);
  return { whileAlone: replicas.whileAlone, joined, close, refusal: () => replicas.whileAlone(async () => {}) };
}

test('a replica writes as long as it is the only one, and again once the other has ended', async (t) => {
  const url = await server.createDatabase();
  const one = await joinAs(t, url);
  await one.joined;
  assert.equal(await one.refusal(), null);
  const met: string[] = [];
  const other = await joinAs(t, url, { onMet: async () => void met.push('met') });
  await other.joined;
  assert.deepEqual([await one.refusal(), await other.refusal()], [several, several]);
  assert.deepEqual(met, ['met']);
  await other.close();
  await eventually(async () => (await one.refusal()) === null);
  const elsewhere = await joinAs(t, await server.createDatabase());
  await elsewhere.joined;
  assert.deepEqual([await one.refusal(), await elsewhere.refusal()], [null, null]);
});

test('a replica that starts while another writes joins once that has ended', async (t) => {
  const url = await server.createDatabase();
  const one = await joinAs(t, url);
  await one.joined;
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const events: string[] = [];
  const writing = one.whileAlone(async () => {
    const other = await joinAs(t, url);
    void other.joined.then(() => events.push('joined'));
    const tried = "select from pg_stat_activity where query like '%lock_shared%' and pid <> pg_backend_pid()";
    await eventually(async () => (await runSql(url, tried)).length > 0);
    events.push('written');
    write();
  });
  await written;
  assert.equal(await writing, null);
  await eventually(() => events.length === 2);
  assert.deepEqual(events, ['written', 'joined']);
  assert.equal(await one.refusal(), several);
});

test('a replica whose connection was lost does not write until it has it again, and was alone for a while', async (t) => {
  const url = await server.createDatabase();
  const now = performance.now.bind(performance);
  let skipped = 0;
  t.mock.method(performance, 'now', () => now() + skipped);
  const one = await joinAs(t, url, { settleMilliseconds: 3_600_000 });
  await one.joined;
  const settling = /^another replica may serve from the same database; whether one does is known in 3\d\d\d s$/;
  assert.match(String(await one.refusal()), settling);
  skipped += 3_600_000;
  assert.equal(await one.refusal(), null);
  const locks = "from pg_locks where locktype = 'advisory' and mode = 'ShareLock'";
  await runSql(url, `select pg_terminate_backend(pid) ${locks}`);
  assert.equal(await one.refusal(), away);
  await eventually(async () => settling.test(String(await one.refusal())));
  assert.equal((await runSql(url, `select pid ${locks}`)).length, 1);
  skipped += 3_600_000;
  let runs = 0;
  await assert.rejects(
    one.whileAlone(async () => {
      runs += 1;
      throw new Error('the work failed');
    }),
    /the work failed/,
  );
  assert.deepEqual([runs, await one.refusal()], [1, null]);
});

test('through a pooler, behind which other replicas are not seen, nothing is written', async (t) => {
  const url = new URL(await server.createDatabase());
  // As PgBouncer does, which answers a start with a process id of its own.
  const pooler = createServer((client) => {
    const target = connect(server.port, '127.0.0.1');
    for (const socket of [client, target]) socket.on('error', () => {});
    client.pipe(target);
    target.on('data', (bytes) => {
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12])); // BackendKeyData
      if (at >= 0) bytes.writeInt32BE(77, at + 5);
      client.write(bytes);
    });
    target.on('close', () => client.destroy());
    client.on('close', () => target.destroy());
  }).listen(0, '127.0.0.1');
  t.after(() => pooler.close());
  await eventually(() => pooler.listening);
  url.port = String((pooler.address() as { port: number }).port);
  const one = await joinAs(t, url.href);
  const pooled =
    'DATABASE_URL leads through a pooler such as PgBouncer, behind which replicas with a file of their own are not seen';
  await eventually(async () => (await one.refusal()) === pooled);
});

test('a process that serves nobody does not write', async (t) => {
  const { replicas } = openPostgres(await server.createDatabase());
  t.after(replicas.close);
  assert.equal(await replicas.whileAlone(assert.fail), 'with PostgreSQL only the service changes it, at the desk');
});

test('the desk of a single replica publishes; beside another with its own file neither does, and says so', async (t) => {
  const DATABASE_URL = await server.createDatabase();
  const original = readFileSync(fixture('profile.yaml'), 'utf8');
  const env = { DATABASE_URL, SIGNING_KEY: signingKey, LOG_LEVEL: 'warn', SMTP_URL: 'smtp://127.0.0.1:1' };

  async function startReplica() {
    const folder = newFolder(t);
    const file = join(folder, 'profile.yaml');
    writeFileSync(file, original);
    const settings = { ...env, PROFILE: file };
    const service = await startProcess(t, settings, folder);
    const { stdout } = await runCommand(t, ['desk'], { ...settings, PORT: new URL(service.url).port }, folder);
    const cookie = await confirmLink(stdout.trim());
    const tab = openTab({ ask: (path, init) => fetch(service.url + path, init) }, { cookie });
    return {
      file,
      service,
      tab,
      page: async () => (await fetch(`${service.url}/desk/profile`, { headers: { cookie } })).text(),
      doctor: async () => (await runCommand(t, ['doctor'], settings, folder)).stdout,
    };
  }

  const one = await startReplica();
  await eventually(async () => /id="editor"/.test(await one.page()));
  const [was] = /(?<=status: ).*/.exec(original)!;
  await one.tab.copy();
  await one.tab.patch([typing('/availability/status', was, 'not looking')]);
  assert.equal((await one.tab.publish()).status, 200);
  assert.match(readFileSync(one.file, 'utf8'), /status: not looking/);
  assert.match(await one.doctor(), /one replica serves from it: the desk changes the file of a single one/);

  await one.tab.patch([typing('/availability/status', 'not looking', 'maybe')]);
  const other = await startReplica();
  const found = `the desk of another replica published the profile on ${new Date().toISOString().slice(0, 10)}, and ${other.file} has another text`;
  assert.ok(other.service.lines.some((line) => line.includes(found)));
  assert.match(await other.page(), /because other replicas serve from the same database/);
  const refused = await one.tab.publish();
  assert.equal(refused.status, 409);
  assert.equal(
    refused.body.message,
    'other replicas serve from the same database, and this one alone would have the change',
  );
  assert.equal(readFileSync(other.file, 'utf8'), original);
  assert.match(await other.doctor(), /2 replicas serve from it: the desk changes no file/);
});
