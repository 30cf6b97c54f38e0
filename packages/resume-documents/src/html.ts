import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Profile } from 'resume-profile/profile-document';
import { type Run, toLinks, withoutMarks } from 'resume-profile/prose';
import { skillsIn } from 'resume-profile/resume-document';
import { type Bullet, type Flow, type Span, toFlow } from './flow.ts';
import { bareOf, contactUrlOf } from './outline/entry.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Writes a profile as one HTML page, with its style sheet and its data for programs inside, and without scripts. */
export async function toHtml(profile: Profile): Promise<string> {
  const { language, direction, words, heading, beside, blocks } = toFlow(profile);
  const data = JSON.stringify(toProfilePage(profile, language)).replaceAll('<', '\\u003c');
  const page = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} – ${words.resume}</title>
<script type="application/ld+json">${raw(data)}</script>
<style>
${raw(style)}</style>
</head>
<body>
<main>
${toHeading(1, heading, beside)}
${blocks.map((block) => toElement(block, 2))}
</main>
</body>
</html>
`;
  // HTML allows no control characters, and a terminal would execute them.
  return String(await page).replace(/(?!\n)\p{Cc}/gu, ' ');
}

/** Returns a profile as a schema.org ProfilePage, for programs that read pages. It has nothing that the page does not show. */
function toProfilePage({ candidate, resume, experience }: Profile, language: string) {
  const { email, phone, links = [], skill_groups, education = [], languages = [], awards = [] } = resume;
  const jobs = experience.filter(({ current, company }) => current && company !== '');
  const schools = education.flatMap(({ institution, url }) => (institution === undefined ? [] : { institution, url }));
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    inLanguage: language,
    mainEntity: filled({
      '@type': 'Person',
      name: candidate.name,
      jobTitle: candidate.title,
      description: withoutMarks(candidate.summary),
      homeLocation: candidate.location && { '@type': 'Place', name: candidate.location },
      email,
      telephone: phone,
      sameAs: links.map(({ url }) => url),
      worksFor: jobs.map(({ company: name, url }) => filled({ '@type': 'Organization', name, url })),
      alumniOf: schools.map(({ institution: name, url }) => filled({ '@type': 'EducationalOrganization', name, url })),
      knowsAbout: skill_groups === undefined ? resume.skills : skillsIn(skill_groups),
      knowsLanguage: languages.map(({ language }) => language),
      award: awards.map(({ title }) => title),
    }),
  };
}

/** The properties of an object that are not empty. */
const filled = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value && !(Array.isArray(value) && value.length === 0)),
  );

/** A span with a link to write to an e-mail address or to call a phone. */
function withContactLink(span: Span): Span {
  const url = contactUrlOf(span);
  return url === undefined ? span : { ...span, url };
}

function toElement(block: Flow, level: number): Html {
  if ('spans' in block) {
    const { separator } = block;
    const spans = block.spans.map(withContactLink);
    const texts = separator === '' ? [spans] : spans.map((span) => [span]);
    return html`<p>${texts.map((runs, index) => [index > 0 ? separator : '', toInlines(runs)])}</p>\n`;
  }
  if ('bullets' in block) return toList(block.bullets);
  const { heading, beside, dates, blocks } = block;
  const head = [heading && toHeading(level, heading, beside), dates && html`<p>${dates}</p>`];
  return html`<section>
${head.some((part) => part !== '') ? html`<header>${head}</header>\n` : ''}${blocks.map((inner) => toElement(inner, heading === '' ? level : level + 1))}</section>
`;
}

const toList = (bullets: readonly Bullet[]): Html =>
  bullets.length === 0
    ? html``
    : html`<ul>\n${bullets.map(
        ({ lines, bullets }) =>
          html`<li>${lines.map((line, index) => [index > 0 ? html`<br>` : '', toInlines(line)])}${bullets.length === 0 ? '' : html`\n${toList(bullets)}`}</li>\n`,
      )}</ul>\n`;

function toHeading(level: number, name: string, beside: string): Html {
  const tag = raw(`h${level}`);
  return html`<${tag}>${name}${beside === '' ? '' : html`<span>${beside}</span>`}</${tag}>`;
}

const toInlines = (runs: readonly Run[]) =>
  toLinks(runs).map(({ url, runs }) => (url === undefined ? runs.map(toMarked) : toLink(url, runs)));

function toLink(url: string, runs: readonly Run[]): Html {
  const text = runs.map(toMarked);
  const written = runs.map((run) => run.text).join('');
  if (written === url) return html`<a href="${url}"><bdi>${bareOf(url)}</bdi></a>`;
  return url === `mailto:${written}` || url.startsWith('tel:')
    ? html`<a href="${url}"><bdi>${text}</bdi></a>`
    : html`<a href="${url}" class="labelled">${text}</a>`;
}

function toMarked({ text, isCode, isEmphasis, isStrong }: Run): Html | string {
  const own = isCode ? html`<code dir="auto">${text}</code>` : text;
  const emphasized = isEmphasis ? html`<em>${own}</em>` : own;
  return isStrong ? html`<strong>${emphasized}</strong>` : emphasized;
}

const style = `:root { color-scheme: light dark; --quiet: light-dark(#595959, #b0b0b0); --accent: light-dark(#0b5c6b, #7cc7d4); }
body { margin: 0; background: light-dark(#fff, #16181a); color: light-dark(#1c1c1c, #ececec); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 2.25rem; }
h2 { font-size: 1.25rem; color: var(--accent); margin-top: 1.75rem; border-bottom: 1px solid; width: 100%; }
h3, h4 { font-size: 1rem; }
h3 span, h4 span { font-weight: normal; }
p, ul { margin: 0.25rem 0; }
h1, h2, h3, h4, li, main > p, section > p { unicode-bidi: plaintext; }
[dir="rtl"] { text-align: right; }
ul { padding-inline-start: 1.25rem; }
a { color: var(--accent); }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; column-gap: 1.5rem; }
header p { margin: 0; color: var(--quiet); }
section section { margin-top: 0.75rem; }
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  header { break-after: avoid; }
  li, p { break-inside: avoid; }
  a { text-decoration: none; }
  a.labelled::after { content: " (" attr(href) ")"; }
}
`;
