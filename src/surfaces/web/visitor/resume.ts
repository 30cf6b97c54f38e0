import { html } from 'hono/html';
import { given } from '../../../formats/given.ts';
import { directionOf } from '../../../model/direction.ts';
import { pluralize } from '../../../model/pluralize.ts';
import type { Background } from '../../../model/profile/background.ts';
import { soleRoleOf } from '../../../model/profile/entry-heads.ts';
import type { Availability, Candidate, Experience, Project } from '../../../model/profile/profile.ts';
import { toVisible } from '../../../model/visible-text.ts';
import { capitalize } from '../format.ts';
import type { Html } from '../page.ts';
import { backgroundOf } from './background.ts';
import { bulletsOf, datesOf, joined, linkOf, listing, paragraph, section } from './section.ts';

/** What a visitor with access reads. */
export interface ShownProfile {
  readonly candidate: Candidate;
  readonly availability: Availability;
  readonly experience: readonly Experience[];
  readonly projects: readonly Project[];
  readonly skills: readonly string[];
  /** Empty unless the profile offers it. */
  readonly background: Background;
}

/** The profile as a document, below the name and title. */
export const resumeOf = ({ candidate, availability, experience, projects, skills, background }: ShownProfile): Html =>
  html`<div class="resume" dir="${directionOf(candidate.summary || candidate.name)}">
${paragraph('summary', candidate.summary)}
${factsOf(candidate, availability.status)}
${section('Experience', experience.map(toCompany))}
${section('Projects', projects.map(toProject))}
${listing('Skills', skills)}
${listing('Domains', candidate.domains)}
${backgroundOf(background)}
</div>`;

/** Where the candidate is, how long they have worked and whether they can be approached, as far as that is known. */
function factsOf({ location, years_experience: years }: Candidate, status: string): Html {
  const facts = [
    ...(location === '' ? [] : [html`<bdi>${toVisible(location)}</bdi>`]),
    ...(years === 0 ? [] : [html`<bdi>${pluralize(years, 'year')} of experience</bdi>`]),
  ];
  const availability = html`<span class="unseen">Availability: </span><bdi>${capitalize(toVisible(status))}</bdi>`;
  const lines = [...(facts.length === 0 ? [] : [joined(facts, ' · ')]), ...(status === '' ? [] : [availability])];
  return lines.length === 0 ? html`` : html`<p class="soft">${joined(lines, html`<br>\n`)}</p>`;
}

/** A job with one role for all its time is one heading, so that nothing is said twice. */
function toCompany(entry: Experience): Html {
  const sole = soleRoleOf(entry);
  const names = [
    ...given(sole?.title).map((title) => html`${toVisible(title)}`),
    ...given(entry.company).map((company) => html`<span class="company">${toVisible(company)}</span>`),
  ];
  // No level of headings is left out if the company has no name.
  const headingOf = (title: string) =>
    entry.company === ''
      ? html`<h3 dir="auto">${toVisible(title)}</h3>`
      : html`<h4 dir="auto">${toVisible(title)}</h4>`;
  return html`<article>
<header>
${names.length === 0 ? '' : html`<h3 dir="auto">${joined(names, ', ')}</h3>`}
${datesOf(entry.company_start_date, entry.company_end_date ?? null)}
</header>
${paragraph('soft', entry.summary)}
${
  sole
    ? bulletsOf(sole.accomplishments)
    : entry.roles.map(
        (role) => html`<div class="role">
<header>${given(role.title).map(headingOf)}${datesOf(role.start_date, role.end_date ?? null)}</header>
${bulletsOf(role.accomplishments)}
</div>`,
      )
}
</article>`;
}

const linkNames = { live: 'Live', github: 'Source', details: 'Details' } as const;

const toProject = ({ name, summary, tags = [], links }: Project): Html => html`<article>
${name === '' ? '' : html`<header><h3 dir="auto">${toVisible(name)}</h3></header>`}
${summary === '' ? '' : html`<p dir="auto">${toVisible(summary)}</p>`}
${tags.length === 0 ? '' : html`<p class="soft small" dir="auto">${toVisible(tags.join(', '))}</p>`}
${Object.values(links).some(Boolean) ? html`<p class="small links">${(['live', 'github', 'details'] as const).flatMap((kind) => (links[kind] === undefined ? [] : [linkOf(links[kind], linkNames[kind])]))}</p>` : ''}
</article>`;
