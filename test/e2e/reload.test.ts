import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import { fixture, newFolder } from '../support/files.ts';
import { eventually, startService } from '../support/process.ts';

const original = readFileSync(fixture('profile.yaml'), 'utf8');
const called = (name: string) => original.replace('Tess Example', name);

const folder = newFolder({ after });
const file = join(folder, 'profile.yaml');
writeFileSync(file, original);
const { url, token } = await startService({ after }, {}, folder);
const headers = { authorization: `Bearer ${await token()}` };

const get = async (path: string): Promise<Record<string, string>> => {
  const response = await fetch(url + path, { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as Record<string, string>;
};
const isServed = (name: string) => eventually(async () => (await get('/candidate')).name === name);
const isProfile = (state: string) => eventually(async () => (await get('/readyz')).profile === state);

// The load during all tests below. A failed request ends its loop, which the test after them reports.
const names = new Set<string>();
let isOver = false;
const visitor = async (): Promise<void> => {
  while (!isOver) names.add((await get('/candidate')).name!);
};
let load: Promise<PromiseSettledResult<void>[]>;
before(() => {
  load = Promise.allSettled([visitor(), visitor(), visitor(), visitor()]);
});
after(() => {
  isOver = true;
});

test('a save is served, also in the PDF', async () => {
  writeFileSync(file, called('Second Name'));
  await isServed('Second Name');
  assert.equal((await get('/resume')).name, 'Second Name');
  const { url } = await get('/resume?format=pdf');
  await eventually(async () => {
    const pdf = await fetch(url!);
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    const { text } = await extractText(await getDocumentProxy(await pdf.bytes()), { mergePages: true });
    return text.includes('Second Name');
  });
});

test('an invalid save leaves the last valid profile in place, and /readyz says stale until a valid one', async () => {
  writeFileSync(file, called('Faulty Name').concat('more: 1\n'));
  await isProfile('stale');
  assert.equal((await get('/candidate')).name, 'Second Name');
  writeFileSync(file, called('Third Name'));
  await isServed('Third Name');
  await isProfile('ok');
});

test('a file written in two steps is served when it is complete', async () => {
  const whole = called('Fourth Name');
  writeFileSync(file, '');
  await isProfile('stale');
  writeFileSync(file, whole.slice(0, whole.length / 2));
  assert.equal((await get('/candidate')).name, 'Third Name');
  writeFileSync(file, whole);
  await isServed('Fourth Name');
  await isProfile('ok');
});

test('a removed file leaves the last valid profile in place until there is a new one', async () => {
  rmSync(file);
  await isProfile('stale');
  assert.equal((await get('/candidate')).name, 'Fourth Name');
  writeFileSync(`${file}.new`, called('Fifth Name'));
  renameSync(`${file}.new`, file);
  await isServed('Fifth Name');
  await isProfile('ok');
});

test('what the profile offers besides is offered from the save that says so until the one that does not', async () => {
  const status = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
  const offering = called('Fifth Name').concat('  languages: [{language: Greek}]\nbackground: true\n');
  assert.equal(await status('/background', { headers }), 404);
  writeFileSync(file, offering);
  await eventually(async () => (await status('/background', { headers })) === 200);
  assert.deepEqual(await get('/background'), { languages: [{ language: 'Greek' }] });
  assert.equal(await status('/background'), 401);
  writeFileSync(file, called('Fifth Name'));
  await eventually(async () => (await status('/background', { headers })) === 404);
  assert.equal(await status('/background'), 404);
});

test('meanwhile no request failed, and each was answered from a complete, valid profile', async () => {
  isOver = true;
  const ended = await load;
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
  const good = ['Tess Example', 'Second Name', 'Third Name', 'Fourth Name', 'Fifth Name'];
  assert.deepEqual(names.difference(new Set(good)), new Set());
  assert.ok(names.size > 1);
});

test('a profile that the template cannot render has no PDF, not that of the one before; the log says why [TRUST-71]', async (t) => {
  const folder = newFolder(t);
  const [profile, template] = [join(folder, 'profile.yaml'), join(folder, 'template.typ')];
  writeFileSync(profile, original);
  writeFileSync(
    template,
    `#import "resume.typ": *
#show: resume
#if profile.candidate.name != "Tess Example" { panic(profile.candidate.name) }
Good.`,
  );
  const service = await startService(t, { PDF_TEMPLATE: template }, folder);
  const authorization = `Bearer ${await service.token()}`;
  const { url: link } = (await (
    await fetch(`${service.url}/resume?format=pdf`, { headers: { authorization } })
  ).json()) as {
    url: string;
  };
  await eventually(async () => (await fetch(link)).status === 200);
  const readiness = async () => (await (await fetch(`${service.url}/readyz`)).json()) as Record<string, string>;
  assert.deepEqual(await readiness(), { status: 'ready', store: 'ok', profile: 'ok', mail: 'ok', pdf: 'ok' });
  writeFileSync(profile, called('Secret Name'));
  await eventually(async () => (await readiness()).pdf !== 'ok');
  const { pdf, pdf_fault } = await readiness();
  const fault = 'The resume cannot be printed; the log says why.';
  assert.deepEqual({ pdf, pdf_fault }, { pdf: 'unavailable', pdf_fault: fault });
  assert.ok(service.lines.some((line) => line.includes('"fault":"template.typ:3:48: panicked with"')));
  assert.equal((await fetch(link)).status, 503);
});
