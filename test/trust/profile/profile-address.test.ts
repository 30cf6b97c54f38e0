import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { openProfileAddress, UnavailableProfile } from '../../../src/adapters/profile/profile-address.ts';
import { documentOf, openDocumentServer, type Respond, trustServer } from '../../support/document-server.ts';
import { fixture, newFolder } from '../../support/files.ts';

// In a process of its own, which trusts the server of the documents.
trustServer({ after });

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const called = (name: string) => original.replace('Tess Example', name);

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly faults?: string[];
  readonly fetchedAt?: string;
}

/** Opens the profile at a server that is polled each 5 ms, with what is logged about it. */
async function openAt(t: TestContext, respond: Respond, folder = newFolder(t)) {
  const server = await openDocumentServer(t, respond);
  return { server, folder, ...(await openProfile(t, server.origin, folder)) };
}

async function openProfile(t: TestContext, origin: string, folder: string, timeoutMs = 10_000) {
  const lines: Line[] = [];
  let onLine = (): void => {};
  const log = pino(
    {},
    {
      write(line) {
        lines.push(JSON.parse(line));
        onLine();
      },
    },
  );
  const address = new URL(`${origin}/profile.yaml?signature=secret#part`);
  const profile = await openProfileAddress({ address, folder, log, periodMs: 5, timeoutMs });
  t.after(profile.close);
  return {
    profile,
    lines,
    messages: () => lines.map(({ msg }) => msg),
    /** Resolves when so many lines with this message have been logged. */
    async logged(message: string, count = 1): Promise<void> {
      const isThere = () => lines.filter(({ msg }) => msg === message).length >= count;
      if (isThere()) return;
      await new Promise<void>((resolve) => {
        onLine = () => isThere() && resolve();
      });
    },
    name: () => profile.current().candidate.name,
  };
}

/** Returns why a profile is not opened, with ADDRESS and FOLDER for what is different each time. */
async function refusalOf(t: TestContext, respond: Respond, { folder = newFolder(t), timeoutMs = 10_000 } = {}) {
  const { origin } = await openDocumentServer(t, respond);
  const error = await openProfile(t, origin, folder, timeoutMs).then(
    () => assert.fail('is opened'),
    (error: Error) => error,
  );
  const message = error.message.replaceAll(`${origin}/profile.yaml`, 'ADDRESS').replaceAll(folder, 'FOLDER');
  return { message, isUnavailable: error instanceof UnavailableProfile };
}

const copyIn = (folder: string) => join(folder, 'profile-copy.json');

test('a new version at the address is served; while there is none, the server is asked with its entity tag', async (t) => {
  const { server, messages, logged, name } = await openAt(t, documentOf(original, '"one"'));
  await server.requested(3);
  assert.equal(name(), 'Tess Example');
  assert.deepEqual(messages(), []);
  assert.deepEqual(
    server.requests.slice(0, 3).map(({ headers }) => headers['if-none-match']),
    [undefined, '"one"', '"one"'],
  );
  server.answer(documentOf(called('Second Name'), 'W/"two"'));
  await logged('profile reloaded');
  assert.equal(name(), 'Second Name');
  await server.requested(2);
  assert.equal(server.requests.at(-1)?.headers['if-none-match'], 'W/"two"');
  assert.deepEqual(messages(), ['profile reloaded']);
});

test('without an entity tag the request has the date; without both, the same text is no new version', async (t) => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
  const { server, messages } = await openAt(t, (_, response) =>
    response.writeHead(200, { 'last-modified': date }).end(original),
  );
  await server.requested(2);
  assert.equal(server.requests[1]?.headers['if-modified-since'], date);
  server.answer((_, response) => response.end(original));
  await server.requested(3);
  const { 'if-modified-since': since, 'if-none-match': tag } = server.requests.at(-1)!.headers;
  assert.deepEqual([since, tag], [undefined, undefined]);
  assert.deepEqual(messages(), []);
});

test('an invalid version is not served, and its faults are logged once for each version, with their lines [TRUST-52]', async (t) => {
  const { server, profile, lines, logged, name, messages } = await openAt(t, documentOf(original));
  const fault = (key: string) => `${server.origin}/profile.yaml:52:1: ${key}: is not a known key`;
  server.answer(documentOf(`${original}shoe: 44\n`, '"2"'));
  await logged('profile not reloaded');
  await server.requested(3);
  server.answer((_, response) => response.end(`${original}hat: 7\n`));
  await logged('profile not reloaded', 2);
  await server.requested(3);
  assert.deepEqual(
    lines.map(({ faults }) => faults),
    [[fault('shoe')], [fault('hat')]],
  );
  assert.deepEqual([profile.isStale(), name()], [true, 'Tess Example']);
  assert.deepEqual(profile.read().faults, [fault('hat')]);
  server.answer(documentOf(called('Second Name'), '"3"'));
  await logged('profile reloaded');
  assert.deepEqual([profile.isStale(), name(), profile.read().faults], [false, 'Second Name', []]);
  assert.deepEqual(messages(), ['profile not reloaded', 'profile not reloaded', 'profile reloaded']);
});

test('an outage is logged when it begins and when it ends, and the profile is stale meanwhile [TRUST-52]', async (t) => {
  const { server, profile, lines, logged, name, messages } = await openAt(t, documentOf(original));
  await server.close();
  await logged('profile not fetched');
  assert.deepEqual([profile.isStale(), name()], [true, 'Tess Example']);
  assert.deepEqual(lines[0]?.faults, [`${server.origin}/profile.yaml: does not answer (ECONNREFUSED)`]);
  server.answer((_, response) => response.writeHead(503).end());
  await server.listen();
  await server.requested(3);
  assert.deepEqual(profile.read().faults, [`${server.origin}/profile.yaml: answers 503 instead of 200`]);
  server.answer(documentOf(original));
  await logged('profile fetched again');
  assert.deepEqual([profile.isStale(), name(), profile.read().faults], [false, 'Tess Example', []]);
  assert.deepEqual(messages(), ['profile not fetched', 'profile fetched again']);
});

test('the last valid version is kept in DATA_DIR, private, and served if the address does not answer [TRUST-52]', async (t) => {
  const { server, profile, folder, logged } = await openAt(t, documentOf(original));
  server.answer(documentOf(called('Second Name'), '"2"'));
  await logged('profile reloaded');
  server.answer(documentOf('shoe: 44', '"3"'));
  await logged('profile not reloaded');
  await server.requested(2); // What a poll writes is written before the next.
  profile.close();
  await server.close();
  assert.deepEqual(readdirSync(folder), ['profile-copy.json']);
  assert.equal(statSync(copyIn(folder)).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(copyIn(folder), 'utf8'), /secret|part/);

  const again = await openProfile(t, server.origin, folder);
  assert.deepEqual([again.name(), again.profile.isStale()], ['Second Name', true]);
  const [warning] = again.lines;
  assert.equal(warning?.level, 40);
  assert.equal(warning.msg, 'the last copy of the profile is served');
  assert.deepEqual(warning.faults, [`${server.origin}/profile.yaml: does not answer (ECONNREFUSED)`]);
  assert.equal(warning.fetchedAt, again.profile.loadedAt().toISOString());

  server.answer(documentOf(called('Second Name'), '"2"'));
  await server.listen();
  await again.logged('profile fetched again');
  assert.equal(again.profile.isStale(), false);
  assert.deepEqual(again.messages(), ['the last copy of the profile is served', 'profile fetched again']);
});

test('a start serves the copy if the version at the address is invalid, until there is a valid one', async (t) => {
  const { server, profile, folder } = await openAt(t, documentOf(original));
  profile.close();
  server.answer(documentOf('shoe: 44', '"2"'));
  const again = await openProfile(t, server.origin, folder);
  assert.deepEqual([again.name(), again.profile.isStale()], ['Tess Example', true]);
  assert.match(again.lines[0]?.faults?.[0] ?? '', /\/profile\.yaml:1:1: candidate: is required$/);
  server.answer(documentOf(original, '"3"'));
  await again.logged('profile reloaded');
  assert.equal(again.profile.isStale(), false);
});

test('a copy that is damaged, invalid or of another address is not served', async (t) => {
  const folder = newFolder(t);
  const down: Respond = (_, response) => void response.destroy();
  const copy = (document: string, address = 'https://localhost/profile.yaml') =>
    JSON.stringify({ address, fetched_at: '2026-11-22T00:00:00.000Z', document });
  const refusal = async () => (await refusalOf(t, down, { folder })).message;
  const start = 'ADDRESS: does not answer (UND_ERR_SOCKET); no copy can be served instead: FOLDER/profile-copy.json';
  assert.equal(await refusal(), `${start} does not exist`);
  writeFileSync(copyIn(folder), copy(original));
  assert.equal(await refusal(), `${start} is of another address`);
  for (const text of ['', copy(original).slice(0, 900), '{"document": 7}', Buffer.from([0xff])]) {
    writeFileSync(copyIn(folder), text);
    assert.equal(await refusal(), `${start} is damaged`);
  }
  const server = await openDocumentServer(t, down);
  writeFileSync(copyIn(folder), copy('shoe: 44', `${server.origin}/profile.yaml`));
  await assert.rejects(openProfile(t, server.origin, folder), /is damaged$/);
  server.answer(documentOf(original));
  const { profile } = await openProfile(t, server.origin, folder);
  profile.close();
  server.answer(down);
  assert.equal((await openProfile(t, server.origin, folder)).name(), 'Tess Example');
});

test('a copy that cannot be written is warned of once, and written as soon as it can be', async (t) => {
  const folder = newFolder(t);
  mkdirSync(copyIn(folder));
  const { server, messages, logged } = await openAt(t, documentOf(original), folder);
  server.answer(documentOf(called('Second Name'), '"2"'));
  await logged('profile reloaded');
  await server.requested(2);
  assert.deepEqual(messages(), ['no copy of the profile is kept: its file cannot be written', 'profile reloaded']);
  rmdirSync(copyIn(folder));
  await server.requested(2);
  assert.match(readFileSync(copyIn(folder), 'utf8'), /Second Name/);
  assert.deepEqual(readdirSync(folder), ['profile-copy.json']);
});

test('without a copy, a document with faults is refused with each of them', async (t) => {
  assert.deepEqual(await refusalOf(t, documentOf(`${original}shoe: 44\nhat: 7\n`)), {
    message: 'ADDRESS:52:1: shoe: is not a known key\nADDRESS:53:1: hat: is not a known key',
    isUnavailable: false,
  });
});

const bomb = gzipSync(Buffer.alloc(1_000 * 1024 ** 2));
const refused: Record<string, { respond: Respond; fault: string }> = {
  'a redirect': {
    respond: (_, response) => response.writeHead(302, { location: 'https://localhost/secret' }).end(original),
    fault: 'redirects (302), which is not followed: set PROFILE to the address that it leads to',
  },
  'a permanent redirect': {
    respond: (_, response) => response.writeHead(308, { location: '/' }).end(original),
    fault: 'redirects (308), which is not followed: set PROFILE to the address that it leads to',
  },
  'a 304 that was not asked for': {
    respond: (_, response) => response.writeHead(304).end(),
    fault: 'answers 304 instead of 200',
  },
  'a part of the document': {
    respond: (_, response) => response.writeHead(206).end(original),
    fault: 'answers 206 instead of 200',
  },
  'an expired signature': {
    respond: (_, response) => response.writeHead(403).end(),
    fault: 'answers 403: a password, token or signature in PROFILE is missing, wrong or expired',
  },
  'more than 1 MiB': {
    respond: (_, response) => response.end(`${original}#${'x'.repeat(1024 ** 2 - Buffer.byteLength(original))}`),
    fault: 'is larger than 1 MiB',
  },
  'an answer without an end': {
    respond(_, response) {
      const chunk = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    },
    fault: 'is larger than 1 MiB',
  },
  'a gigabyte in a megabyte of gzip': {
    respond: (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    fault: 'is larger than 1 MiB',
  },
  'bytes that are not UTF-8': {
    respond: (_, response) => response.end(Buffer.concat([Buffer.from(original), Buffer.from([0x23, 0xe4, 0x0a])])),
    fault: 'is not UTF-8 text',
  },
  'half a document': {
    respond(_, response) {
      response.writeHead(200, { 'content-length': original.length });
      response.write(original.slice(0, 400), () => response.destroy());
    },
    fault: 'does not answer (UND_ERR_SOCKET)',
  },
};
for (const [kind, { respond, fault }] of Object.entries(refused))
  test(`refused at the start, and not served later: ${kind} [TRUST-52]`, async (t) => {
    assert.deepEqual(await refusalOf(t, respond), {
      message: `ADDRESS: ${fault}; no copy can be served instead: FOLDER/profile-copy.json does not exist`,
      isUnavailable: true,
    });
    // A server that answers 304 to a condition says that nothing has changed.
    if (kind.includes('304')) return;
    const { server, profile, logged, lines, name } = await openAt(t, documentOf(original));
    server.answer(respond);
    await logged('profile not fetched');
    assert.deepEqual(lines[0]?.faults, [`${server.origin}/profile.yaml: ${fault}`]);
    assert.deepEqual([profile.isStale(), name()], [true, 'Tess Example']);
    assert.deepEqual(new Set(server.requests.map(({ url }) => url)), new Set(['/profile.yaml?signature=secret']));
  });

test('an address that does not begin or not end its answer in time is given up [TRUST-52]', async (t) => {
  const slow: Respond[] = [() => {}, (_, response) => void response.writeHead(200).write(original)];
  for (const respond of slow) {
    const { message } = await refusalOf(t, respond, { timeoutMs: 100 });
    assert.match(message, /^ADDRESS: does not answer within 0\.1 seconds; /);
  }
});

test('when the profile is closed, a request under way is ended, and logged as nothing', async (t) => {
  const { server, profile, messages } = await openAt(t, documentOf(original));
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  server.answer((_, response) => void response.on('close', end));
  await server.requested(1);
  profile.close();
  await ended;
  assert.deepEqual(messages(), []);
});

test('a port that no client fetches from is named as the fault', async (t) => {
  await assert.rejects(openProfile(t, 'https://localhost:6000', newFolder(t)), {
    message:
      /^https:\/\/localhost:6000\/profile\.yaml: has a port that is reserved for another protocol; use another port; /,
  });
});

test('a document of exactly 1 MiB is served, and one that is compressed although that was not asked for', async (t) => {
  const filled = `${original}#${'x'.repeat(1024 ** 2 - Buffer.byteLength(original) - 1)}`;
  assert.equal(Buffer.byteLength(filled), 1024 ** 2);
  const { server, logged, name } = await openAt(t, documentOf(filled));
  assert.equal(server.requests[0]?.headers['accept-encoding'], 'identity');
  server.answer((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(called('Second Name'))),
  );
  await logged('profile reloaded');
  assert.equal(name(), 'Second Name');
});

test('user name and password in the address are sent in a header, and the query as it is', async (t) => {
  const { origin, requests } = await openDocumentServer(t, documentOf(original));
  const address = new URL(origin.replace('//', '//tess%40example:p%C3%A4ss%3A@').concat('/p.yaml?a=%2F&b'));
  const log = pino({ enabled: false });
  const profile = await openProfileAddress({ address, folder: newFolder(t), log });
  profile.close();
  assert.equal(profile.name(), `${origin}/p.yaml`);
  assert.equal(requests[0]?.url, '/p.yaml?a=%2F&b');
  const [scheme, credentials = ''] = requests[0].headers.authorization!.split(' ');
  assert.deepEqual([scheme, Buffer.from(credentials, 'base64').toString()], ['Basic', 'tess@example:päss:']);
});
