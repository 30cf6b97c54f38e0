import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { backgroundProfile } from '../support/background-profile.ts';
import { everySectionPath, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openVisitor, textOf } from '../support/pages.ts';

/** Opens the page of a profile with a token. */
async function openProfile(t: TestContext, profile: string) {
  const PROFILE = join(newFolder(t), 'profile.yaml');
  writeFileSync(PROFILE, profile);
  const service = await openTestService({ PROFILE });
  t.after(service.close);
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
      'Education Técnico Lisboa, MSc, Computing 2005 – Jul 2010 Compilers Open University Sep 2024 – present',
      'Certifications Diver, Sea School May 2016 Languages Portuguese (native), French Interests Kites ',
    ].join(' '),
  );
  assert.match(page, /<a href="https:\/\/letters\.example\/logs" rel="noopener noreferrer">On logs<\/a>/);
  assert.ok(gzipSync(page).byteLength < 20 * 1024);
});

test('the page shows it whether programs can read it or not', async (t) => {
  const { text } = await openProfile(t, backgroundProfile.replace('background: true', 'background: false'));
  assert.match(text, /Education Técnico Lisboa.*Diver.*Portuguese/);
});

test('how to reach the candidate is on the page, unless the owner keeps it off', async (t) => {
  const shown = await openProfile(t, backgroundProfile);
  assert.match(shown.page, /<a href="mailto:tess@tess\.example">/);
  assert.match(shown.page, /<a href="tel:\+3515550100">/);
  const hidden = await openProfile(
    t,
    backgroundProfile.replace('resume:\n', 'resume:\n  page_hides: [email, phone]\n'),
  );
  assert.doesNotMatch(hidden.page, /tess@tess|555 0100/);
});

test('texts of the background are escaped, and what does not show is made visible', async (t) => {
  const { page } = await openProfile(
    t,
    backgroundProfile
      .replace('title: Talks', 'title: "<b>T</b>\\u202e"')
      .replace('One more in Porto', '<script>x</script>'),
  );
  assert.match(page, /<h2 id="section-1"><bdi>&lt;b&gt;T&lt;\/b&gt;\\u\{202e\}<\/bdi><\/h2>/);
  assert.match(page, /<li dir="auto">&lt;script&gt;x&lt;\/script&gt;<\/li>/);
});

test('the page of a profile with every section is below 20 KiB compressed', async (t) => {
  const service = await openTestService({ PROFILE: everySectionPath });
  t.after(service.close);
  const page = await (await openVisitor(service).post('/profile', { token: service.token })).text();
  assert.match(page, /Nora Lindqvist/);
  assert.ok(gzipSync(page).byteLength < 20 * 1024);
});
