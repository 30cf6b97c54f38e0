import { type DateSpan, endOfDate, startOfDate, yearsCovered } from '../../model/dates.ts';
import type { Profile } from '../../model/profile/profile-document.ts';
import type { Warning } from './warning.ts';

/** Warns of dates that do not fit each other: roles outside the time at their company, gaps, wrong years of experience. `today` is YYYY-MM-DD. */
export function dateWarningsOf({ candidate, experience, resume }: Profile, today: string): Warning[] {
  const hasBegun = ({ from }: DateSpan) => startOfDate(from) <= startOfDate(today);
  const jobs = jobsOf(experience).filter(hasBegun);
  const studies = studiesOf(resume.education ?? []).filter(hasBegun);
  return [
    ...experience.flatMap(rolesOutside),
    ...gapsAmong([...jobs, ...studies], today),
    ...(jobs.length === 0 ? [] : yearsOff(candidate.years_experience, jobs, today)),
  ];
}

function rolesOutside(entry: Profile['experience'][number], index: number): Warning[] {
  const { company_start_date: start, company_end_date: end } = entry;
  return entry.roles.flatMap((role, at) => {
    const path = ['experience', index, 'roles', at];
    const warnings: Warning[] = [];
    if (role.start_date < start)
      warnings.push({
        path: [...path, 'start_date'],
        message: `${role.start_date} is before company_start_date, ${start}`,
      });
    if (end !== null && (role.end_date ?? '9999') > end)
      warnings.push({
        path: [...path, 'end_date'],
        message: `${role.end_date ?? 'still going on'} is after company_end_date, ${end}`,
      });
    return warnings;
  });
}

/** A span with the path of its start in the profile. */
interface LocatedSpan extends DateSpan {
  readonly path: Warning['path'];
}

const jobsOf = (experience: Profile['experience']): LocatedSpan[] =>
  experience.map(({ company_start_date: from, company_end_date: until }, index) => ({
    from,
    until,
    path: ['experience', index, 'company_start_date'],
  }));

const studiesOf = (education: NonNullable<Profile['resume']['education']>): LocatedSpan[] =>
  education.flatMap(({ start_date: from, end_date: until = from }, index) =>
    from === undefined || until === undefined
      ? []
      : [{ from, until, path: ['resume', 'education', index, 'start_date'] }],
  );

const monthsAllowed = 6;
const millisecondsInMonth = (365.25 / 12) * 86_400_000;

/** Warns of the times after the first job that no span covers. */
function gapsAmong(spans: readonly LocatedSpan[], today: string): Warning[] {
  const warnings: Warning[] = [];
  let hasWorked = false;
  let covered = 0;
  for (const { from, until, path } of spans.toSorted((one, other) => startOfDate(one.from) - startOfDate(other.from))) {
    const start = startOfDate(from);
    if (hasWorked && start > monthsAfter(covered, monthsAllowed)) {
      const months = Math.round((start - covered) / millisecondsInMonth);
      const since = new Date(covered).toISOString().slice(0, 10);
      warnings.push({ path, message: `there is a gap of ${months} months before it, from ${since}` });
    }
    hasWorked ||= path[0] === 'experience';
    covered = Math.max(covered, endOfDate(until ?? today));
  }
  return warnings;
}

const yearsAllowed = 2;

function yearsOff(years: number, jobs: readonly DateSpan[], today: string): Warning[] {
  const covered = yearsCovered(jobs, today);
  if (Math.abs(years - covered) <= yearsAllowed) return [];
  const message = `says ${years}, but the dates under experience add up to ${Math.round(covered)}`;
  return [{ path: ['candidate', 'years_experience'], message }];
}

function monthsAfter(instant: number, months: number): number {
  const date = new Date(instant);
  return date.setUTCMonth(date.getUTCMonth() + months);
}
