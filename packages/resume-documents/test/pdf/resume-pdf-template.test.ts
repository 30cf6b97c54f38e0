import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { fontFamiliesIn } from 'resume-documents/assets';
import { newFolder } from '../../../resume-profile/test/documents.ts';
import { rendererOf, sample } from './rendered.ts';

const shipped = join(import.meta.dirname, '../../src/templates/');

/** Writes a template into a folder of its own, beside a file that it must not read. */
function withTemplate(t: TestContext, source: string) {
  const around = newFolder(t);
  const folder = join(around, 'mine');
  mkdirSync(folder);
  const template = join(folder, 'template.typ');
  writeFileSync(template, source);
  writeFileSync(join(around, 'secret.txt'), 'secret');
  return { folder, template };
}

const minimal = '#set document(title: "Mine")\n#set text(font: "Noto Sans", fallback: false)\n';

test('a copy of a theme can be changed on its own, or along with what the themes share', async (t) => {
  const classic = readFileSync(join(shipped, 'classic.typ'), 'utf8');
  const { folder, template } = withTemplate(t, classic.replace('#sections()', '#sections("skills", "experience")'));
  const render = rendererOf({ template });
  const { text } = await render(sample);
  assert.doesNotMatch(text, /Projects|boring-but-critical/);
  assert.match(text, /Skills.*Experience/);
  const ordered = { ...sample, resume: { ...sample.resume, order: ['projects', 'experience'] } };
  assert.match((await render(ordered)).text, /@lena .*Experience.*Skills/);
  copyFileSync(join(shipped, 'resume.typ'), join(folder, 'resume.typ'));
  const own = readFileSync(join(folder, 'resume.typ'), 'utf8').replace(
    /it\.names\.at\(0, .*?\)\.text/,
    '"Where I worked"',
  );
  writeFileSync(join(folder, 'resume.typ'), own);
  assert.match((await rendererOf({ template })(sample)).text, /Where I worked/);
});

test('a template can place each section by itself', async (t) => {
  const { template } = withTemplate(
    t,
    '#import "resume.typ": *\n#show: resume\n#name()\n#headline()\n#contacts()\n#languages()\n#experience()\n#summary()',
  );
  const { text } = await rendererOf({ template })(sample);
  assert.match(
    text,
    /^Dr\. Lena Vasquez Staff .* Languages English .* Experience Confluent .* partition assignment Staff engineer/,
  );
});

test('a template is read again for each rendering', async (t) => {
  const { template } = withTemplate(t, `${minimal}First`);
  const render = rendererOf({ template });
  assert.equal((await render(sample)).text, 'First');
  writeFileSync(template, `${minimal}Second`);
  assert.equal((await render(sample)).text, 'Second');
});

test('a template reads its folder and nothing else', async (t) => {
  const { folder, template } = withTemplate(t, `${minimal}#read("note.txt")`);
  writeFileSync(join(folder, 'note.txt'), 'A note.');
  assert.equal((await rendererOf({ template })(sample)).text, 'A note.');
  for (const path of ['../secret.txt', '/../secret.txt', join(folder, '../secret.txt'), '/etc/passwd', shipped]) {
    writeFileSync(template, `${minimal}#read("${path}")`);
    await assert.rejects(
      rendererOf({ template })(sample),
      /^Error: template\.typ:3:\d+: (failed to load file|file not found)/,
    );
  }
});

test('a template reaches neither the network nor packages on the machine', async (t) => {
  const { connections, port } = await listen(t);
  const machine = newFolder(t);
  mkdirSync(join(machine, 'typst/packages/local/mine/1.0.0'), { recursive: true });
  const manifest = '[package]\nname = "mine"\nversion = "1.0.0"\nentrypoint = "mine.typ"\n';
  writeFileSync(join(machine, 'typst/packages/local/mine/1.0.0/typst.toml'), manifest);
  writeFileSync(join(machine, 'typst/packages/local/mine/1.0.0/mine.typ'), '');
  const proxy = `http://127.0.0.1:${port}`;
  setEnvironment(t, { HTTPS_PROXY: proxy, https_proxy: proxy, no_proxy: '', XDG_DATA_HOME: machine });
  for (const source of ['@preview/mine:1.0.0', '@local/mine:1.0.0', 'https://example.org/mine.typ']) {
    const { template } = withTemplate(t, `${minimal}#import "${source}": *`);
    await assert.rejects(rendererOf({ template })(sample), /package|file not found/);
  }
  assert.equal(connections(), 0);
  assert.equal(process.env.HTTPS_PROXY, proxy);
});

test('a template gets the shipped fonts and those of FONT_DIR, never the machine’s', async (t) => {
  const fontDir = newFolder(t);
  const arabic = readFileSync(
    new URL('../fonts/NotoNaskhArabic-Regular.ttf', import.meta.resolve('@embedpdf/fonts-arabic')),
  );
  const [own, other] = ['Naskh', 'Other'].map((name) => Buffer.from(name, 'utf16le').swap16());
  for (let at = arabic.indexOf(own!); at !== -1; at = arabic.indexOf(own!)) other!.copy(arabic, at);
  writeFileSync(join(fontDir, 'other.ttf'), arabic);
  assert.deepEqual(fontFamiliesIn(fontDir), ['Noto Other Arabic']);
  const machine = join(newFolder(t), 'fonts.conf');
  writeFileSync(machine, `<fontconfig><dir>${fontDir}</dir></fontconfig>`);
  setEnvironment(t, { FONTCONFIG_FILE: machine });
  const fonts = '#set text(font: ("Noto Other Arabic", "Noto Sans"), fallback: false)';
  const { template } = withTemplate(t, `#set document(title: "Mine")\n${fonts}\nل`);
  assert.equal((await rendererOf({ template, fontDir })(sample)).text, 'ل');
  await assert.rejects(rendererOf({ template })(sample), { message: 'no font has a glyph for ل' });
});

/** Changes the environment of the process until the test ends. */
function setEnvironment(t: TestContext, changes: Record<string, string>): void {
  const before = { ...process.env };
  Object.assign(process.env, changes);
  t.after(() => {
    for (const name of Object.keys(changes)) delete process.env[name];
    Object.assign(process.env, before);
  });
}

/** Opens a port that counts connections. It listens in a worker thread, because Typst blocks this one. */
async function listen(t: TestContext) {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    const server = require('node:net').createServer((socket) => {
      Atomics.add(workerData, 0, 1);
      socket.destroy();
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: count },
  );
  t.after(() => server.terminate());
  const [port] = (await once(server, 'message')) as [number];
  return { connections: () => Atomics.load(count, 0), port };
}
