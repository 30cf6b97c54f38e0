import { type DateSpan, endOfDate, isOrdered, yearsCovered } from './dates.ts';
import { isReservedDomain, mailWarningOf } from './email-address.ts';
import type { Job, Profile } from './profile-document.ts';
import { linkFaultOf, runsIn, toParagraphs } from './prose.ts';
import { languageNameOf, rowOf } from './resume-language.ts';
import { countCodePoints, isVisible, toCodePointNotation } from './text.ts';
import { isProse, textsOf } from './texts.ts';
import type { Path } from './yaml/yaml.ts';

/** A finding about a valid profile that the owner should check, with the path of the value. */
export interface Warning {
  readonly path: Path;
  readonly message: string;
}

export function lint(profile: Profile, today: Date): Warning[] {
  // A date is not in the future once it has begun somewhere on earth (UTC+14).
  const latest = new Date(today.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
  return [
    ...textsOf(profile).flatMap(({ path, text }) =>
      textWarningsOf(path, text, latest).map((message) => ({ path, message })),
    ),
    ...emptyTextWarningsOf(profile),
    ...languageWarningsOf(profile),
    ...dateWarningsOf(profile, latest),
  ];
}

const summaryLimit = 600;

function textWarningsOf(path: Path, text: string, latest: string): string[] {
  const key = String(path.at(-1));
  const warnings: (string | null)[] = [hiddenIn(text)];
  const isExpiry = key === 'end_date' && path[1] === 'certifications';
  if (/(^|_)date$/.test(key) && !isExpiry && text > latest.slice(0, text.length))
    warnings.push(`${text} is in the future`);
  if (['url', 'pdf_url'].includes(key) || path.at(-2) === 'links') warnings.push(linkWarningOf(text));
  if (isProse(path)) warnings.push(...linkWarningsIn(text));
  if (key === 'phone' && (text.match(/\p{Nd}/gu) ?? []).length < 3)
    warnings.push('has too few digits for a phone number');
  if (key === 'owner_email') warnings.push(mailWarningOf(text));
  // The summary of a publication is its abstract, which may be long.
  if (key === 'summary' && path[0] !== 'resume') {
    const length = countCodePoints(text);
    if (length > summaryLimit) warnings.push(`is ${length} characters long; few people read more than ${summaryLimit}`);
  }
  return warnings.filter((warning) => warning !== null);
}

// Control, format (such as U+200B and U+202E), private-use and unassigned characters, and letters without a visible
// glyph. Joiners are allowed in emoji and in scripts that join letters, and single variation selectors everywhere.
export const hiddenCharacters =
  /(?![\n\r\t])[\p{Cc}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?![\u200c\u200d])\p{Cf}|(?<![\p{M}\p{scx=Arabic}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]|(?<=\p{Variation_Selector})\p{Variation_Selector}/gu;

function hiddenIn(text: string): string | null {
  const matches = [...text.matchAll(hiddenCharacters)];
  if (matches.length === 0) return null;
  // Three at most, because finding the word before each takes linear time.
  const shown = matches.slice(0, 3).map(({ 0: character, index }) => {
    const before = text.slice(0, index).replace(hiddenCharacters, '').trim().split(/\s+/).at(-1);
    return `${toCodePointNotation(character)} ${before ? `after “${before}”` : 'at the beginning'}`;
  });
  const more = matches.length > 3 ? ` and ${matches.length - 3} more` : '';
  return `has invisible characters or characters that change the text direction: ${shown.join(', ')}${more}`;
}

/** The task for each text that may be empty, by its path without indexes. */
const tasks: Readonly<Record<string, string>> = {
  'candidate.name': 'write the name that visitors should see',
  'candidate.title': 'write your title, such as Staff Engineer',
  'candidate.location': 'write your city or region',
  'candidate.summary': 'introduce yourself in two or three sentences',
  'experience.company': 'write the name of the company',
  'experience.summary': 'say in a sentence what you did there',
  'experience.roles.title': 'write the title that you had',
  'projects.name': 'write the name of the project',
  'projects.summary': 'say in a sentence what it is',
  'availability.status': 'say whether you can be approached',
};

/** Returns the paths of the texts of a profile, or of some of its keys, that have no visible character, and what to do. */
export const emptyTextsOf = (profile: Partial<Profile>): { path: Path; task: string }[] =>
  textsOf(profile).flatMap(({ path, text }) => {
    const task = tasks[path.filter((step) => typeof step === 'string').join('.')];
    return !isVisible(text) && task !== undefined && !isSaidByRoles(profile, path) ? [{ path, task }] : [];
  });

/** Whether a text is the summary of an entry whose roles describe the work. */
const isSaidByRoles = ({ experience = [] }: Partial<Profile>, [section, index, field]: Path): boolean =>
  section === 'experience' &&
  field === 'summary' &&
  experience[Number(index)]!.roles.some(({ summary, accomplishments }) => summary || accomplishments.length > 0);

/** Warns of the empty texts that readers miss, once for each kind. Without a status none is shown. */
const emptyTextWarningsOf = ({ availability: _, ...profile }: Profile): Warning[] =>
  [...Map.groupBy(emptyTextsOf(profile), ({ task }) => task)].map(([task, [first, ...others]]) => {
    const more = others.length === 0 ? '' : `, like ${others.length} more of its kind`;
    return { path: first!.path, message: `is empty${more}; ${task}` };
  });

/** Warns of a language without words of its own. */
function languageWarningsOf({ resume: { language } }: Profile): Warning[] {
  if (language === undefined || rowOf(language) !== null) return [];
  const message = `there are no words in ${languageNameOf(language)}; months, and headings that you do not give under titles, are in English`;
  return [{ path: ['resume', 'language'], message }];
}

/** Returns why a link of the profile probably does not work for others, null if it may; makes no request. */
function linkWarningOf(url: string): string | null {
  const { protocol, hostname } = new URL(url);
  if (/(^|\.)(localhost|local|internal|lan|home\.arpa)$/.test(hostname))
    return `${hostname} exists on one machine or network only`;
  if (isReservedDomain(hostname)) return `${hostname} is an example address that nobody can open`;
  if (/^\d+(\.\d+){3}$/.test(hostname))
    return `${hostname} is an IP address; use a host name, which can move to another machine`;
  if (!hostname.includes('.')) return `${hostname} has no ending such as .com`;
  if (protocol === 'http:') return 'begins with http://, which browsers call not secure; try https://';
  return null;
}

/** Warns of links in a text that lead nowhere for others, and of text that looks like a link but is not read as one. */
export function linkWarningsIn(text: string): string[] {
  const urls = new Set(runsIn(toParagraphs(text) ?? []).flatMap(({ url }) => url ?? []));
  const unread = Array.from(text.matchAll(/\[[^[\]\n]+\]\(([^()[\]\n]*)\)/g), ([link, url]) => ({ link, url: url! }));
  return [
    ...[...urls].flatMap((url) => {
      const warning = /^mailto:/i.test(url)
        ? mailWarningOf(url.slice('mailto:'.length).split('?', 1)[0]!)
        : linkWarningOf(url);
      return warning === null ? [] : [`has a link to ${url}: ${warning}`];
    }),
    ...unread.flatMap(({ link, url }) => {
      const fault = linkFaultOf(url);
      return fault === null ? [] : [`has ${link}, which is not read as a link: its address ${fault}`];
    }),
  ].slice(0, 3);
}

/** Warns of contradicting dates: roles outside the company's, gaps, years of experience. `today` is YYYY-MM-DD. */
export function dateWarningsOf({ candidate, experience, resume }: Profile, today: string): Warning[] {
  const { years_experience: years } = candidate;
  const hasBegun = ({ from }: DateSpan) => Date.parse(from) <= Date.parse(today);
  const jobs = experience
    .map(({ company_start_date: from, company_end_date: until }, index): LocatedSpan => {
      return { from, until, path: ['experience', index, 'company_start_date'] };
    })
    .filter(hasBegun);
  const studies = (resume.education ?? [])
    .flatMap(({ start_date: from, end_date: until = from }, index): LocatedSpan[] =>
      from && until !== undefined ? [{ from, until, path: ['resume', 'education', index, 'start_date'] }] : [],
    )
    .filter(hasBegun);
  return [
    ...experience.flatMap(rolesOutside),
    ...gapsAmong([...jobs, ...studies], today),
    ...(resume.sections ?? []).flatMap(datesBesideEachOther),
    ...(jobs.length === 0 || years === undefined ? [] : yearsOff(years, jobs, today)),
  ];
}

function rolesOutside({ company_start_date: start, company_end_date: end, roles }: Job, index: number): Warning[] {
  return roles.flatMap(({ start_date, end_date }, at) => {
    const path = ['experience', index, 'roles', at];
    const early = `${start_date} is before company_start_date, ${start}`;
    const late = `${end_date ?? 'still going on'} is after company_end_date, ${end}`;
    return [
      ...(isOrdered(start, start_date) ? [] : [{ path: [...path, 'start_date'], message: early }]),
      ...(end === null || isOrdered(end_date ?? '9999', end) ? [] : [{ path: [...path, 'end_date'], message: late }]),
    ];
  });
}

/** Warns of entries of own sections with a date and a period, which are printed as one. */
const datesBesideEachOther = (
  { entries }: NonNullable<Profile['resume']['sections']>[number],
  index: number,
): Warning[] =>
  entries.flatMap((entry, at) => {
    const { date, start_date: from, end_date: until } = entry;
    const other = from ?? until;
    if (date === undefined || other == null) return [];
    const path = ['resume', 'sections', index, 'entries', at, 'date'];
    return [{ path, message: `is printed in one line with ${other}; give the date, or the start and the end` }];
  });

/** A span with the path of its start in the profile. */
type LocatedSpan = DateSpan & Pick<Warning, 'path'>;

const monthsAllowed = 6;
const millisecondsInMonth = (365.25 / 12) * 86_400_000;

/** Warns of times after the first job that no span covers. */
function gapsAmong(spans: readonly LocatedSpan[], today: string): Warning[] {
  const warnings: Warning[] = [];
  let hasWorked = false;
  let covered = 0;
  for (const { from, until, path } of spans.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))) {
    const start = Date.parse(from);
    const latest = new Date(covered);
    latest.setUTCMonth(latest.getUTCMonth() + monthsAllowed);
    if (hasWorked && start > latest.getTime()) {
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
