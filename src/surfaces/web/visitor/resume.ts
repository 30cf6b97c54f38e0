import { html, raw } from 'hono/html';
import { bareOf, contactUrlOf, readable, toEntry } from 'resume-documents/outline/entry';
import type { Outline } from 'resume-documents/outline/outline';
import { type Block, type Item, type Line, type Part, type Text, worded } from 'resume-documents/outline/part';
import type { Section } from 'resume-documents/outline/section';
import { type Paragraph, type Prose, type Run, toLinks } from 'resume-profile/prose';
import type { SectionKey } from 'resume-profile/resume-section';
import { directionOf, toVisible } from 'resume-profile/text';
import { type Html, joined } from '../page.ts';

/** The sections for looking something up, which are beside the sections for reading. */
const lookedUp: ReadonlySet<unknown> = new Set<SectionKey | 'domains'>([
  'skills',
  'domains',
  'education',
  'certifications',
  'languages',
  'interests',
]);

/**
 * Sets the sections of an outline, everything that the PDF shows below its head, in the owner's order; `formLines` is the height
 * of the content below the facts, in lines.
 */
export function columnsOf({ sections, words }: Outline, formLines: number) {
  // Several sections may have the same key.
  const own = sections.filter(
    ({ key }, index) => key === undefined || sections.findIndex((it) => it.key === key) < index,
  );
  const toSection = (section: Section): Html => {
    const [title] = section.names;
    const content = section.blocks.map((block) => toContent(block, words.comma));
    if (title === undefined) return html`<div class="summary">${content}</div>`;
    const id = own.includes(section) ? `section-${own.indexOf(section) + 1}` : section.key;
    return html`<section aria-labelledby="${id}">
<h2 id="${id}"><bdi>${toVisible(title.text)}</bdi></h2>
${content}
</section>`;
  };
  const [story, facts] = [false, true].map((isFact) => sections.filter(({ key }) => lookedUp.has(key) === isFact));
  const storyLines = linesOf(story!, 75);
  return {
    /** The sections for reading. */
    story: html`${story!.map(toSection)}`,
    /** The sections for looking something up. */
    facts: html`${facts!.map(toSection)}`,
    /** Whether to use one column, because two would leave half a page empty. */
    isBrief: storyLines < 16 || linesOf(facts!, 45) + formLines > 1.5 * storyLines,
  };
}

/** Estimates the height of some content, in lines of `length` characters. */
const linesOf = (blocks: readonly Block[], length: number): number =>
  blocks
    .map((block) => {
      if ('names' in block) return 1.5 + linesOf(block.blocks, length);
      const texts = 'bullets' in block ? block.bullets.map(writtenOf) : [textOf(block.items)];
      return texts.map((text) => Math.ceil(text.length / length)).reduce((sum, lines) => sum + lines, 0);
    })
    .reduce((sum, lines) => sum + lines, 0);

type Direction = ReturnType<typeof directionOf>;

const writtenOf = (text: Text): string => (typeof text === 'string' ? text : text.text);

const textOf = (items: readonly Item[]): string => items.map(worded).join(', ');

function toContent(block: Block, comma: string): Html {
  if ('bullets' in block) return toList(block.bullets);
  if ('items' in block) return toLine(block, comma);
  return block.isLine ? toNamedLine(block) : html`<article>${toArticle(block, 3, comma)}</article>`;
}

/** Texts on a line, after a label if there is one; a single text is a paragraph. */
function toLine({ label, items }: Line, comma: string): Html {
  const [first, ...others] = items;
  if (label === undefined && others.length === 0) return toProse(first!.paragraphs ? first! : worded(first!));
  const texts = items.map((item) => html`<bdi>${toVisible(worded(item))}</bdi>`);
  return html`<p>${label === undefined ? '' : html`<strong><bdi>${toVisible(worded(label))}</bdi>:</strong> `}${joined(texts, comma)}</p>`;
}

/** An entry on one line, with its name as the label. */
function toNamedLine({ names, blocks }: Part): Html {
  const lines = blocks.filter((block) => 'items' in block);
  const url = lines.find(({ key }) => key === 'links')?.items[0]?.text;
  const linked = (text: Html | string) => (url === undefined ? text : toLink(url, text));
  const inline = ({ text, paragraphs }: Item) =>
    paragraphs === undefined ? linked(toVisible(text)) : html`${paragraphs.map((it) => toRuns(it, url))}`;
  const texts = lines.filter(({ key }) => key !== 'links').flatMap(({ items }) => items);
  const [label, ...details] = names;
  const shown = [...details, ...texts].map(inline);
  const isAlone = label === undefined && shown.length === 0;
  return html`<p dir="auto">${label === undefined ? '' : html`<strong>${linked(toVisible(label.text))}${details.length > 0 ? ':' : ''}</strong> `}${joined(
    isAlone && url !== undefined ? [linked(toVisible(bareOf(url)))] : shown,
    ' ',
  )}</p>`;
}

/** An entry with its roles. Its names link to its address; other addresses are in its note. */
function toArticle(part: Part, level: number, comma: string): Html {
  const { authors, publisher, dois, paragraphs, bullets, tags, links, roles, ...head } = toEntry(part);
  const by = [
    joined(authors.map(toAuthor), comma),
    ...publisher.map(({ text }) => toLinkable(text)),
    ...dois.map(toBareLink),
  ];
  const words = tags.map((tag) => html`<bdi>${toVisible(tag)}</bdi>`);
  const note = [...(words.length === 0 ? [] : [joined(words, comma)]), ...links.map(toBareLink)];
  const roleLevel = head.names.length === 0 ? level : level + 1;
  return html`${headOf(head, level, comma)}
${authors.length === 0 ? '' : html`<p dir="auto">${joined(by, ' · ')}</p>`}${paragraphs.map(toProse)}
${toList(bullets)}
${note.length === 0 ? '' : html`<p class="small soft note">${joined(note, ' · ')}</p>`}
${roles.map((role) => html`<div class="role">${toArticle(role, roleLevel, comma)}</div>`)}`;
}

const toBareLink = ({ text }: Item): Html => toLink(text, html`<bdi>${toVisible(bareOf(text))}</bdi>`);

function headOf({ names, place, dates }: Pick<Part, 'names' | 'place' | 'dates'>, level: number, comma: string): Html {
  const [first, ...others] = names.map(({ text, url }) => toLinkable(text, url));
  const at = place === undefined ? [] : [html`<span class="place"><bdi>${toVisible(place)}</bdi></span>`];
  const when = dates.map(({ date, text }) =>
    date === null ? html`${text}` : html`<time datetime="${date}">${text}</time>`,
  );
  const tag = raw(`h${level}`);
  const about =
    first === undefined
      ? at.map((it) => html`<p>${it}</p>`)
      : [
          html`<${tag} dir="auto">${first}${
            others.length + at.length === 0
              ? ''
              : html`<span class="beside">${others.map((name) => html`${comma}${name}`)}${at.map((it) => html` · ${it}`)}</span>`
          }</${tag}>`,
        ];
  if (about.length + when.length === 0) return html``;
  // Months in Latin letters keep their order from right to left, too; years follow the page's direction.
  const isWritten = dates.some(({ text }) => /\p{L}/u.test(text));
  return html`<header>
${about}
${when.length === 0 ? '' : html`<p class="dates"${isWritten ? html` dir="auto"` : ''}>${joined(when, ' – ')}</p>`}
</header>`;
}

const toAuthor = ({ text, kind }: Item): Html =>
  kind === 'self' ? html`<strong>${toVisible(text)}</strong>` : html`${toVisible(text)}`;

/** The paragraphs of a text and the bullets below them. */
function toProse(text: Text): Html {
  if (typeof text === 'string' || text.paragraphs === undefined)
    return html`<p dir="auto">${shown(writtenOf(text))}</p>`;
  return html`${text.paragraphs.map(
    (it) => html`${it.runs.length === 0 ? '' : html`<p dir="auto">${toRuns(it)}</p>`}${toBullets(it.bullets)}`,
  )}`;
}

const toList = (bullets: readonly (string | Prose)[]): Html =>
  bullets.length === 0
    ? html``
    : html`<ul>${bullets.map((it) => (typeof it === 'string' ? html`<li dir="auto">${shown(it)}</li>` : toItem(it.paragraphs)))}</ul>`;

const toBullets = (bullets: readonly Paragraph[]): Html =>
  bullets.length === 0 ? html`` : html`<ul>${bullets.map((it) => toItem([it]))}</ul>`;

const toItem = (paragraphs: readonly Paragraph[]): Html =>
  html`<li dir="auto">${joined(
    paragraphs.map((it) => html`${toRuns(it)}${toBullets(it.bullets)}`),
    html`<br>`,
  )}</li>`;

/** The runs of a paragraph, linked to `address` unless they are links themselves. */
function toRuns({ runs }: Paragraph, address?: string): Html {
  const direction = directionOf(runs.map(({ text, isCode }) => (isCode ? '' : text)).join(''));
  return html`${toLinks(runs).map(({ url = address, runs }) => {
    const texts = html`${runs.map((run) => toRun(run, direction))}`;
    return url === undefined ? texts : toLink(url, texts);
  })}`;
}

function toRun({ text, isCode, isEmphasis, isStrong }: Run, direction: Direction): Html {
  // Code has its own direction, which does not affect the surrounding text.
  const own = isCode ? html`<code dir="auto">${toVisible(text)}</code>` : shown(text, direction);
  const emphasized = isEmphasis ? html`<em>${own}</em>` : own;
  return isStrong ? html`<strong>${emphasized}</strong>` : emphasized;
}

const toLinkable = (text: string, url?: string): Html =>
  url === undefined ? html`${toVisible(text)}` : toLink(url, toVisible(text));

/** A link to another site, which gets no Referer. */
const toLink = (url: string, text: Html | string): Html => html`<a href="${url}" rel="noopener noreferrer">${text}</a>`;

/** Returns the candidate's place, addresses, and links with their handles. */
export function contactsOf({ blocks }: Outline): Html {
  const itemsOf = (key: Line['key']) => blocks.filter((line) => line.key === key).flatMap(({ items }) => items);
  const contacts = itemsOf('contacts').map((item) => {
    const shown = html`<bdi>${toVisible(item.text)}</bdi>`;
    const url = contactUrlOf(item);
    return url === undefined ? shown : html`<a href="${url}">${shown}</a>`;
  });
  const links = itemsOf('links').map((link) =>
    toLink(link.url ?? link.text, html`<bdi>${toVisible(readable(link))}</bdi>`),
  );
  const all = [...contacts, ...links];
  return all.length === 0
    ? html``
    : html`<ul class="contacts cluster">${all.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** Keeps the signs at the end of a Latin name, as in C++, in place among right-to-left letters. */
const shown = (text: string, direction: Direction = directionOf(text)): Html =>
  direction === 'ltr'
    ? html`${toVisible(text)}`
    : html`${text
        .split(/((?<!\p{Script=Latin})\p{Script=Latin}+[+#]+)/u)
        .map((part, index) => (index % 2 === 0 ? toVisible(part) : html`<bdi>${part}</bdi>`))}`;
