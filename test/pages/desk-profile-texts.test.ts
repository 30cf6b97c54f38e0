import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openOwnDesk, sample, signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';
import { hiddenField } from '../support/pages.ts';

const withStatus = (status: string) => sample.replace('  status: open to opportunities', `  status: ${status}`);
const statusLine = sample.split('\n').findIndex((line) => line.startsWith('  status:')) + 1;

const yaml = '/desk/profile/yaml';
const drafts = '/desk/profile/drafts';
const history = '/desk/profile/history';

/** A service with a profile file of its own, and its owner at the desk. */
async function openDesk(t: TestContext, text = sample, env: Record<string, string> = {}) {
  const desk = await openOwnDesk(t, text, env);
  /** Sends the form of a page, with the line ends of a browser. */
  async function send(text: string, { what = 'publish', on = yaml, given = '' } = {}) {
    const shown = given === '' ? await desk.page(on) : given;
    const fields = ['revision', 'begun', 'draft', 'draft_revision'].flatMap((name) =>
      shown.includes(`name="${name}"`) ? [[name, hiddenField(shown, name)]] : [],
    );
    const typed = { text: text.replaceAll(/\r?\n/g, '\r\n'), do: what, ...Object.fromEntries(fields) };
    const response = await desk.post(`${yaml}/save`, typed, on);
    return { status: response.status, to: response.headers.get('location') ?? '', text: await response.text() };
  }
  return { ...desk, send };
}

/** The text in the field of a page. */
function typedIn(page: string): string {
  const [, text = ''] = /<textarea id="text"[^>]*>\n([^<]*)<\/textarea>/.exec(page) ?? assert.fail('no field');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'); // biome-ignore format: one line
}
const draftIn = (location: string) => /draft=(\w+)/.exec(location)?.[1] ?? assert.fail(location);

test('a text that is published is served by the next request, to the byte but for what was changed', async (t) => {
  const { page, send, now, get } = await openDesk(t);
  assert.equal(typedIn(await page(yaml)), sample);
  assert.deepEqual((await send(withStatus('busy'))).to, `${yaml}?done=published#done`);
  assert.equal(now(), withStatus('busy'));
  assert.match(await page(`${yaml}?done=published`), /Published\. Visitors get it from now on\./);
  assert.match(await page('/desk'), /Your availability: “<bdi>busy<\/bdi>”/);
  assert.equal((await get(`${yaml}/save`)).headers.get('location'), yaml);
});

test('line ends and the byte-order mark of a file stay, although a form sends other ones', async (t) => {
  const mixed = `\ufeff${sample.replaceAll('\n', '\r\n').replace('owner_email', '# a line\nowner_email')}`;
  const { send, now } = await openDesk(t, mixed);
  assert.equal((await send(mixed.slice(1))).to, `${yaml}?done=published#done`);
  assert.equal(now(), mixed);
  await send(mixed.slice(1).replace('status: open to opportunities', 'status: busy\r\n  # new'));
  assert.equal(now(), mixed.replace('status: open to opportunities', 'status: busy\r\n  # new'));
});

test('each fault stands beside its line, with a link to it, and nothing that was typed is lost', async (t) => {
  const { send, now } = await openDesk(t);
  const typed = withStatus('" "').replace('years_experience: 14', 'years_experience: </textarea><b>');
  const { status, text } = await send(typed);
  assert.equal(status, 409);
  assert.match(text, /role="alert">Not published: the text has faults\./);
  assert.match(
    text,
    new RegExp(
      `<a href="#line-${statusLine}">Line ${statusLine}</a></span><span>availability\\.status: must not be blank`,
    ),
  );
  assert.match(text, new RegExp(`<span id="line-${statusLine}" class="bad">${statusLine}</span>`));
  const [, notes = ''] = /<pre class="line-notes[^>]*>\n(.*?)<\/pre>/s.exec(text)!;
  assert.match(notes.split('</span>')[statusLine - 1]!, /^<span class="free">availability\.status: must not be blank/);
  assert.equal(typedIn(text), typed);
  assert.equal(now(), sample);
});

test('a file that was changed in between is not overwritten: all texts are shown, to go on from either', async (t) => {
  const { page, send, now, file } = await openDesk(t);
  const before = await page(yaml);
  writeFileSync(file, `${sample}# by hand\n`);
  const { status, text } = await send(withStatus('busy'), { given: before });
  assert.equal(status, 409);
  assert.match(
    text,
    /Not published: the file was changed since you opened it\. Your text is below\.<\/p>\n<p>Publish again to put your text in its place, which undoes what was changed there/,
  );
  const [meanwhile, publishing] = text.split('<h2>What publishing your text would change</h2>') as [string, string];
  assert.match(meanwhile, /What changed in the file meanwhile.*class="added">.*# by hand/s);
  assert.match(publishing, /class="removed">.*# by hand/s);
  assert.match(publishing, /<summary>The whole file as it is now/);
  assert.equal(typedIn(text), withStatus('busy'));
  assert.equal(now(), `${sample}# by hand\n`);
  const kept = await send(withStatus('busy'), { given: text, what: 'draft' });
  assert.equal(typedIn(await page(kept.to)), withStatus('busy'));
  assert.equal(typedIn(await page(yaml)), `${sample}# by hand\n`);
  assert.equal((await send(withStatus('busy'), { given: text })).to, `${yaml}?done=published#done`);
  assert.equal(now(), withStatus('busy'));
  assert.match(await page(`${history}/2`), /# by hand/);
});

test('a file that cannot be written says so before anything is typed, and the typed text comes back', async (t) => {
  const { page, send, file } = await openDesk(t);
  const before = await page(yaml);
  chmodSync(file, 0o444);
  const now = await page(yaml);
  assert.match(now, /It cannot be changed here, because it is read-only\. Edit the file where it comes from/);
  assert.match(now, /<textarea [^>]*readonly/);
  assert.doesNotMatch(now, /value="publish"/);
  const { status, text } = await send(withStatus('busy'), { given: before });
  assert.equal(status, 409);
  assert.match(text, /Not published: it is read-only\. Nothing that you typed is lost\./);
  assert.equal(typedIn(text), withStatus('busy'));
  assert.match(text, /value="draft">Save as draft/);
});

test('on the sample, publishing makes a file of the own, which the page says', async (t) => {
  const service = await openTestService({ PROFILE: '' });
  t.after(service.close);
  const { get, post } = await signIn(service);
  const text = await (await get(yaml)).text();
  const own = join(service.folder, 'profile.yaml');
  assert.match(text, new RegExp(`This is the sample\\. Publishing makes the file <code>${own}</code>`));
  const fields = { text: withStatus('mine'), revision: hiddenField(text, 'revision'), do: 'publish' };
  assert.equal((await post(`${yaml}/save`, fields, yaml)).headers.get('location'), `${yaml}?done=published#done`);
  assert.equal(readFileSync(own, 'utf8'), withStatus('mine'));
  assert.equal(existsSync(`${own}.part`), false);
});

test('a draft can have faults; it is listed, changed, published and then gone, and seen by nobody before', async (t) => {
  const { page, send, post, now } = await openDesk(t);
  assert.match(await page(drafts), /Nothing is saved as a draft\./);
  const { to } = await send(withStatus('" "'), { what: 'draft' });
  const id = draftIn(to);
  assert.match(await page(to), /1 fault.*Saved as a draft: nobody sees it until you publish it\./s);
  const refused = await post(`${drafts}/${id}/publish`, {}, drafts);
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /Not saved\. .*>Whether you can be approached<\/a>/s);
  assert.equal((await send(withStatus('busy'), { what: 'draft', on: to })).to, `${yaml}?draft=${id}&done=saved#done`);
  assert.equal(now(), sample);
  assert.match(await page(drafts), /1 of at most 20/);
  assert.equal((await post(`${drafts}/${id}/publish`, {}, drafts)).headers.get('location'), `${drafts}?done=published`);
  assert.equal(now(), withStatus('busy'));
  assert.match(await page(drafts), /Nothing is saved as a draft\./);
  assert.equal((await send(sample, { on: yaml, what: 'draft' })).status, 303);
});

test('a draft is named by what it changes, as a version of the history is, and opens where that is', async (t) => {
  const { page, send } = await openDesk(t);
  await send(sample, { what: 'draft' });
  await send(withStatus('busy'), { what: 'draft' });
  await send(withStatus('[').replace('Dropbox', 'Box'), { what: 'draft' });
  const named = [...(await page('/desk/profile/drafts')).matchAll(/edit\/(\w+)\?draft=\w+">(.*?)<\/a>/g)];
  assert.deepEqual(named.map(([, form, name]) => `${form}: ${name}`).sort(), [
    'availability: Availability changed',
    'contact: Nothing changed yet',
    'contact: The profile',
  ]);
  await send(withStatus('busy'));
  assert.match(await page(history), /Published .*?<br><span class="small soft">Availability changed<\/span>/);
});

test('a form of the profile leads to the latest draft, and a form of a draft removes it', async (t) => {
  const { page, send, post, get } = await openDesk(t);
  const form = '/desk/profile/edit/summary';
  assert.doesNotMatch(await page(form), /You have a draft/);
  const first = draftIn((await send(withStatus('first'), { what: 'draft' })).to);
  assert.match(
    await page(form),
    /This form has what visitors get\. You have a draft that is not published, saved <time.*?\/edit\/summary\?draft=/,
  );
  const id = draftIn((await send(withStatus('second'), { what: 'draft' })).to);
  assert.match(await page(form), /You have 2 drafts that are not published, the latest saved/);
  const ofDraft = await page(`${form}?draft=${first}`);
  assert.match(ofDraft, /This is a draft, which you alone see, saved <time/);
  assert.match(ofDraft, new RegExp(`action="${drafts}/${first}/remove".*>Remove the draft</button>`, 's'));
  await post(`${drafts}/${first}/remove`, {}, `${form}?draft=${first}`);
  assert.match(await page(form), new RegExp(`You have a draft .*edit/summary\\?draft=${id}"`));
  const reloaded = [];
  for (const address of [`${drafts}/${id}/publish`, `${drafts}/${id}`])
    reloaded.push((await get(address)).headers.get('location'));
  assert.deepEqual(reloaded, [`${drafts}/${id}`, drafts]);
});

test('under Drafts, a draft of an older version of the file is put together with it, as in its form', async (t) => {
  const { page, send, post, now, file } = await openDesk(t);
  const id = draftIn((await send(withStatus('draft'), { what: 'draft' })).to);
  writeFileSync(file, sample.replace('title: Staff Software Engineer', 'title: Principal Engineer'));
  const listed = await page(drafts);
  assert.match(listed, /The profile was changed since it was begun\./);
  assert.match(
    listed,
    /<p>Changes what visitors get: Availability changed\. Changes made to the profile since then are kept\. You see both before anything is published\.<\/p>/,
  );
  const refused = await post(`${drafts}/${id}/publish`, {}, drafts);
  assert.equal(refused.status, 409);
  const text = await refused.text();
  assert.match(
    text,
    /<h1><bdi>Availability<\/bdi><\/h1>.*What publishing your draft would change in it:.*Availability changed\./s,
  );
  assert.doesNotMatch(text, /as YAML<\/h1>/);
  assert.match(now(), /title: Principal Engineer/);
  assert.equal((await post(`${drafts}/${id}/publish`, {}, drafts)).headers.get('location'), `${drafts}?done=published`);
  assert.equal(now(), withStatus('draft').replace('title: Staff Software Engineer', 'title: Principal Engineer'));
  assert.match(await page(drafts), /Nothing is saved as a draft\./);
});

test('under Drafts, publishing says first what it changes for visitors, and then where to undo it', async (t) => {
  const { page, send } = await openDesk(t);
  await send(withStatus('busy'), { what: 'draft' });
  const shown = await page(drafts);
  assert.match(
    shown,
    /<summary>Publish<\/summary>.*<p>Changes what visitors get: Availability changed\.<\/p>\n<button>Publish the draft<\/button>/s,
  );
  await send(withStatus('busier'));
  assert.match(await page(`${drafts}?done=published`), /Published\. Visitors get it from now on\..*Undo it<\/a>/);
});

test('under Drafts, a draft that no form can show is not published, and says that it has a fault', async (t) => {
  const { send, post } = await openDesk(t);
  const id = draftIn((await send(withStatus('['), { what: 'draft' })).to);
  const refused = await post(`${drafts}/${id}/publish`, {}, drafts);
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /The text has a fault for which this form cannot show it\./);
});

test('a page that is sent twice does what it says once: it publishes, saves a draft, or publishes that', async (t) => {
  const { page, send, post } = await openDesk(t);
  const opened = await page(yaml);
  for (const _ of ['once', 'again'])
    assert.equal((await send(withStatus('busy'), { given: opened })).to, `${yaml}?done=published#done`);
  const given = await page(yaml);
  const [first, second] = [await send(sample, { what: 'draft', given }), await send(sample, { what: 'draft', given })];
  assert.equal(second.to, first.to);
  const id = draftIn(first.to);
  const draft = await page(first.to);
  for (const _ of ['once', 'again'])
    assert.equal((await send(withStatus('busier'), { what: 'draft', given: draft })).to, first.to);
  assert.match(await page(drafts), /1 of at most 20/);
  assert.equal((await post(`${drafts}/${id}/publish`, {}, drafts)).headers.get('location'), `${drafts}?done=published`);
  const again = await post(`${drafts}/${id}/publish`, {}, drafts);
  assert.equal(again.status, 404);
  assert.match(await again.text(), /That draft is not there any more: it was published or removed\./);
});

test('the address of a draft that was published, as by the button Back, says so and leads to the others', async (t) => {
  const { get } = await openDesk(t);
  for (const path of [`${yaml}?draft=gone`, '/desk/profile/edit/contact?draft=gone']) {
    const response = await get(path);
    assert.equal(response.status, 404);
    assert.match(
      await response.text(),
      /That draft is not there any more: it was published or removed\..*<a href="\/desk\/profile\/drafts">All drafts<\/a>/s,
    );
  }
});

test('the 21st draft is refused in a sentence, with what was typed, and a removed one makes room', async (t) => {
  const { page, send, post } = await openDesk(t);
  const tos: string[] = [];
  for (let count = 1; count <= 20; count += 1)
    tos.push((await send(withStatus(`draft ${count}`), { what: 'draft' })).to);
  const { status, text } = await send(withStatus('draft 21'), { what: 'draft' });
  assert.equal(status, 409);
  assert.match(text, /Not saved: There are 20 drafts already\. Publish or remove one/);
  assert.equal(typedIn(text), withStatus('draft 21'));
  const removed = await post(`${drafts}/${draftIn(tos[0]!)}/remove`, {}, drafts);
  assert.equal(removed.headers.get('location'), `${drafts}?done=removed`);
  assert.equal((await send(withStatus('draft 21'), { what: 'draft' })).status, 303);
  assert.match(await page(drafts), /20 of at most 20/);
});

test('each version is listed, shows what it changed, and can be restored, which is a version, too', async (t) => {
  const { page, send, post, now, get } = await openDesk(t);
  await send(withStatus('busy'));
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
  const restore = { revision: hiddenField(first, 'revision') };
  await send(withStatus('busier'));
  const refused = await post(`${history}/1/restore`, restore, `${history}/1`);
  assert.equal(refused.status, 409);
  const again = await refused.text();
  assert.match(again, /Not restored: the file was changed since you opened this page\..*class="removed">.*busier/s);
  const revision = hiddenField(again, 'revision');
  const restored = await post(`${history}/1/restore`, { revision }, `${history}/1`);
  assert.equal(restored.headers.get('location'), `${history}?done=restored`);
  assert.equal(now(), sample);
  assert.match(await page(`${history}?done=restored`), /Restored\. Visitors.*>4<.*Restored <span/s);
  for (const id of ['5', '0', 'x', '99999999999']) assert.equal((await get(`${history}/${id}`)).status, 404);
});

test('beside a version is what it would look like, also if another process shows it', async (t) => {
  const { page, send, get } = await openDesk(t);
  await send(sample.replace('years_experience: 14', 'years_experience: 33'));
  const shown = await page(`${history}/1?preview=assistant`);
  assert.match(shown, /&quot;years_experience&quot;: 14.*As version 1 has it\./s);
  const address = /<iframe src="([^"]+)"/.exec(await page(`${history}/1?preview=page`))?.[1] ?? assert.fail();
  assert.match(await (await get(address)).text(), /Staff engineer with 14 years/);
  const other = await openDesk(t);
  for (const version of ['0', '2']) {
    const { status } = await other.get(address.replace('version=1', `version=${version}`));
    assert.equal(status, 404, version);
  }
  assert.match(await (await other.get(address)).text(), /Staff engineer with 14 years/);
});

test('the history can be erased, and nothing but the history is', async (t) => {
  const { page, post, send, now } = await openDesk(t);
  await send(withStatus('busy'));
  await send(withStatus('draft'), { what: 'draft' });
  const erased = await post(`${history}/erase`, {}, history);
  assert.equal(erased.headers.get('location'), `${history}?done=erased`);
  assert.match(await page(erased.headers.get('location')!), /Erased\..*No version is kept\./s);
  assert.equal(now(), withStatus('busy'));
  assert.match(await page(drafts), /1 of at most 20/);
});

test('a document of nearly 1 MiB can be edited, a larger one comes back; other forms keep their limit', async (t) => {
  const { send, post, now } = await openDesk(t);
  const large = `${withStatus('busy')}${'# מפתח תוכנה\n'.repeat(46_000)}`;
  assert.ok(Buffer.byteLength(large) > 1_000_000);
  assert.equal((await send(large)).status, 303);
  assert.equal(now(), large);
  const { status, text } = await send(`${large}${'# 1234567\n'.repeat(10_000)}`);
  assert.equal(status, 409);
  assert.match(text, /Not published: it is larger than 1 MiB\. Nothing that you typed is lost\./);
  assert.equal((await post('/desk/availability', { status: 'x'.repeat(300_000), revision: '' })).status, 413);
});
