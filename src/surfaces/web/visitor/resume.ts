import { html, raw } from 'hono/html';
import { given } from '../../../formats/given.ts';
import { toOutline } from '../../../formats/outline/outline.ts';
import { type Block, type Item, type Line, type List, type Part, worded } from '../../../formats/outline/part.ts';
import type { Background } from '../../../model/profile/background.ts';
import type { Availability, Candidate, Experience, Project } from '../../../model/profile/profile.ts';
import { wordsOf } from '../../../model/profile/resume-language.ts';
import { directionOf, toVisible } from '../../../model/text.ts';
import { capitalize } from '../format.ts';
import type { Html } from '../page.ts';

/** The profile as a visitor with access reads it, without the fields that are printed only. */
export interface ShownProfile {
  readonly candidate: Candidate;
  readonly availability: Availability;
  readonly experience: readonly Experience[];
  readonly projects: readonly Project[];
  readonly skills: string[];
  /** Empty unless the profile offers it. */
  readonly background: Background;
}

/** The profile as a document, below the name and title. */
export function resumeOf({ skills, background, ...shown }: ShownProfile): Html {
  const { candidate } = shown;
  const { blocks, sections } = toOutline(
    { ...shown, resume: { skills, ...background } },
    { ...wordsOf(), present: 'now' },
  );
  const own = sections.filter(({ key }) => key === undefined);
  return html`<div class="resume" dir="${directionOf(candidate.summary || candidate.name)}">
${candidate.summary === '' ? '' : html`<p class="summary" dir="auto">${toVisible(candidate.summary)}</p>`}
${factsOf(blocks.flatMap(({ key, items }) => (key === 'headline' ? [] : items)))}
${sections.flatMap((section) => {
  const [title] = section.names;
  if (title === undefined) return [];
  const id = section.key === undefined ? `section-${own.indexOf(section) + 1}` : title.text.toLowerCase();
  return html`<section aria-labelledby="${id}">
<h2 id="${id}"><bdi>${toVisible(title.text)}</bdi></h2>
${section.blocks.map(toContent)}
</section>`;
})}
</div>`;
}

/** Where the candidate is, how long they have worked and whether they can be approached, as far as that is known. */
function factsOf(facts: readonly Item[]): Html {
  const isStatus = ({ kind }: Item) => kind === 'availability';
  const known = facts.filter((fact) => !isStatus(fact)).map(({ text }) => html`<bdi>${toVisible(text)}</bdi>`);
  const status = facts
    .filter(isStatus)
    .map(({ text }) => html`<span class="unseen">Availability: </span><bdi>${capitalize(toVisible(text))}</bdi>`);
  const lines = [known, status].filter((line) => line.length > 0).map((line) => joined(line, ' · '));
  return lines.length === 0 ? html`` : html`<p class="soft">${joined(lines, html`<br>\n`)}</p>`;
}

function toContent(block: Block): Html {
  if ('names' in block) return toEntry(block);
  if ('bullets' in block) return html`<article class="brief">${toParagraph(block)}</article>`;
  return html`<ul class="line">${block.items.map((item) => html`<li><bdi>${toVisible(worded(item))}</bdi></li>`)}</ul>`;
}

function toEntry(part: Part): Html {
  const { names, place, blocks, isLine } = part;
  const isFact = (block: Block): block is Line =>
    'items' in block && (block.key === 'score' || block.key === 'authors');
  const facts = blocks.filter(isFact).map(({ items }) => items.map(({ text }) => text).join(', '));
  const stated = [...given(place), ...facts].join(' · ');
  const content = blocks.filter((block) => !isFact(block));
  const isBrief = stated === '' && content.every((block) => isLine && 'items' in block && block.key !== 'links');
  // No level of headings is left out if the entry has no name.
  const roleTag = names.length === 0 ? 'h3' : 'h4';
  return html`<article${isBrief ? html` class="brief"` : ''}>
${headOf(part, 'h3')}
${stated === '' ? '' : html`<p class="soft" dir="auto">${toVisible(stated)}</p>`}
${content.map((block) => ('names' in block ? toRole(block, roleTag) : toParagraph(block)))}
</article>`;
}

const toRole = (role: Part, tag: string): Html => html`<div class="role">
${headOf(role, tag)}
${role.blocks.map((block) => ('names' in block ? '' : toParagraph(block)))}
</div>`;

function headOf({ names, dates }: Part, tag: string): Html {
  if (names.length + dates.length === 0) return html``;
  const shown = names.map(({ text, kind }, index) =>
    index === 0 && kind !== 'company'
      ? html`${toVisible(text)}`
      : html`<span class="company">${toVisible(text)}</span>`,
  );
  const times = dates.map(({ date, text }) =>
    date === null ? html`${text}` : html`<time datetime="${date}">${text}</time>`,
  );
  return html`<header>
${names.length === 0 ? '' : html`<${raw(tag)} dir="auto">${joined(shown, ', ')}</${raw(tag)}>`}
${dates.length === 0 ? '' : html`<p class="dates" dir="ltr">${joined(times, ' – ')}</p>`}
</header>`;
}

const classes: Partial<Record<NonNullable<Line['key']>, string>> = { company: 'soft', tags: 'soft small' };

function toParagraph(block: Line | List): Html {
  if ('bullets' in block)
    return html`<ul>${block.bullets.map((bullet) => html`<li dir="auto">${toVisible(bullet)}</li>`)}</ul>`;
  const { key, items } = block;
  if (key === 'links') return html`<p class="small links">${items.map(linkOf)}</p>`;
  const name = key && classes[key];
  return html`<p${name ? html` class="${name}"` : ''} dir="auto">${toVisible(items.map(({ text }) => text).join(', '))}</p>`;
}

const labels: Partial<Record<NonNullable<Item['kind']>, string>> = {
  live: 'Live: ',
  github: 'Source: ',
  details: 'Details: ',
};

/** A link that shows its host, after its kind if that is known; the host gets no Referer. */
const linkOf = ({ text: url, kind }: Item): Html =>
  html`<a href="${url}" rel="noopener noreferrer">${kind ? labels[kind] : ''}${toVisible(new URL(url).host.replace(/^www\./, ''))}</a> `;

/** Parts with a separator between them. */
const joined = (parts: readonly Html[], separator: Html | string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
