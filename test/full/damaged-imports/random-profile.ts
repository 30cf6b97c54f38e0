import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { randomOf } from '../../support/random.ts';

// biome-ignore format: a table
const texts = [
  'Go', '李明', 'a & b, c; d', '“Q”: 1.5 × – …', 'Müller', 'Was • once', '* star', 'null', '2019', 'x@y', '- dash', '100 %',
];
const urls = ['https://a.example', 'https://a.example/%C3%A4?b=c&d#e', 'https://github.com/ada', 'http://b.example/x/'];

/** A valid profile with texts, lists, dates and optional keys by chance, the same for the same seed. */
export function profileOf(seed: number): Profile {
  const { below, isOneIn, pick } = randomOf(seed);
  const line = () => Array.from({ length: 1 + below(3) }, () => pick(texts)).join(' and ');
  const text = () => (isOneIn(3) ? `${line()}\n\n${line()}` : line());
  const given = (text: string) => (isOneIn(4) ? '' : text);
  const some = <Item>(make: (index: number) => Item) => Array.from({ length: 1 + below(3) }, (_, index) => make(index));
  const lines = () => [...new Set(some(line))];
  /** Some of the fields. */
  const optional = (fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(() => isOneIn(2)));
  const year = () => 1990 + below(15);
  const [month, day] = [() => `0${1 + below(9)}`, () => `${10 + below(18)}`];
  const coarse = (year: number) => pick([`${year}`, `${year}-${month()}`, `${year}-${month()}-${day()}`]);
  const period = () => optional({ start_date: coarse(year()), end_date: isOneIn(3) ? null : coarse(year() + 20) });
  const place = () => optional({ location: line() });

  const experience = some((index) => {
    const [from, until] = [coarse(year()), isOneIn(3) ? null : coarse(year() + 20)];
    // A place that all roles share is taken for the company's, so roles have one only if the company has one.
    const location = optional({ location: line() });
    const roles = some(() => ({
      title: line(),
      ...pick([
        { start_date: from, end_date: until },
        { start_date: coarse(2006), end_date: coarse(2007) },
      ]),
      ...('location' in location && place()),
      ...optional({ summary: text() }),
      accomplishments: isOneIn(3) ? [] : some(line),
    }));
    return {
      id: `exp_${index}`,
      company: given(line()),
      ...{ company_start_date: from, company_end_date: until, current: until === null },
      summary: given(text()),
      ...location,
      ...optional({ url: pick(urls) }),
      roles: isOneIn(4) ? [] : roles,
    };
  });
  const projects = some((index) => ({
    id: `proj_${index}`,
    name: given(line()),
    summary: given(text()),
    ...optional({ role: line(), highlights: lines(), tags: lines() }),
    ...period(),
    links: optional({ github: urls[0], live: urls[1], details: urls[2] }),
  }));
  const skills = lines();
  const groups = some(() => ({ ...optional({ name: line(), level: line() }), skills: lines() }));
  const titles = lines();
  const resume = {
    ...pick([{ skills }, { skill_groups: groups }, { skills, skill_groups: groups }]),
    ...optional({
      email: 'ada@ada.example',
      phone: '+1 555 0100',
      links: urls.slice(below(4)).map((url) => ({ ...optional({ label: line() }), url })),
      education: some(() => ({
        institution: line(),
        ...optional({ area: line(), degree: line(), score: line(), url: pick(urls), details: lines() }),
        ...place(),
        ...period(),
      })),
      certifications: some(() => ({
        name: line(),
        ...optional({ issuer: line(), date: coarse(2011), end_date: coarse(2031), url: pick(urls), summary: text() }),
      })),
      languages: some(() => ({ language: line(), ...optional({ fluency: line() }) })),
      publications: some(() => ({
        name: line(),
        ...optional({ authors: lines(), publisher: line(), date: coarse(2012), url: pick(urls), summary: text() }),
      })),
      awards: some(() => ({
        title: line(),
        ...optional({ awarder: line(), date: coarse(2013), url: pick(urls), summary: text() }),
      })),
      volunteer: some(() => ({
        organization: line(),
        ...optional({ role: line(), url: pick(urls), summary: text(), highlights: lines() }),
        ...place(),
        ...period(),
      })),
      interests: some(() => ({ name: line(), ...optional({ keywords: lines() }) })),
      references: { print: true, entries: some(() => ({ name: line(), ...optional({ reference: text() }) })) },
      sections: titles.map((title) => ({
        title,
        entries: some(() =>
          pick<object>([
            { text: text() },
            { bullet: line() },
            { name: line(), details: line() },
            {
              name: line(),
              ...optional({
                organization: line(),
                date: coarse(2014),
                url: pick(urls),
                summary: text(),
                highlights: lines(),
              }),
              ...place(),
              ...period(),
            },
          ]),
        ),
      })),
      language: pick(['de', 'zh-TW', 'ar']),
      experience_order: pick(['latest_first', 'as_written']),
    }),
  };
  const { profile, faults } = readProfileText(
    JSON.stringify({
      candidate: {
        id: 'cand_ada',
        ...{ name: given(line()), title: given(line()), location: given(line()), summary: given(text()) },
        years_experience: below(40),
        domains: isOneIn(3) ? [] : lines(),
      },
      experience,
      projects,
      availability: { status: given(line()) },
      resume: { ...resume, ...('sections' in resume && optional({ order: ['education', ...titles] })) },
    }),
    'FILE',
  );
  if (profile === null) throw new Error(faults.join('\n'));
  return profile;
}
