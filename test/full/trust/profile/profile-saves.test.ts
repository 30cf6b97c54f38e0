import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { isFull, report, scaled } from '../../../support/figures.ts';
import { fixture, newFolder } from '../../../support/files.ts';
import { eventually, startService } from '../../../support/process.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
/** Returns the profile with its version in the answers to GET /candidate and GET /experience. */
const versionOf = (number: number) =>
  original.replace('Tess Example', `Version ${number}`).replace('Platform work.', `Version ${number}`);

const folder = newFolder({ after });
const file = join(folder, 'profile.yaml');
const clear = () => rmSync(file, { recursive: true, force: true });
/** Removes what is not a regular file. */
const clearUnlessFile = () => {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) clear();
};
const half = (content: string) => content.slice(0, content.length / 2);
/** Saves as editors do: a new file is written and renamed. */
function replace(content: string | Buffer): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}
/** Saves as Kubernetes updates a config map: the file is a link through a link to a folder, and the latter link is replaced. */
function swapTo(name: string, content: string): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'profile.yaml'), content);
  symlinkSync(name, join(folder, '..new'));
  renameSync(join(folder, '..new'), join(folder, '..data'));
}

/** Invalid saves; `share`, 0 to 1, is how much of a truncated file was written. */
const bad: Record<string, (content: string, share: number) => void> = {
  truncated: (content, share) => writeFileSync(file, content.slice(0, content.indexOf('resume:') * share)),
  empty: () => writeFileSync(file, ''),
  removed: clear,
  'not YAML': (content) => writeFileSync(file, content.replace('candidate:', 'candidate: [')),
  'not a profile': (content) => replace(content.replace('years_experience: 12', 'years_experience: many')),
  'not UTF-8': (content) => replace(Buffer.from(content, 'utf16le')),
  huge(content) {
    writeFileSync(file, content);
    truncateSync(file, 64 * 1024 * 1024);
  },
  'a folder'() {
    clear();
    mkdirSync(file);
  },
  'a link to nothing'() {
    clear();
    symlinkSync('nothing', file);
  },
  'a link to itself'() {
    clear();
    symlinkSync('profile.yaml', file);
  },
};
/** Valid saves, whatever the path was before. */
const good: Record<string, (content: string, number: number) => void> = {
  'written in one step'(content) {
    clearUnlessFile();
    writeFileSync(file, content);
  },
  'written in two steps'(content) {
    clearUnlessFile();
    writeFileSync(file, half(content));
    writeFileSync(file, content);
  },
  'renamed over'(content) {
    clearUnlessFile();
    replace(content);
  },
  'swapped links'(content, number) {
    clear();
    swapTo(`..${number}-torn`, half(content));
    symlinkSync('..data/profile.yaml', file);
    swapTo(`..${number}`, content);
  },
  'readable by root alone'(content) {
    clear();
    writeFileSync(file, content);
    if (process.getuid?.() === 0) chmodSync(file, 0);
  },
  'removed and created again'(content) {
    clear();
    replace(content);
  },
  'five saves in a row'(content) {
    clearUnlessFile();
    for (let n = 0; n < 4; n += 1) writeFileSync(file, half(content));
    writeFileSync(file, content);
  },
};

writeFileSync(file, versionOf(0));
const { url, token } = await startService({ after }, { LIMITS: 'off' }, folder);
const headers = { authorization: `Bearer ${await token()}` };

/** Sends a request over a connection that is kept alive. */
const ask = (agent: Agent, path: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    get(url + path, { agent, headers }, async (response) =>
      resolve({ status: response.statusCode!, body: await text(response) }),
    ).on('error', reject);
  });

const plainAgent = new Agent({ keepAlive: true });
const whole = new Map<string, string>();
for (const path of ['/candidate', '/experience']) whole.set(path, (await ask(plainAgent, path)).body);

/** The versions in the answers of each path. */
const seen = new Map([...whole.keys()].map((path) => [path, new Set<number>()]));
/** The last valid save, and how long after it a request was still answered with an older version. */
let saved = { number: 0, at: 0, lateMs: 0 };
let answers = 0;
const wrong: unknown[] = [];
let isOver = false;

async function client(path: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver) {
    const askedAt = performance.now();
    const { status, body } = await ask(agent, path).catch((error: Error) => ({ status: 0, body: error.message }));
    answers += 1;
    const number = Number(/"Version (\d+)"/.exec(body)?.[1]);
    const isWhole = body.replace(`"Version ${number}"`, '"Version 0"') === whole.get(path);
    if (status !== 200 || !isWhole) wrong.push({ path, status, body });
    seen.get(path)!.add(number);
    if (number < saved.number) saved.lateMs = Math.max(saved.lateMs, askedAt - saved.at);
  }
  agent.destroy();
}

const isProfile = (state: string) =>
  eventually(async () => JSON.parse((await ask(plainAgent, '/readyz')).body).profile === state);

const rounds = scaled(30, 1);
const servable = new Set([0]);
const delays: number[] = [];
let saves = 0;
let version = 0;

suite('A profile that is saved while 16 clients read', () => {
  let load: Promise<unknown>;
  before(() => {
    load = Promise.all(Array.from({ length: 16 }, (_, n) => client(n % 2 === 0 ? '/candidate' : '/experience')));
  });
  after(() => {
    isOver = true;
    plainAgent.destroy();
  });

  test('after any bad save /readyz says stale, and the next good save is served within 1 s [TRUST-33]', async () => {
    const goodKinds = Object.entries(good);
    for (let round = 0; round < rounds; round += 1)
      for (const [kind, spoil] of Object.entries(bad)) {
        version += 1;
        spoil(versionOf(version), (round * 0.37) % 1);
        saves += 1;
        await isProfile('stale');

        version += 1;
        const [way, save] = goodKinds[saves % goodKinds.length]!;
        servable.add(version);
        save(versionOf(version), version);
        saved = { number: version, at: performance.now(), lateMs: 0 };
        await eventually(() => [...seen.values()].every((versions) => versions.has(version)));
        await isProfile('ok');
        delays.push(saved.lateMs);
        if (isFull) assert.ok(saved.lateMs <= 1_000, `after ${kind}, ${way}: ${saved.lateMs} ms`);
      }
  });

  test('meanwhile no request failed, and each was answered from one complete, valid profile [TRUST-33]', async () => {
    isOver = true;
    await load;
    assert.equal(delays.length, rounds * Object.keys(bad).length);
    assert.deepEqual(wrong, []);
    for (const versions of seen.values()) assert.deepEqual(versions, servable);
    report(
      'profile saved torn, empty, removed, invalid, 300 times under load',
      `${saves} bad saves of ${Object.keys(bad).length} kinds, each followed by a good one, 16 clients: ${answers} answers, ${wrong.length} bad; every request sent later than ${Math.max(...delays).toFixed(0)} ms after a good save was answered with it`,
    );
  });
});
