import { yearsCovered } from '../../../model/dates.ts';
import { Profile } from '../../../model/profile-document.ts';
import type { Draft } from '../readers/draft.ts';
import { distinct, toLine, toParagraphs } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { toExperience } from './experience.ts';
import { toIds } from './ids.ts';
import type { Fill, FilledIn } from './loss-report.ts';
import { toPrintedOnly } from './printed-only.ts';
import { toProjects } from './projects.ts';

const honorifics = /^((dr|prof|professor|mr|mrs|ms|mx|sir|dame)\.?\s+)+/i;

/** Makes a valid profile of a draft, and lists what had to be filled in. Current positions count until `today`, YYYY-MM-DD. */
export function toProfile(draft: Draft, today: string): { profile: Profile; filledIn: FilledIn[] } {
  const filledIn: FilledIn[] = [];
  const fill: Fill = (field, value, why) => {
    filledIn.push({ field, value: Array.isArray(value) ? '(an empty list)' : String(value), why });
    return value;
  };
  const text = (value: Value | undefined, field: string, preset: string, why: string) =>
    value ? take(value) : fill(field, preset, why);
  const list = (values: readonly Value[] | undefined, field: string): string[] => {
    const texts = distinct((values ?? []).flatMap((value) => toLine(value) ?? [])).map(take);
    return texts.length > 0 ? texts : fill(field, [], 'the source has none');
  };

  const experience = toExperience(draft.positions ?? [], fill);
  const printed = toPrintedOnly(draft, fill);
  const givenName = toLine(draft.name);
  const name = text(givenName, 'candidate.name', 'Name not stated', 'the source has no name');
  const role = experience.find(({ roles }) => roles.length > 0)?.roles[0]?.title;
  const roleOrigin = role ? 'the title of the newest role' : 'the source has no title';
  const title = text(toLine(draft.title), 'candidate.title', role ?? 'Professional', roleOrigin);
  const profile = Profile.parse({
    ...(printed.email && {
      owner_email: fill('owner_email', printed.email, 'the e-mail address of the resume; notices are sent there'),
    }),
    candidate: {
      id: toIds(
        'cand',
        [{ id: draft.id, name: givenName ? name.replace(honorifics, '') : 'owner' }],
        'candidate.id',
        fill,
      )[0],
      name,
      title,
      location: text(toLine(draft.location), 'candidate.location', 'Not stated', 'the source has no location'),
      summary: text(
        toParagraphs(draft.summary),
        'candidate.summary',
        `${name}, ${title}.`,
        'composed of name and title',
      ),
      years_experience:
        yearsGiven(draft.yearsExperience) ??
        fill(
          'candidate.years_experience',
          yearsIn(experience, today),
          'the time that the positions cover until today, in whole years',
        ),
      domains: list(draft.domains, 'candidate.domains'),
    },
    experience,
    projects: toProjects(draft.projects ?? [], fill),
    availability: {
      status: text(toLine(draft.availability), 'availability.status', 'not stated', 'the source does not state it'),
    },
    resume: { skills: list(draft.skills, 'resume.skills'), ...printed },
  });
  const sections = Object.keys(Profile.shape);
  const sectionOf = ({ field }: FilledIn) => sections.indexOf(/^\w+/.exec(field)![0]);
  return { profile, filledIn: filledIn.sort((one, other) => sectionOf(one) - sectionOf(other)) };
}

function yearsGiven(value: Value | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^(\d|[1-9]\d|100)$/.test(value.text)) return omit(value, 'It is not a whole number from 0 to 100');
  return Number(take(value));
}

/** Whole years that the roles cover, at most 100. An entry without roles counts with its own dates. */
function yearsIn(experience: Profile['experience'], today: string): number {
  const spans = experience.flatMap(({ roles, company_start_date, company_end_date }) =>
    roles.length > 0
      ? roles.map(({ start_date, end_date }) => ({ from: start_date, until: end_date }))
      : [{ from: company_start_date, until: company_end_date }],
  );
  return Math.min(Math.round(yearsCovered(spans, today)), 100);
}
