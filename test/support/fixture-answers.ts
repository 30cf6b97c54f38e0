/** The candidate of test/fixtures/profile.yaml. */
export const candidate = {
  id: 'cand_test',
  name: 'Tess Example',
  title: 'Software Engineer',
  location: 'Lisbon, Portugal',
  summary: 'Builds things that last.',
  years_experience: 12,
  domains: ['Storage', 'Streaming'],
};

/** Its past experience entry. */
export const past = {
  id: 'exp_past',
  company: 'Past & Sons',
  company_start_date: '2012-03-01',
  company_end_date: '2018-06-30',
  current: false,
  summary: 'Backend work.',
  roles: [
    { title: 'Engineer', start_date: '2012-03-01', end_date: '2015-01-01', accomplishments: ['Wrote the importer'] },
    {
      title: 'Senior Engineer',
      start_date: '2015-01-01',
      end_date: '2018-06-30',
      accomplishments: ['Led the rewrite', '**Halved** the cost'],
    },
  ],
};

/** Its current experience entry. */
export const current = {
  id: 'exp_now',
  company: 'Nów GmbH',
  company_start_date: '2018-07-01',
  company_end_date: null,
  current: true,
  summary: 'Platform work.',
  roles: [{ title: 'Staff Engineer', start_date: '2018-07-01', end_date: null, accomplishments: [] }],
};

const withoutIdAndSummary = ({ id: _, summary: __, ...rest }: typeof past | typeof current) => rest;

/** Its resume as JSON. */
export const resume = {
  name: 'Tess Example',
  title: 'Software Engineer',
  experience: [current, past].map(withoutIdAndSummary),
  skills: ['Go', 'SQL'],
};
