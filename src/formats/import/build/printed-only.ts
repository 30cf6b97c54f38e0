import type { Profile } from '../../../model/profile-document.ts';
import type { Draft } from '../readers/draft.ts';
import { distinct, toEmail, toLine, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { toCoarseDate, toCoarsePeriod } from './dates.ts';
import type { Fill } from './loss-report.ts';

type Printed = Omit<Profile['resume'], 'skills'>;
type Fields = Record<string, Value | undefined>;

/** Makes the part of a profile that only the PDF shows, without empty lists and without entries that lack their main field. */
export function toPrintedOnly(draft: Draft, fill: Fill): Printed {
  const lists = {
    links: toLinks(draft.links ?? []),
    education: toEducation(draft.education ?? [], fill),
    certifications: (draft.certifications ?? []).flatMap(({ name, issuer, date, url }) =>
      entryOf('name', toLine(name), { issuer: toLine(issuer), date: toCoarseDate(date), url: toWebAddress(url) }),
    ),
    languages: (draft.languages ?? []).flatMap(({ language, fluency }) =>
      entryOf('language', toLine(language), { fluency: toLine(fluency) }),
    ),
    publications: (draft.publications ?? []).flatMap(({ name, publisher, date, url, summary }) =>
      entryOf('name', toLine(name), {
        publisher: toLine(publisher),
        date: toCoarseDate(date),
        url: toWebAddress(url),
        summary: toParagraphs(summary),
      }),
    ),
  };
  return {
    ...taken({ email: toEmail(draft.email), phone: toLine(draft.phone) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  };
}

function toLinks(links: NonNullable<Draft['links']>): NonNullable<Printed['links']> {
  const seen = new Set<string>();
  return links.flatMap(({ label, url }) => {
    const address = toWebAddress(url);
    if (address === undefined) return [];
    const isRepeated = seen.has(address.text);
    seen.add(take(address));
    if (!isRepeated) return [{ ...taken({ label: toLine(label) }), url: address.text }];
    if (label) omit(label, 'It belongs to a repeated link');
    return [];
  });
}

function toEducation(education: NonNullable<Draft['education']>, fill: Fill): NonNullable<Printed['education']> {
  const entries = education
    .map(({ institution, area, degree, start, end, score, url, details = [] }) => ({
      institution: toLine(institution),
      period: toCoarsePeriod(start, end),
      about: { degree: toLine(degree), area: toLine(area), score: toLine(score), url: toWebAddress(url) },
      details: distinct(details.flatMap((each) => toLine(each) ?? [])),
    }))
    .filter(({ institution, period: { start, end }, about, details }) =>
      [institution, start, end, ...Object.values(about), ...details].some((value) => value),
    );
  return entries.map(({ institution, period: { start, end, isOngoing }, about, details }, index) => ({
    institution: institution
      ? take(institution)
      : fill(`resume.education[${index}].institution`, 'Institution not named', 'an entry needs an institution'),
    ...taken(about),
    ...taken({ start_date: start, end_date: end }),
    ...(end && isOngoing && { end_date: null }),
    ...(details.length > 0 && { details: details.map(take) }),
  }));
}

/** A list with one entry, or empty if the entry lacks its main field. */
function entryOf<Main extends string>(main: Main, value: Value | undefined, fields: Fields) {
  if (value) return [{ [main]: take(value), ...taken(fields) } as { [Name in Main]: string }];
  for (const field of Object.values(fields)) if (field) omit(field, `It belongs to an entry without ${main}`);
  return [];
}

/** Takes the values of the fields that have one. */
const taken = <Given extends Fields>(fields: Given) =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, take(value)]] : []))) as {
    [Name in keyof Given]?: string;
  };
