import type { InputCursor } from '../../source/input-cursor.ts';
import { toSentences } from '../../source/normalize.ts';
import { literal, type Value } from '../../source/value.ts';
import type { Draft } from '../draft.ts';
import { toPlain } from '../markdown.ts';
import { type Topic, topicOf } from '../topics.ts';
import * as entries from './entries.ts';
import { headOf } from './fields.ts';
import { toInterests, toLanguages, toSkills } from './skills.ts';

type Section = NonNullable<Draft['sections']>[number];

interface EntryOfTopic {
  readonly title: string;
  readonly topic: Topic | undefined;
  readonly entry: InputCursor;
}

/** Sorts the entries of all sections by what they are, which their fields tell, otherwise the title of their section. */
export function toSections(sections: InputCursor, further: readonly Section[]) {
  const all = withSummary(
    sections.keys.flatMap((title) => {
      const titled = topicOf(title);
      return sections.items(title).map((entry) => ({ title, topic: topicOfEntry(entry, titled), entry }));
    }),
  );
  const of = (topic: Topic) => all.flatMap((each) => (each.topic === topic ? each.entry : []));
  const skills = of('skills').map(toSkills);
  const [job] = all.filter(({ topic }) => topic === 'experience');
  return {
    summary: toSentences(
      of('summary').flatMap((entry) => toPlain(headOf(entry)) ?? []),
      'joined with the rest of its section into the summary',
    ),
    positions: of('experience').map(entries.toPosition),
    ...(job && { positionsTitle: titleOf(job.title).text }),
    projects: of('projects').map(entries.toProject),
    skills: skills.flatMap((each) => each.skills ?? []),
    skillGroups: skills.flatMap((each) => each.skillGroups ?? []),
    education: of('education').map(entries.toEducation),
    certifications: of('certifications').map(entries.toCertification),
    languages: [...skills.flatMap((each) => each.languages ?? []), ...of('languages').flatMap(toLanguages)],
    publications: of('publications').map(entries.toPublication),
    awards: of('awards').map(entries.toAward),
    volunteer: of('volunteering').map(entries.toVolunteering),
    interests: [...skills.flatMap((each) => each.interests ?? []), ...of('interests').flatMap(toInterests)],
    references: of('references').map(entries.toReference),
    sections: [
      ...all.flatMap(({ title, topic, entry }) =>
        topic === undefined ? { title: titleOf(title), entries: [entries.toSectionEntry(entry)] } : [],
      ),
      ...further,
    ],
  } satisfies Draft;
}

/** The topics whose entries are recognised by their fields alone, not by the title of their section: no name is taken for an employer or a school. */
const byFields: readonly (Topic | undefined)[] = ['experience', 'education', 'volunteering', 'other'];

function topicOfEntry(entry: InputCursor, titled: Topic | undefined): Topic | undefined {
  const has = (...fields: string[]) => fields.some((field) => entry.keys.includes(field));
  const isLine = !has('name', 'label', 'title');
  if (titled === 'other') return undefined;
  if (has('institution')) return 'education';
  if (has('authors', 'journal', 'doi')) return 'publications';
  if (has('company', 'position')) return jobs[titled ?? 'experience'];
  if (titled === 'summary') return isLine ? titled : undefined;
  if (titled === 'projects' && isLine && isSentence(headOf(entry))) return undefined;
  return byFields.includes(titled) ? undefined : titled;
}

/** Whether a line is not a name. */
const isSentence = (line: Value | undefined) => /[.!?]$/.test(line?.text ?? '') || (line?.text.length ?? 0) > 100;

/** What an entry with a company is in a section of each topic. */
const jobs: Partial<Record<Topic, Topic>> = {
  experience: 'experience',
  education: 'experience',
  volunteering: 'volunteering',
  projects: 'projects',
  skills: 'experience',
  summary: 'experience',
};

/** Takes the first section for the summary if it is plain text and no other section is the summary. */
function withSummary(all: readonly EntryOfTopic[]): readonly EntryOfTopic[] {
  const first = all.filter(({ title }) => title === all[0]?.title);
  const isSummary =
    !all.some(({ topic }) => topic === 'summary') &&
    first.every(({ topic, title, entry }) => topic === undefined && !topicOf(title) && entry.kind === 'text');
  return isSummary ? all.map((each) => (first.includes(each) ? { ...each, topic: 'summary' } : each)) : all;
}

/** The title of a section by its key, which RenderCV prints: `selected_honors` reads “Selected honors”. */
export function titleOf(key: string): Value {
  const words = /\s|\p{Lu}/u.test(key) ? key : key.replace(/_+/g, ' ').trim();
  return literal(/\p{Lu}/u.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1));
}
