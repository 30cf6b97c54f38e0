import type { Draft, Position } from '../../draft/draft.ts';
import type { Block } from '../../source/blocks.ts';
import { periodsIn, toDateRange } from '../../source/dates.ts';
import { grouped } from '../../source/layout.ts';
import { exclude, type Value } from '../../source/value.ts';
import { bodyOf, readText, toHead } from './entries.ts';
import type { Section } from './sections.ts';
import { isDegree, isDuration, isJobTitle, isPlace } from './wording.ts';
import { toBody } from './work.ts';

/** Reads a section that LinkedIn sets in its own way; null for other sections. */
export function toLinkedIn({ topic, blocks }: Section): Draft | null {
  if (topic === 'experience') return { positions: toLinkedInPositions(blocks) };
  return topic === 'education' ? { education: toLinkedInEducation(blocks) } : null;
}

/** The headline and the place below the name. */
export function toLinkedInHead(blocks: readonly Block[]): Pick<Draft, 'title' | 'location'> {
  const [headline, place, ...others] = blocks;
  for (const block of others) readText(block);
  return { ...(headline && { title: readText(headline) }), ...(place && { location: readText(place) }) };
}

const sizesOf = (blocks: readonly Block[]) =>
  [...new Set(blocks.map(({ style }) => Math.round(style.size * 2) / 2))].sort((one, other) => other - one);

const isOfSize = ({ style }: Block, size: number) => Math.abs(style.size - size) < 0.3;

/** The positions: below a company, which is the largest, each title, and below that dates, a place and a text. */
function toLinkedInPositions(blocks: readonly Block[]): Position[] {
  const [companySize, titleSize] = sizesOf(blocks) as [number, number];
  let company: Value | undefined;
  const isHead = (block: Block) => isOfSize(block, companySize) || isOfSize(block, titleSize);
  return grouped(blocks, (_, block) => !isHead(block)).flatMap((group) => {
    const isCompany = isOfSize(group[0], companySize);
    if (isHead(group[0]) && !isCompany) return toPosition(group, company);
    if (isCompany) company = readText(group[0]);
    for (const block of isCompany ? group.slice(1) : group)
      exclude(readText(block), 'It follows from the dates of the roles');
    return [];
  });
}

function toPosition([title, dates, ...below]: readonly Block[], company: Value | undefined): Position {
  const { period } = dates ? toHead([dates]) : {};
  const [place] = below.slice(0, 1).filter(isPlaceLine);
  return {
    company,
    title: readText(title!),
    ...toDateRange(period),
    location: place && readText(place),
    ...toBody({ body: bodyOf(place ? below.slice(1) : below) }),
  };
}

const placeWord = /^(?:[\p{Lu}\p{Lo}][\p{L}\p{M}.'’-]*|und|and|y|et|e|de|di|da|of|la|le|the|[&-])$/u;

/** Whether the line below the dates is a place: a few words with capitals that do not end a sentence. */
const isPlaceLine = ({ text, isBullet }: Block) =>
  !isBullet &&
  !isDuration(text) &&
  (isPlace(text) ||
    (text.length <= 60 &&
      !isJobTitle(text) &&
      text.split(/,? /).every((word) => placeWord.test(word)) &&
      text.split(/,? /).length <= 7));

/** The schools: below each, a degree and a field of study, then the years in parentheses. */
function toLinkedInEducation(blocks: readonly Block[]): NonNullable<Draft['education']> {
  const [schoolSize] = sizesOf(blocks) as [number];
  const schools = grouped(blocks, (_, block) => !isOfSize(block, schoolSize));
  return schools.map(([school, ...below]) => {
    const text = below.map((block) => block.text).join(' ');
    const period = periodsIn(text).at(-1);
    const [line = school] = below;
    const study = (period ? text.slice(0, period.index) : text).replace(/[\s·(]+$/, '');
    const rest = period ? text.slice(period.index + period.text.length).replace(/^[\s·)]+/, '') : '';
    const [, degree = '', area = ''] = /^([^,]*)(?:, (.*))?$/s.exec(study)!;
    const isArea = area === '' && !isDegree(degree);
    const toValue = (part: string) => (part === '' ? undefined : readText(line, part));
    return {
      institution: readText(school),
      degree: isArea ? undefined : toValue(degree),
      area: toValue(isArea ? degree : area),
      ...toDateRange(period && readText(line, period.text)),
      details: [toValue(rest) ?? []].flat(),
    };
  });
}
