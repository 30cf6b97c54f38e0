import { html } from 'hono/html';
import { toMonthAndYear } from '../../../model/dates.ts';
import { pluralize } from '../../../model/pluralize.ts';
import type { Availability, Candidate, Experience, Project } from '../../../model/profile.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { capitalize } from '../capitalize.ts';
import { directionOf } from '../direction.ts';
import type { Html } from '../page.ts';

/** What a visitor with access reads. */
export interface ShownProfile {
  readonly candidate: Candidate;
  readonly availability: Availability;
  readonly experience: readonly Experience[];
  readonly projects: readonly Project[];
  readonly skills: readonly string[];
}

/** The profile as a document, below the name and title. */
export const resumeOf = ({ candidate, availability, experience, projects, skills }: ShownProfile): Html =>
  html`<div class="resume" dir="${directionOf(candidate.summary)}">
<p class="summary" dir="auto">${toVisible(candidate.summary)}</p>
<p class="soft"><bdi>${toVisible(candidate.location)}</bdi> · <bdi>${pluralize(candidate.years_experience, 'year')} of experience</bdi><br>
<span class="unseen">Availability: </span><bdi>${capitalize(toVisible(availability.status))}</bdi></p>
${section('Experience', experience.map(toCompany))}
${section('Projects', projects.map(toProject))}
${listing('Skills', skills)}
${listing('Domains', candidate.domains)}
</div>`;

const section = (title: string, entries: readonly Html[]): Html =>
  entries.length === 0
    ? html``
    : html`<section aria-labelledby="${title.toLowerCase()}">
<h2 id="${title.toLowerCase()}">${title}</h2>
${entries}
</section>`;

const listing = (title: string, items: readonly string[]): Html =>
  section(
    title,
    items.length === 0
      ? []
      : [html`<ul class="line">${items.map((item) => html`<li><bdi>${toVisible(item)}</bdi></li>`)}</ul>`],
  );

/** An entry with one role is one heading, so that nothing is said twice. */
function toCompany(entry: Experience): Html {
  const [only, ...others] = entry.roles;
  const isOneRole = only !== undefined && others.length === 0;
  const end = entry.company_end_date ?? null;
  return html`<article>
<header>
<h3 dir="auto">${isOneRole ? html`${toVisible(only.title)}, <span class="company">${toVisible(entry.company)}</span>` : html`<span class="company">${toVisible(entry.company)}</span>`}</h3>
${datesOf(entry.company_start_date, end)}
</header>
<p class="soft" dir="auto">${toVisible(entry.summary)}</p>
${
  isOneRole
    ? accomplishmentsOf(only.accomplishments)
    : entry.roles.map(
        (role) => html`<div class="role">
<header><h4 dir="auto">${toVisible(role.title)}</h4>${datesOf(role.start_date, role.end_date ?? null)}</header>
${accomplishmentsOf(role.accomplishments)}
</div>`,
      )
}
</article>`;
}

const accomplishmentsOf = (accomplishments: readonly string[]): Html =>
  accomplishments.length === 0
    ? html``
    : html`<ul>${accomplishments.map((text) => html`<li dir="auto">${toVisible(text)}</li>`)}</ul>`;

const datesOf = (start: string, end: string | null): Html =>
  html`<p class="dates" dir="ltr"><time datetime="${start}">${toMonthAndYear(start)}</time> – ${
    end === null ? 'now' : html`<time datetime="${end}">${toMonthAndYear(end)}</time>`
  }</p>`;

const linkNames = { live: 'Live', github: 'Source', details: 'Details' } as const;

const toProject = ({ name, summary, tags = [], links }: Project): Html => html`<article>
<header><h3 dir="auto">${toVisible(name)}</h3></header>
<p dir="auto">${toVisible(summary)}</p>
${tags.length === 0 ? '' : html`<p class="soft small" dir="auto">${toVisible(tags.join(', '))}</p>`}
${Object.values(links).some(Boolean) ? html`<p class="small links">${(['live', 'github', 'details'] as const).flatMap((kind) => (links[kind] === undefined ? [] : [linkOf(linkNames[kind], links[kind])]))}</p>` : ''}
</article>`;

/** A link that shows its host; that host gets no Referer. */
const linkOf = (label: string, url: string): Html =>
  html`<a href="${url}" rel="noopener noreferrer">${label}: ${toVisible(new URL(url).host.replace(/^www\./, ''))}</a> `;
