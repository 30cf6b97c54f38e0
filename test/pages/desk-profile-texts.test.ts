import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { sample } from '../support/desk.ts';
import { openEditorDesk } from '../support/editor-desk.ts';
import { hiddenField } from '../support/pages.ts';

const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);
const statusLine = sample.split('\n').findIndex((line) => line.startsWith('  status:')) + 1;

const yaml = '/desk/profile/yaml';
const history = '/desk/profile/history';

/** A service with a profile file of its own, and its owner at *The file (YAML)*. */
async function openDesk(t: TestContext, text = sample) {
  const desk = await openEditorDesk(t, text);
  /** Saves a text by the form of the page, with the line ends of a browser. */
  async function save(text: string, given?: string) {
    const revision = hiddenField(given ?? (await desk.page(yaml)), 'revision');
    const response = await desk.post(`${yaml}/save`, { text: text.replaceAll(/\r?\n/g, '\r\n'), revision }, yaml);
    return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() };
  }
  async function publish(text: string) {
    await save(text);
    assert.equal((await desk.publish()).status, 200);
  }
  return { ...desk, save, publish };
}

/** The text in the field of a page. */
function typedIn(page: string): string {
  const [, text = ''] = /<textarea id="text"[^>]*>\n([^<]*)<\/textarea>/.exec(page) ?? assert.fail('no field');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'); // biome-ignore format: one line
}

test('is the text that is saved one change of the working copy, published to the byte?', async (t) => {
  const { page, save, copy, publish, now, get } = await openDesk(t);
  assert.equal(typedIn(await page(yaml)), sample);
  assert.equal((await save(withStatus('busy'))).to, `${yaml}?done=saved`);
  assert.equal(now(), sample);
  assert.equal(typedIn(await page(yaml)), withStatus('busy'));
  assert.match(await page(`${yaml}?done=saved`), /role="status">Saved\. Nobody sees it before you publish it/);
  assert.equal((await copy()).unpublished, 1);
  await publish(withStatus('busy'));
  assert.equal(now(), withStatus('busy'));
  assert.equal((await get(`${yaml}/save`)).headers.get('location'), yaml);
});

test('do line ends and the byte-order mark of a file stay, although a form sends other ones?', async (t) => {
  const mixed = `\ufeff${sample.replaceAll('\n', '\r\n').replace('owner_email', '# a line\nowner_email')}`;
  const { save, publish, copy, now } = await openDesk(t, mixed);
  await save(mixed.slice(1));
  assert.equal((await copy()).changes.length, 0);
  await publish(mixed.slice(1).replace('status: open to opportunities', 'status: busy\r\n  # new'));
  assert.equal(now(), mixed.replace('status: open to opportunities', 'status: busy\r\n  # new'));
});

test('is a comment a change that can be published, too?', async (t) => {
  const { save, differences, copy, publish, now } = await openDesk(t);
  await save(`${sample}# later\n`);
  assert.equal((await copy()).unpublished, 1);
  assert.deepEqual(await differences(), [{ words: 'The same values, written in another way', patch: [] }]);
  await publish(`${sample}# later\n`);
  assert.equal(now(), `${sample}# later\n`);
  assert.equal((await copy()).unpublished, 0);
});

test('is a text with faults kept, and is each fault named with its line?', async (t) => {
  const { page, save, post, now } = await openDesk(t);
  const typed = withStatus('" "').replace('years_experience: 14', 'years_experience: </textarea><b>');
  assert.equal((await save(typed)).status, 303);
  const text = await page(yaml);
  assert.match(text, new RegExp(`>Line ${statusLine}</span><span>availability\\.status: must not be blank`));
  assert.equal(typedIn(text), typed);
  assert.equal(now(), sample);
  const checked = await post(`${yaml}/check`, { text: withStatus('" "') }, yaml);
  const faults: { line: number; message: string }[] = await checked.json();
  assert.deepEqual(
    faults.map(({ line, message }) => [line, message]),
    [[statusLine, 'availability.status: must not be blank; write "" if there is nothing to say']],
  );
});

test('what was changed elsewhere meanwhile, is it shown and not overwritten unseen?', async (t) => {
  const { page, save, now, file, publish } = await openDesk(t);
  const before = await page(yaml);
  writeFileSync(file, `${sample}# by hand\n`);
  const { status, text } = await save(withStatus('busy'), before);
  assert.equal(status, 409);
  assert.match(text, /Not saved: it was changed elsewhere since you opened it\. Your text is below\..*# by hand/s);
  assert.equal(typedIn(text), withStatus('busy'));
  assert.equal(typedIn(await page(yaml)), `${sample}# by hand\n`);
  assert.equal((await save(withStatus('busy'), text)).to, `${yaml}?done=saved`);
  await publish(withStatus('busy'));
  assert.equal(now(), withStatus('busy'));
  assert.match(await page(`${history}/2`), /# by hand/);
});

test('does a file that cannot be written say so before anything is typed?', async (t) => {
  const { page, file } = await openDesk(t);
  chmodSync(file, 0o444);
  const now = await page(yaml);
  assert.match(now, /It cannot be changed here, because it is read-only\. Edit the file where it comes from/);
  assert.match(now, /<textarea [^>]*readonly/);
  assert.doesNotMatch(now, /<button>Save/);
});

test('can a document of nearly 1 MiB be edited, and does a larger one come back?', async (t) => {
  const { save, publish, now } = await openDesk(t);
  const large = `${withStatus('busy')}${'# מפתח תוכנה\n'.repeat(46_000)}`;
  assert.ok(Buffer.byteLength(large) > 1_000_000);
  await publish(large);
  assert.equal(now(), large);
  const { status, text } = await save(`${large}${'# 1234567\n'.repeat(10_000)}`);
  assert.equal(status, 409);
  assert.match(text, /Not saved: The profile would be larger than 1 MiB\. Nothing that you typed is lost\./);
  assert.match(typedIn(text), /# 1234567\n$/);
});

test('without scripts, can what is saved be published, and is a fault named?', async (t) => {
  const { page, save, post, now } = await openDesk(t);
  const publish = async () => post(`${yaml}/publish`, { revision: hiddenField(await page(yaml), 'revision') }, yaml);
  await save(withStatus('busy'));
  assert.match(await page(yaml), /<noscript><form [^>]*\/yaml\/publish".*Publish what is saved/s);
  assert.equal((await publish()).headers.get('location'), `${yaml}?done=published`);
  assert.equal(now(), withStatus('busy'));
  await save(withStatus('" "'));
  const refused = await publish();
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /role="alert">Not published: .*must not be blank/);
  assert.equal(now(), withStatus('busy'));
});

test('may CodeMirror add its style, by a nonce of this answer alone?', async (t) => {
  const { get } = await openDesk(t);
  const nonces = await Promise.all(
    [yaml, yaml].map(async (path) => {
      const response = await get(path, { accept: 'text/html' });
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const [, nonce] = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(
        response.headers.get('content-security-policy') ?? '',
      )!;
      assert.ok((await response.text()).includes(`"nonce":"${nonce}"`));
      return nonce;
    }),
  );
  assert.notEqual(nonces[0], nonces[1]);
});

test('is each version listed with what it changed, and restored into the working copy?', async (t) => {
  const { page, publish, post, now, get, copy } = await openDesk(t);
  await publish(withStatus('busy'));
  const list = await page(history);
  assert.match(
    list,
    /2 versions.*>2<.*Published <span class="good small">as it is now<\/span>.*>1<.*Changed outside the desk/s,
  );
  assert.match(
    await page(`${history}/2`),
    /This is the profile as it is now\..*<p>Availability changed\.<\/p>.*class="removed">.*open to opportunities.*class="added">.*busy/s,
  );
  const first = await page(`${history}/1`);
  assert.match(
    first,
    /What restoring it changes<\/h2>.*class="removed">.*busy.*It is the oldest version that is kept\./s,
  );
  const restored = await post(`${history}/1/restore`, {}, `${history}/1`);
  assert.equal(restored.headers.get('location'), '/desk/profile');
  assert.equal(now(), withStatus('busy'));
  assert.equal((await copy()).unpublished, 1);
  await publish(sample);
  assert.equal(now(), sample);
  for (const id of ['5', '0', 'x', '99999999999']) assert.equal((await get(`${history}/${id}`)).status, 404);
});

test('is beside a version what it looks like, also if another process shows it?', async (t) => {
  const { page, publish } = await openDesk(t);
  await publish(sample.replace('years_experience: 14', 'years_experience: 33'));
  const [, address = ''] = /<a href="([^"]+\/page)"/.exec(await page(`${history}/1`)) ?? [];
  const other = await openDesk(t);
  assert.match(await (await other.get(address)).text(), /Staff engineer with 14 years/);
});

test('can the history be erased, and nothing but the history?', async (t) => {
  const { page, post, save, publish, file } = await openDesk(t);
  await publish(withStatus('busy'));
  await save(withStatus('later'));
  const erased = await post(`${history}/erase`, {}, history);
  assert.equal(erased.headers.get('location'), `${history}?done=erased`);
  assert.match(await page(`${history}?done=erased`), /Erased\..*No version is kept\./s);
  assert.equal(readFileSync(file, 'utf8'), withStatus('busy'));
  assert.equal(typedIn(await page(yaml)), withStatus('later'));
});
