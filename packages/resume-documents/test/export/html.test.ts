import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import { toHtml } from 'resume-documents/html';
import { small, whole } from './profiles.ts';

test('HTML is one page in the language of the resume, with a title, headings in order and no script', async () => {
  const page = await toHtml({ ...whole, resume: { ...whole.resume, language: 'ar' } });
  assert.match(page, /^<!doctype html>\n<html lang="ar" dir="rtl">\n<head>\n<meta charset="utf-8">/);
  assert.match(page, /<title>Nora Lindqvist – [^<]+<\/title>/);
  assert.doesNotMatch(page.replace('<script type="application/ld+json">', ''), /<script|<link|<img|url\(/);
  const levels = [...(await toHtml(whole)).matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
  assert.equal(levels[0], 1);
  for (const [index, level] of levels.entries())
    assert.ok(index === 0 || (level > 1 && level <= levels[index - 1]! + 1));
});

test('an entry in HTML has its title, what stands beside it, its dates and its content', async () => {
  const page = await toHtml(whole);
  assert.ok(
    page.includes(`<section>
<header><h3>Research Assistant<span>, River Institute · Delft, Netherlands</span></h3><p>Sep 2014 – Mar 2019</p></header>
<ul>
<li>Measured sediment in nine rivers</li>
</ul>
</section>`),
  );
  assert.ok(page.includes('<p><strong>Field work:</strong> Gauging, Surveying</p>'));
  assert.ok(
    page.includes(
      '<p><a href="https://www.linkedin.com/in/nora-example" class="labelled">LinkedIn</a> · <a href="https://nora.example"><bdi>nora.example</bdi></a></p>',
    ),
  );
});

test('texts and addresses cannot break out of the HTML', async () => {
  const evil = `</title><script>alert(1)</script>"'&amp;`;
  const shown = '&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;';
  const links = [{ label: evil, url: `https://example.org/?a=1&b='` }];
  const page = await toHtml({
    ...small,
    candidate: { ...small.candidate, name: evil },
    resume: { skills: [evil], links },
  });
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.match(page, /<script type="application\/ld\+json">[^<]*<\/script>/);
  assert.ok(page.includes(`<title>${shown} – Resume</title>`) && page.includes(`<h1>${shown}</h1>`));
  assert.ok(page.includes(`<a href="https://example.org/?a=1&amp;b=&#39;" class="labelled">${shown}</a>`));
  assert.equal(parseDocument(page).children.length, 4);
});

test('HTML without a language runs in the direction of its texts, and addresses end without slashes', async () => {
  const page = await toHtml({
    ...small,
    candidate: { ...small.candidate, summary: 'مهندسة برمجيات' },
    resume: { skills: [], links: [{ url: 'https://www.example.org//' }] },
  });
  assert.match(page, /<html lang="en" dir="rtl">/);
  assert.ok(page.includes('<a href="https://www.example.org//"><bdi>example.org</bdi></a>'));
});

test('programs read no marks in the HTML, and no skills that it does not show', async () => {
  const page = await toHtml({
    ...small,
    candidate: { ...small.candidate, summary: 'Builds **fast** [indexes](https://example.org).' },
    resume: { skills: ['Cobol'], skill_groups: [{ name: 'Languages', skills: ['Rust'] }] },
  });
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)!;
  const { description, knowsAbout } = JSON.parse(data!).mainEntity;
  assert.deepEqual({ description, knowsAbout }, { description: 'Builds fast indexes.', knowsAbout: ['Rust'] });
});

test('a link in a text of HTML is one link, whatever marks are in it', async () => {
  const summary = 'See [the *whole* **story**](https://example.org/a) and [more](https://example.org/b).';
  const page = await toHtml({ ...small, candidate: { ...small.candidate, summary } });
  assert.ok(
    page.includes(
      '<p>See <a href="https://example.org/a" class="labelled">the <em>whole</em> <strong>story</strong></a> and <a href="https://example.org/b" class="labelled">more</a>.</p>',
    ),
  );
});

test('an entry of HTML without a name and dates has no head', async () => {
  const references = { print: true, entries: [{ reference: 'Thorough.' }] };
  const page = await toHtml({ ...small, resume: { skills: [], references } });
  assert.ok(page.includes('<section>\n<p>Thorough.</p>\n</section>'));
});

test('HTML has no control characters', async () => {
  const page = await toHtml({ ...small, candidate: { ...small.candidate, name: 'Nora\0\u001b[31m\u009b31m' } });
  assert.match(page, /<h1>Nora {2}\[31m 31m<\/h1>/);
});

test('programs read what is on the page as a ProfilePage of schema.org; address and phone are links', async () => {
  const page = await toHtml({ ...whole, owner_email: 'owner@secret.example' });
  assert.ok(page.includes('<a href="mailto:nora@nora.example"><bdi>nora@nora.example</bdi></a>'));
  assert.ok(page.includes('<a href="tel:+4618000000"><bdi>+46 18 000 000</bdi></a>'));
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)!;
  assert.deepEqual(JSON.parse(data!), {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    inLanguage: 'en',
    mainEntity: {
      '@type': 'Person',
      name: 'Nora Lindqvist',
      jobTitle: 'Hydrologist',
      description: 'Models how rivers flood, and tells towns in time.',
      homeLocation: { '@type': 'Place', name: 'Uppsala, Sweden' },
      email: 'nora@nora.example',
      telephone: '+46 18 000 000',
      sameAs: ['https://www.linkedin.com/in/nora-example', 'https://nora.example'],
      worksFor: [{ '@type': 'Organization', name: 'Watergauge', url: 'https://watergauge.example' }],
      alumniOf: [
        { '@type': 'EducationalOrganization', name: 'Uppsala University', url: 'https://uu.example' },
        { '@type': 'EducationalOrganization', name: 'Delft Summer School' },
      ],
      knowsAbout: ['HEC-RAS', 'Python', 'Gauging', 'Surveying'],
      knowsLanguage: ['Swedish', 'Dutch'],
      award: ['Young Hydrologist of the Year'],
    },
  });
  const texts = new Set<string>();
  JSON.parse(data!, (key, value) =>
    typeof value === 'string' && !/^@|^inLanguage$/.test(key) ? texts.add(value) : value,
  );
  const shown = page.slice(page.indexOf('<main>'));
  for (const text of texts) assert.ok(shown.includes(text) || shown.includes(text.replace(/^https:\/\//, '')), text);
});
