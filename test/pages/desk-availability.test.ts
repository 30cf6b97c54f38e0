import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { signIn } from '../support/desk.ts';
import { newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';

const sample = readFileSync(samplePath, 'utf8');
const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);

/** A service with a profile file of its own, and its owner at the desk. */
async function openDesk(t: TestContext, text = sample) {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, text);
  const service = await openTestService({ PROFILE: file });
  t.after(service.close);
  const owner = await signIn(service);
  const page = async () => (await owner.get('/desk/availability')).text();
  return {
    ...service,
    ...owner,
    file,
    page,
    async save(status: string, revision?: string) {
      const response = await owner.post('/desk/availability', {
        status,
        revision: revision ?? revisionIn(await page()),
      });
      return { status: response.status, to: response.headers.get('location'), text: await response.text() };
    },
    served: async () => ((await (await service.get('/availability')).json()) as { status: string }).status,
  };
}

const revisionIn = (page: string) => /name="revision" value="([^"]*)"/.exec(page)?.[1] ?? '';
const typedIn = (page: string) => /id="status" name="status" value="([^"]*)"/.exec(page)?.[1];

test('a status that is saved is served by the next request, and the rest of the file stays to the byte', async (t) => {
  const { save, served, page, file } = await openDesk(t);
  assert.equal(await served(), 'open to opportunities');
  assert.equal(typedIn(await page()), 'open to opportunities');
  assert.deepEqual([(await save(' from May: yes ')).to], ['/desk/availability?saved']);
  assert.equal(await served(), 'from May: yes');
  assert.equal(readFileSync(file, 'utf8'), withStatus('"from May: yes"'));
});

test('a status may be emptied, which the page says, and written again', async (t) => {
  const { save, served, page, file } = await openDesk(t);
  assert.equal((await save('  ')).status, 303);
  assert.equal(await served(), '');
  assert.equal(readFileSync(file, 'utf8'), withStatus('""'));
  assert.match(await page(), /<p class="lead">Visitors are told nothing of it\.<\/p>/);
  writeFileSync(file, withStatus('"" # TODO: say whether you can be approached'));
  assert.equal((await save('open')).status, 303);
  assert.equal(readFileSync(file, 'utf8'), withStatus('"open"').replace(' # any text', ''));
});

test('a file that was changed in between is not overwritten: what was typed is kept, and saving again replaces it', async (t) => {
  const { save, page, file, served } = await openDesk(t);
  const revision = revisionIn(await page());
  writeFileSync(file, withStatus('busy'));
  const { status, text } = await save('not "looking"', revision);
  assert.equal(status, 409);
  assert.match(text, /Not saved: the file was changed since you opened this page\. It says now: “<bdi>busy<\/bdi>”/);
  assert.equal(typedIn(text), 'not &quot;looking&quot;');
  assert.equal(readFileSync(file, 'utf8'), withStatus('busy'));
  assert.equal((await save('not "looking"', revisionIn(text))).status, 303);
  assert.equal(await served(), 'not "looking"');
});

test('of a read-only file the page shows the line to change, and what was typed', async (t) => {
  const { save, file, served } = await openDesk(t);
  chmodSync(file, 0o444);
  const { status, text } = await save('<b>not now</b> # maybe');
  assert.equal(status, 409);
  assert.match(text, /the file could not be replaced, because it is read-only/);
  const line = sample.split('\n').findIndex((one) => one.startsWith('  status:')) + 1;
  assert.match(text, new RegExp(`let line ${line} of <code>${file}</code> be:`));
  assert.match(
    text,
    /<pre id="line" data-text="[^"]*"> {2}status: &quot;&lt;b&gt;not now&lt;\/b&gt; # maybe&quot; # any text<\/pre>/,
  );
  assert.equal(typedIn(text), '&lt;b&gt;not now&lt;/b&gt; # maybe');
  assert.equal(await served(), 'open to opportunities');
});

test('the line to copy is the line itself, also where the page writes out an invisible character', async (t) => {
  const { save, file } = await openDesk(t);
  chmodSync(file, 0o444);
  const { text } = await save('not\u202enow');
  const [, copied = '', shown = ''] = /<pre id="line" data-text="([^"]*)">([^<]*)<\/pre>/.exec(text)!;
  assert.ok(copied.includes('not\u202enow'), copied);
  assert.ok(shown.includes('not\\u{202e}now'), shown);
});

test('while the file has a fault the page says which, and has no form', async (t) => {
  const { page, file } = await openDesk(t);
  writeFileSync(file, `${sample}<i>: 1\n`);
  const text = await page();
  assert.match(text, /The profile file has a fault, so nothing is changed in it/);
  assert.match(text, /&lt;i&gt;/);
  assert.match(text, /Visitors get: “<bdi>open to opportunities<\/bdi>”/);
  assert.equal(revisionIn(text), '');
});

test('the sample is never written: the page says how to make a profile', async (t) => {
  const service = await openTestService({ PROFILE: samplePath });
  t.after(service.close);
  const { get, post } = await signIn(service);
  const page = await (await get('/desk/availability')).text();
  assert.match(page, /This is the sample profile/);
  assert.match(page, /<pre>[^<]* init<\/pre>/);
  assert.equal((await post('/desk/availability', { status: 'mine', revision: '' })).status, 409);
  assert.equal(readFileSync(samplePath, 'utf8'), sample);
});

test('a status is shown as text, with what hides or turns it written out, and edited as it is', async (t) => {
  const { page } = await openDesk(t, withStatus(`"\\"><script>\\u202e 'x"`));
  const text = await page();
  assert.match(text, /Visitors get: “<bdi>&quot;&gt;&lt;script&gt;\\u\{202e\} &#39;x<\/bdi>”/);
  assert.equal(typedIn(text), '&quot;&gt;&lt;script&gt;\u202e &#39;x');
});

test('a copy of the profile in JSON is edited as JSON', async (t) => {
  const { parse } = await import('yaml');
  const text = JSON.stringify(parse(sample), null, 2);
  const { save, file } = await openDesk(t, text);
  assert.equal((await save('say "yes"')).status, 303);
  assert.equal(readFileSync(file, 'utf8'), text.replace('"open to opportunities"', '"say \\"yes\\""'));
});
