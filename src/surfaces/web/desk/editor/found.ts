import { html } from 'hono/html';
import { totalOf } from 'resume-import/report/loss-report';
import { pluralize, toVisible } from 'resume-profile/text';
import { capitalize } from '../../format.ts';
import { type Html, table } from '../../page.ts';
import type { Imported } from './findings.ts';

/** Returns what was read of a file, and what was left out or is in the notes, by section. */
export function found({ name, account: { format, sections } }: Imported): Html {
  const { values, kept } = totalOf(sections);
  const share = kept === values ? `All ${pluralize(values, 'value')}` : `${kept} of the ${pluralize(values, 'value')}`;
  const names = new Set(sections.map(({ section }) => section.replace(/:.*/, '')));
  const rows = sections.flatMap(({ section, losses, notes }) => {
    const lines = [...losses.map((loss) => `Left out: ${loss}`), ...notes.map((note) => `In your notes: ${note}`)];
    return lines.length === 0 ? [] : [[capitalize(section), list(lines)]];
  });
  return html`<h2><bdi>${toVisible(name)}</bdi></h2>
<p>Read as ${format}. ${share} of the file are in it: ${toVisible([...names].join(', '))}. Nothing was added that the file does not say, but for what the editor marks.</p>
${rows.length === 0 ? '' : html`<div class="found">${table(['Section', 'To look at'], rows)}</div>`}`;
}

const maxListed = 5;

const list = (lines: readonly string[]): Html =>
  html`<ul class="unmarked">${lines.slice(0, maxListed).map((line) => html`<li>${toVisible(line)}</li>`)}${
    lines.length > maxListed ? html`<li>and ${lines.length - maxListed} more</li>` : ''
  }</ul>`;
