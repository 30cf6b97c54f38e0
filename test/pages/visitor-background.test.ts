import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
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

test('the page shows the background after skills, with what is known of each entry', async (t) => {
  const { page, text } = await openProfile(t, backgroundProfile);
  const shown = text.slice(text.indexOf('Skills'), text.indexOf('Write to'));
  assert.equal(
    shown.replaceAll(/\s+/g, ' ').trim(),
    [
      'Skills Go SQL Domains Storage Streaming',
      'Education Técnico Lisboa, MSc, Computing 2005 – Jul 2010 Compilers Open University Sep 2024 – now',
      'Certifications Diver, Sea School May 2016 Languages Portuguese (native) French',
      'Publications On logs, Storage Letters 2019 T. Example, A. Other Why they end. letters.example',
      'Awards Best log, Log Society Volunteering Host, Repair Café 2020 Mended radios',
      'Talks Logs at sea, Boat Conf Jun 2023 Faro One more in Porto Both are on video.',
    ].join(' '),
  );
  assert.match(page, /<a href="https:\/\/letters\.example\/logs" rel="noopener noreferrer">letters\.example<\/a>/);
  assert.doesNotMatch(page, /Rui Reference|Kites|tess@tess|555 0100|Patents/);
  assert.ok(gzipSync(page).byteLength < 20 * 1024);
});

test('the page shows none of it unless the profile offers it', async (t) => {
  const { text } = await openProfile(t, backgroundProfile.replace('background: true', 'background: false'));
  assert.match(text, /Skills\s+Go\s+SQL/);
  assert.doesNotMatch(text, /Education|Diver|Portuguese|Talks/);
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

test('what is printed only is not on the page: places and roles, highlights and dates of projects, interests', async (t) => {
  const { page } = await openProfile(t, readFileSync(everySectionPath, 'utf8'));
  assert.match(page, /Floodmap.*Watergauge|Watergauge.*Floodmap/s);
  assert.doesNotMatch(
    page,
    /Maintainer|Used by six towns|May 2020|Stockholm|Delft, N|watergauge\.example|Canoeing|Anna Bos/,
  );
});
