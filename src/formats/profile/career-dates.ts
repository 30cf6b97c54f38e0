import type { Profile } from '../../model/profile-document.ts';
import type { Warning } from './warning.ts';

/** What does not fit among the dates of a career: roles outside their company's, gaps, years that do not add up. `today` is YYYY-MM-DD. */
export function careerWarningsOf({ candidate, experience, resume }: Profile, today: string): Warning[] {
  const begun = ({ from }: Span) => from <= firstDay(today);
  const jobs = jobsOf(experience, today).filter(begun);
  const studies = studiesOf(resume.education ?? [], today).filter(begun);
  return [
    ...experience.flatMap(rolesOutside),
    ...gapsAmong(jobs, studies),
    ...(jobs.length === 0 ? [] : yearsOff(candidate.years_experience, jobs, dayAfter(today))),
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

/** From the first day to the day after the last, as epoch milliseconds, and where its start is said. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly path: Warning['path'];
}

const jobsOf = (experience: Profile['experience'], today: string): Span[] =>
  experience.map(({ company_start_date, company_end_date }, index) => ({
    from: firstDay(company_start_date),
    until: dayAfter(company_end_date ?? today),
    path: ['experience', index, 'company_start_date'],
  }));

const studiesOf = (education: NonNullable<Profile['resume']['education']>, today: string): Span[] =>
  education.flatMap(({ start_date: start, end_date: end = start }, index) => {
    if (start === undefined) return [];
    const path = ['resume', 'education', index, 'start_date'];
    return [{ from: firstDay(start), until: dayAfter(end ?? today), path }];
  });

const monthsAllowed = 6;

/** Stretches after the first job that neither a job nor studies fill. */
function gapsAmong(jobs: readonly Span[], studies: readonly Span[]): Warning[] {
  const warnings: Warning[] = [];
  let hasWorked = false;
  let last = 0;
  for (const { from, until, path } of inOrder([...jobs, ...studies])) {
    if (hasWorked && from > monthsAfter(last, monthsAllowed)) {
      const since = new Date(last).toISOString().slice(0, 10);
      warnings.push({
        path,
        message: `there is a gap of ${Math.round((from - last) / msInMonth)} months before it, from ${since}`,
      });
    }
    hasWorked ||= path[0] === 'experience';
    last = Math.max(last, until);
  }
  return warnings;
}

const yearsAllowed = 2;

function yearsOff(years: number, jobs: readonly Span[], tomorrow: number): Warning[] {
  let worked = 0;
  let last = -Infinity;
  for (const { from, until } of inOrder(jobs)) {
    worked += Math.max(0, Math.min(until, tomorrow) - Math.max(from, last));
    last = Math.max(last, until);
  }
  const added = worked / msInMonth / 12;
  if (Math.abs(years - added) <= yearsAllowed) return [];
  const message = `says ${years}, but the dates under experience add up to ${Math.round(added)}`;
  return [{ path: ['candidate', 'years_experience'], message }];
}

const inOrder = (spans: readonly Span[]) => spans.toSorted((one, other) => one.from - other.from);

const msInMonth = (365.25 / 12) * 86_400_000;

/** Of a date that may be as coarse as a year. */
const firstDay = (date: string): number => Date.parse(date);

/** The day after a date, which may be as coarse as a year. */
function dayAfter(date: string): number {
  const [year, month, day] = date.split('-').map(Number);
  if (month === undefined) return Date.UTC(year! + 1, 0);
  return day === undefined ? Date.UTC(year!, month) : Date.UTC(year!, month - 1, day + 1);
}

function monthsAfter(instant: number, months: number): number {
  const date = new Date(instant);
  return date.setUTCMonth(date.getUTCMonth() + months);
}
