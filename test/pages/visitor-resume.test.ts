import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { samplePath } from '../../src/service/config/config.ts';
import { backgroundProfile } from '../support/background-profile.ts';
import { everySectionPath, fixture, newFolder } from '../support/files.ts';
import { openPrinterHere } from '../support/in-place.ts';
import { openPage, openUntilEnd, openVisitor, textOf } from '../support/pages.ts';

/** Opens the page of a profile with a token. */
async function openProfile(t: TestContext, profile: string) {
  const PROFILE = join(newFolder(t), 'profile.yaml');
  writeFileSync(PROFILE, profile);
  copyFileSync(fixture('photo.jpg'), join(PROFILE, '../me.jpg'));
  const service = await openUntilEnd(t, { PROFILE }, undefined, { openPrinter: openPrinterHere });
  const page = await (await openVisitor(service).post('/profile', { token: service.token })).text();
  return { service, page, text: textOf(page) };
}

test('the page shows what the PDF does, in two columns: first what is read, then what is looked up', async (t) => {
  const { page, text } = await openProfile(t, backgroundProfile);
  const shown = text.slice(text.indexOf('Publications'), text.indexOf('Write to'));
  assert.equal(
    shown,
    [
      'Publications On logs 2019 T. Example, A. Other · Storage Letters Why they end.',
      'Awards Best log, Log Society Volunteering Host, Repair Café 2020 Mended radios',
      'Talks Logs at sea, Boat Conf · Faro Jun 2023 One more in Porto Both are on video.',
      'References Rui Reference Tess is kind.',
      'Skills Go, SQL Domains Storage, Streaming',
      'Education Técnico Lisboa, MSc, Computing 2005 – Jul 2010 Compilers and parsers Open University Sep 2024 – present',
      'Certifications Diver, Sea School May 2016 Languages Portuguese (native), French Interests Kites ',
    ].join(' '),
  );
  assert.match(page, /<a href="https:\/\/letters\.example\/logs" rel="noopener noreferrer">On logs<\/a>/);
  const kept = await openProfile(t, backgroundProfile.replace('background: true', 'background: false'));
  assert.match(kept.text, /Education Técnico Lisboa.*Diver.*Portuguese/, 'although programs cannot read it');
});

test('contact details and photo are on the page, unless the owner keeps each of them off', async (t) => {
  const shownWithout = async (...hides: string[]) => {
    const keys = `resume:\n  photo: me.jpg\n  hides: {page: [${hides}], pdf: [education]}\n`;
    const { page } = await openProfile(t, backgroundProfile.replace('resume:\n', keys));
    const texts = [
      'href="mailto:tess@tess.example"',
      'href="tel:+3515550100"',
      'src="/files/photo?',
      'Open University',
    ];
    return texts.map((text) => page.includes(text));
  };
  assert.deepEqual(await shownWithout(), [true, true, true, true]);
  assert.deepEqual(await shownWithout('email', 'phone'), [false, false, true, true]);
  assert.deepEqual(await shownWithout('photo', 'education'), [true, true, false, false]);
});

test('texts are escaped, what does not show is made visible, and a link is one whatever marks are in it', async (t) => {
  const { page } = await openProfile(
    t,
    backgroundProfile
      .replace('title: Talks', 'title: "<b>T</b>\\u202e"')
      .replace('One more in Porto', '<script>x</script>')
      .replace('Both are on video.', 'See [the *whole* story](https://talks.example/a).'),
  );
  assert.match(page, /See <a href="https:\/\/talks\.example\/a"[^>]*>the <em>whole<\/em> story<\/a>\./);
  assert.match(page, /<h2 id="section-1"><bdi>&lt;b&gt;T&lt;\/b&gt;\\u\{202e\}<\/bdi><\/h2>/);
  assert.match(page, /<li dir="auto">&lt;script&gt;x&lt;\/script&gt;<\/li>/);
});

test('the page of a profile with every section is below 20 KiB compressed', async (t) => {
  const service = await openUntilEnd(t, { PROFILE: everySectionPath });
  const page = await (await openVisitor(service).post('/profile', { token: service.token })).text();
  assert.match(page, /Nora Lindqvist/);
  assert.ok(gzipSync(page).byteLength < 20 * 1024);
});

test('the pages before and after access speak the language of the profile, and say so', async (t) => {
  const PROFILE = fixture('languages/de.yaml');
  const service = await openUntilEnd(t, { PROFILE, OWNER_EMAIL: 'owner@example.org' });
  const landing = await (await openPage(service, '/')).text();
  assert.match(landing, /<html lang="de" dir="ltr">/);
  for (const text of [
    'Ihre E-Mail-Adresse',
    'Profil öffnen',
    '30 Tage auf diesem Gerät merken',
    'was Sie lesen (90 Tage lang)',
  ])
    assert.ok(landing.includes(text), text);
  const wrong = await (await openVisitor(service).post('/', { email: 'ada@' })).text();
  assert.match(wrong, /Geben Sie eine E-Mail-Adresse ein, etwa ada@example\.com\./);
  const visitor = openVisitor(service);
  const page = await (await visitor.getAccess()).text();
  assert.match(page, /<html lang="de" dir="ltr">/);
  for (const text of [
    'PDF herunterladen',
    'Kontakt speichern',
    'Berufserfahrung',
    'Apr. 2018',
    'Ihr Name',
    'Alle Felder sind Pflichtfelder.',
    'Nachricht senden',
    'Verlassen',
  ])
    assert.ok(page.includes(text), text);
  const refused = await (await visitor.post('/profile/write', { name: '', company: 'K', message: '' })).text();
  assert.match(refused, /<h2 id="problem">Es gibt ein Problem<\/h2>.*Ihr Name fehlt.*Nachricht fehlt/s);
});

for (const [language, direction] of [
  ['de', 'ltr'],
  ['ar', 'rtl'],
] as const)
  test(`what the page in ${language} says in English is marked as English, and only that`, async (t) => {
    const PROFILE = fixture(`languages/${language}.yaml`);
    const service = await openUntilEnd(t, { PROFILE, OWNER_EMAIL: 'owner@example.org' });
    const noticeOf = async (response: Response) => {
      const page = await response.text();
      assert.ok(page.includes(`<html lang="${language}" dir="${direction}">`), page);
      const [, attributes, text] = /<p class="notice \w+" role="status"(.*?)>(.*?)<\/p>/.exec(page)!;
      return [attributes, text?.slice(0, 30)];
    };
    const english = (text: string) => [' lang="en" dir="ltr"', text];
    const visitor = openVisitor(service);
    assert.deepEqual(await noticeOf(await visitor.get('/profile/opened')), english('Your browser has not kept the '));
    const pasted = await visitor.post('/profile', { token: 'none' });
    assert.deepEqual(await noticeOf(pasted), english('This token is not valid: it ha'));
    await visitor.getAccess();
    const message = { name: 'Ada', company: 'K', email: 'ada@example.com', message: 'Hello' };
    const [attributes] = await noticeOf(await visitor.post('/profile/write', message));
    assert.equal(attributes, ` lang="${language}" dir="${direction}"`);
    assert.deepEqual(await noticeOf(await visitor.post('/profile/leave')), english('You have left, and your access'));
    visitor.cookies.set('visitor', 'x'.repeat(43));
    assert.deepEqual(await noticeOf(await visitor.get('/')), english('Your access from this browser '));
  });

test('before access, the page says in numbers what is behind it, if the owner makes them public', async (t) => {
  const profile = readFileSync(samplePath, 'utf8');
  const leadOf = async (text: string) => {
    const service = await openUntilEnd(t, {}, text, { openPrinter: openPrinterHere });
    const link = (await (await service.get('/resume?format=pdf')).json()) as { url: string };
    await service.send(new Request(link.url));
    return /<p class="lead">(.*?)<\/p>/.exec(await (await openPage(service, '/')).text())![1];
  };
  assert.equal(
    await leadOf(profile),
    'Three jobs, two projects and a PDF of two pages, for people who say who they are.',
  );
  assert.equal(
    await leadOf(profile.replace(/^public: .*/m, 'public: [name]')),
    'Your e-mail address opens the whole profile, and a PDF of it.',
  );
});
