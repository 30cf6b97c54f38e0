import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
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
