import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { samplePath } from '../../src/service/config/config.ts';
import { sample } from '../support/desk.ts';
import { openEditor, typedAt } from '../support/editor-form.ts';

const form = '/desk/profile/edit/availability';
const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);

/** The form of the availability at the desk, for a profile file of its own. */
async function openForm(t: TestContext, text = sample) {
  const editor = await openEditor(t, text);
  return {
    ...editor,
    shown: () => editor.page(form),
    save: async (status: string, shown?: string) =>
      editor.send(shown ?? (await editor.page(form)), 'publish', { 'availability.status': status }),
    async served() {
      const response = await editor.ask('/availability', { headers: { authorization: `Bearer ${editor.token}` } });
      return ((await response.json()) as { status: string }).status;
    },
  };
}

const typedIn = (shown: string) => typedAt(shown, 'availability.status');
const revisionIn = (shown: string) => /name="revision" value="([^"]*)"/.exec(shown)?.[1] ?? '';

test('a status that is saved is served by the next request, and the rest of the file stays to the byte', async (t) => {
  const { save, served, shown, now } = await openForm(t);
  assert.equal(await served(), 'open to opportunities');
  assert.equal(typedIn(await shown()), 'open to opportunities');
  assert.equal((await save(' from May: yes ')).to, `${form}?done=published#done`);
  assert.equal(await served(), 'from May: yes');
  assert.equal(now(), withStatus('"from May: yes"'));
});

test('a status may be emptied, which Today says with a link to the form, and written again', async (t) => {
  const { save, served, page, now, file } = await openForm(t);
  const today = await page('/desk');
  assert.match(today, /Your availability: “<bdi>open to opportunities<\/bdi>”/);
  assert.match(today, /<a href="\/desk\/profile\/edit\/availability">Change it<\/a>/);
  assert.equal((await save('  ')).status, 303);
  assert.equal(await served(), '');
  assert.equal(now(), withStatus('""'));
  assert.match(await page('/desk'), /Visitors are told nothing of your availability\./);
  writeFileSync(file, withStatus('"" # TODO: say whether you can be approached'));
  assert.equal((await save('open')).status, 303);
  assert.equal(now(), withStatus('"open"').replace(' # any text', ''));
});

test('if the file became read-only the form comes back as typed, and says what to change by hand', async (t) => {
  const { save, shown, file, served } = await openForm(t);
  const before = await shown();
  chmodSync(file, 0o444);
  const { status, text } = await save('<b>not\u202enow</b> # maybe', before);
  assert.equal(status, 409);
  assert.match(text, /Not saved: it is read-only\. Nothing that you typed is lost\./);
  assert.match(text, /To make the change by hand:/);
  assert.match(
    text,
    /Added: <\/span> {2}status: &quot;&lt;b&gt;not\\u\{202e\}now&lt;\/b&gt; # maybe&quot; # any text</,
  );
  assert.equal(typedIn(text), '<b>not\u202enow</b> # maybe');
  assert.equal(await served(), 'open to opportunities');
});

test('a status is shown as text, and edited as it is', async (t) => {
  const { shown, page } = await openForm(t, withStatus(`"\\"><script>\\u202e 'x"`));
  assert.equal(typedIn(await shown()), `"><script>\u202e 'x`);
  assert.match(await page('/desk'), /“<bdi>&quot;&gt;&lt;script&gt;\\u\{202e\} &#39;x<\/bdi>”/);
});

test('a copy of the profile in JSON is edited as JSON', async (t) => {
  const { parse } = await import('yaml');
  const text = JSON.stringify(parse(sample), null, 2);
  const { save, now } = await openForm(t, text);
  assert.equal((await save('say "yes"')).status, 303);
  assert.equal(now(), text.replace('"open to opportunities"', '"say \\"yes\\""'));
});

test('the address that the page had before leads to the form, and the page itself, still open, saves', async (t) => {
  const { get, post, shown, served, file, now } = await openForm(t);
  assert.equal((await get('/desk/availability')).headers.get('location'), form);
  assert.equal((await get('/desk/availability?saved')).headers.get('location'), form);
  const old = { status: 'busy', revision: revisionIn(await shown()) };
  assert.equal((await post('/desk/availability', old)).headers.get('location'), `${form}?done=published#done`);
  assert.equal(await served(), 'busy');

  const late = await post('/desk/availability', { ...old, status: 'open in May' });
  assert.equal(late.status, 409);
  assert.equal(typedIn(await late.text()), 'open in May');
  assert.equal(now(), withStatus('busy'));
  writeFileSync(file, 'x: [\n');
  assert.equal((await post('/desk/availability', old)).status, 409);
  assert.equal(readFileSync(samplePath, 'utf8'), sample);
});
