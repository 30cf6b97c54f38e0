import { html } from 'hono/html';
import { given } from '../../../formats/given.ts';
import type { Background } from '../../../model/profile/background.ts';
import { entryNamesOf } from '../../../model/profile/entry-heads.ts';
import { toVisible } from '../../../model/visible-text.ts';
import type { Html } from '../page.ts';
import { bulletsOf, datesOf, joined, linkOf, listing, paragraph, section } from './section.ts';

/** The sections of a resume after jobs, projects and skills; those without entries are not shown. */
export const backgroundOf = (background: Background): readonly Html[] => [
  section(
    'Education',
    (background.education ?? []).map((school) =>
      toEntry(entryNamesOf('education', school), { ...school, highlights: school.details }, [school.score]),
    ),
  ),
  section(
    'Certifications',
    (background.certifications ?? []).map((entry) => toEntry(entryNamesOf('certifications', entry), entry)),
  ),
  listing(
    'Languages',
    (background.languages ?? []).map(({ language, fluency }) =>
      fluency === undefined ? language : `${language} (${fluency})`,
    ),
  ),
  section(
    'Publications',
    (background.publications ?? []).map((work) =>
      toEntry(entryNamesOf('publications', work), work, [work.authors?.join(', ')]),
    ),
  ),
  section(
    'Awards',
    (background.awards ?? []).map((entry) => toEntry(entryNamesOf('awards', entry), entry)),
  ),
  section(
    'Volunteering',
    (background.volunteer ?? []).map((work) => toEntry(entryNamesOf('volunteer', work), work)),
  ),
  ...(background.sections ?? []).map(({ title, entries }, index) =>
    section(title, toSectionEntries(entries), `section-${index + 1}`),
  ),
];

/** What entries of several kinds show below their names. */
interface Entry {
  readonly location?: string | undefined;
  readonly date?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | null | undefined;
  readonly url?: string | undefined;
  readonly summary?: string | undefined;
  readonly highlights?: readonly string[] | undefined;
}

type Texts = readonly (string | undefined)[];

/** An entry under its names; `facts` follow the place. */
function toEntry(names: Texts, entry: Entry, facts: Texts = []): Html {
  const { location, date, start_date, end_date, url, summary = '', highlights = [] } = entry;
  const heading = given(...names).map((name, index) =>
    index === 0 ? html`${toVisible(name)}` : html`<span class="company">${toVisible(name)}</span>`,
  );
  const stated = given(location, ...facts).join(' · ');
  const isBrief = stated + summary === '' && highlights.length === 0 && url === undefined;
  return html`<article${isBrief ? html` class="brief"` : ''}>
<header><h3 dir="auto">${joined(heading, ', ')}</h3>${datesOf(start_date ?? date, end_date)}</header>
${paragraph('soft', stated)}
${summary === '' ? '' : html`<p dir="auto">${toVisible(summary)}</p>`}
${bulletsOf(highlights)}
${given(url).map((address) => html`<p class="small links">${linkOf(address)}</p>`)}
</article>`;
}

type SectionEntry = NonNullable<Background['sections']>[number]['entries'][number];

/** Bullets that follow each other are one list. */
function toSectionEntries(entries: readonly SectionEntry[]): Html[] {
  const shown: Html[] = [];
  let bullets: string[] = [];
  const showBullets = () => {
    if (bullets.length > 0) shown.push(brief(bulletsOf(bullets)));
    bullets = [];
  };
  for (const entry of entries) {
    const { text, bullet, name } = entry;
    if (text !== undefined || name !== undefined) showBullets();
    if (text !== undefined) shown.push(brief(html`<p dir="auto">${toVisible(text)}</p>`));
    if (name !== undefined) shown.push(toEntry(entryNamesOf('sections', entry), entry));
    if (bullet !== undefined) bullets.push(bullet);
  }
  showBullets();
  return shown;
}

const brief = (content: Html): Html => html`<article class="brief">${content}</article>`;
