/** How a view hides what has the secrets: by `in`, by `hide`, by its own texts, as the public part, or since it is gone. */
export const hidings = ['placed', 'hidden', 'replaced', 'public', 'gone'] as const;
export type Hiding = (typeof hidings)[number];

/** The name of the view, which only the owner sees. */
export const viewName = 'zqname';

/**
 * A profile document with a secret in all that a view hides in one way. Documents with different salts differ in what is
 * hidden, also in its length and its number, and in nothing else.
 */
export function viewSecrets(hiding: Hiding, salt: number) {
  const text = (of: string) => `zqsecret${salt} ${of} ${'more '.repeat(salt * 7)}`.trim();
  const line = (of: string) => text(of).replaceAll(' ', '-');
  const url = `https://zqsecret${salt}.example.net/${'long/'.repeat(salt)}`;
  const isPlaced = hiding === 'placed';
  const isPublic = hiding === 'public' || hiding === 'gone';
  const elsewhere = isPlaced ? { in: ['other'] } : {};
  const isHidden = hiding !== 'replaced';
  /** The hidden entries of a list: one more with each salt. */
  const secret = <Entry extends object>(entry: (of: string) => Entry): Entry[] =>
    isHidden ? Array.from({ length: salt }, (_, index) => ({ ...entry(line(String(index))), ...elsewhere })) : [];
  const lines = (shown: string) => [
    shown,
    ...(isPlaced ? Array.from({ length: salt }, (_, index) => ({ text: text(String(index)), in: ['other'] })) : []),
  ];
  const dates = { start_date: `190${salt}-01-01`, end_date: `191${salt}-01-01` };
  const hide = [
    ...Array.from({ length: salt }, (_, index) => [`exp_hidden${index || ''}`, `proj_hidden${index || ''}`]).flat(),
    ...['education', 'certifications', 'languages', 'publications', 'awards', 'volunteer', 'interests', 'references'],
    ...[text('section'), text('section of entries'), 'skills', 'domains'],
  ];
  const id = (prefix: string, index: number) => `${prefix}_hidden${index || ''}`;
  const numbered = <Entry extends object>(entry: (index: number) => Entry) =>
    isHidden ? Array.from({ length: salt }, (_, index) => ({ ...entry(index), ...elsewhere })) : [];
  const isSecret = isPublic || hiding === 'replaced';
  return {
    owner_email: 'owner@example.com',
    candidate: {
      id: 'shown',
      name: 'Shown Name',
      title: isSecret ? line('title') : 'Shown title',
      location: isPublic ? line('location') : 'Shown location',
      summary: isSecret ? text('summary') : 'Shown summary.',
      domains: hiding === 'hidden' || isPublic ? Array.from({ length: salt }, () => text('domain')) : ['Shown domain'],
    },
    experience: [
      {
        id: 'exp_shown',
        company: isPublic ? text('company') : 'Shown company',
        company_start_date: '2000-01-01',
        current: true,
        summary: isPublic ? text('at the company') : 'Shown.',
        roles: [{ title: 'Shown role', start_date: '2000-01-01', accomplishments: lines('Shown.') }],
      },
      ...numbered((index) => ({
        id: id('exp', index),
        section: text('section of entries'),
        company: text('company'),
        company_start_date: dates.start_date,
        company_end_date: dates.end_date,
        current: false,
        summary: text('at the company'),
        location: text('place'),
        url,
        roles: [{ title: line('role'), ...dates, summary: text('role'), accomplishments: [text('done')] }],
      })),
    ],
    projects: [
      {
        id: 'proj_shown',
        name: isPublic ? text('project') : 'Shown project',
        summary: 'Shown.',
        highlights: lines('Shown.'),
      },
      ...numbered((index) => ({
        id: id('proj', index),
        name: text('project'),
        summary: text('about'),
        tags: [text('tag')],
        links: { github: url },
        role: text('role'),
        ...dates,
        highlights: [text('highlight')],
      })),
    ],
    availability: { status: isPublic ? text('status') : 'shown' },
    resume: {
      skills: hiding === 'hidden' || isPublic ? Array.from({ length: salt }, () => text('skill')) : ['Shown skill'],
      ...(hiding === 'hidden' && { skill_groups: [{ name: text('group'), skills: [text('skill')] }] }),
      ...(isPublic ? { email: `zqsecret${salt}@example.com`, phone: text('phone'), links: [{ url }] } : {}),
      downloads: ['pdf', 'docx'],
      education: [
        ...secret((of) => ({
          institution: of,
          degree: of,
          area: of,
          location: of,
          score: of,
          url,
          details: [of],
          ...dates,
        })),
        ...(isPlaced ? [{ institution: 'Shown school', details: lines('Shown.') }] : []),
      ],
      certifications: secret((of) => ({ name: of, issuer: of, date: dates.start_date, url, summary: of })),
      languages: secret((of) => ({ language: of, fluency: of })),
      publications: secret((of) => ({ name: of, authors: [of], publisher: of, url, summary: of })),
      awards: secret((of) => ({ title: of, awarder: of, summary: of })),
      volunteer: [
        ...secret((of) => ({ organization: of, role: of, summary: of, highlights: [of] })),
        ...(isPlaced ? [{ organization: 'Shown charity', highlights: lines('Shown.') }] : []),
      ],
      interests: secret((of) => ({ name: of, keywords: [of] })),
      references: { print: true, entries: secret((of) => ({ name: of, reference: of })) },
      sections: [
        ...(isHidden ? [{ title: text('section'), entries: [text('paragraph')], ...elsewhere }] : []),
        ...(isPlaced
          ? [
              {
                title: 'Shown section',
                entries: ['Shown.', ...secret((of) => ({ text: of })), ...secret((of) => ({ name: of }))],
              },
            ]
          : []),
      ],
      ...(isHidden && { order: ['experience', text('section'), 'skills'] }),
      ...(hiding === 'hidden' && { titles: { publications: text('title'), awards: text('title') } }),
    },
    background: true,
    evidence: true,
    notes: [text('notes')],
    public: ['name'],
    views: {
      ...(hiding !== 'gone' && {
        [viewName]: {
          ...(hiding === 'replaced' && { title: 'Title of the view', summary: 'Summary of the view.' }),
          ...(hiding === 'hidden' && { hide }),
        },
      }),
      other: { title: text('title'), summary: text('summary'), hide: ['proj_shown'] },
    },
  };
}
