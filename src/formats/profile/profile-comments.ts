import type { Profile } from '../../model/profile/profile-document.ts';

/** What a new document says before its first key. */
export const introduction = [
  'An editor that knows the first line completes and checks as you type. While the service runs, a save takes effect',
  'within a second; a save with a fault does not, and the log says why.',
  '',
  'Dates are YYYY-MM-DD. An end date that is left out, or null, means "still going on".',
];

type Comments = { readonly [Key in keyof Profile]?: readonly string[] };

/** What a new document says above each key. */
export const comments: Comments = {
  owner_email: [
    'Where the service writes to you: who asked for access, and who sent a message. Visitors never see it.',
    'OWNER_EMAIL overrides it.',
  ],
  candidate: ['Who you are. You choose the id, like every id here. Programs refer to it, so do not change it.'],
  experience: [
    'One entry a company, with every role held there; shown ongoing first, then by latest end. `current` is true exactly',
    'while company_end_date is null. The PDF prints a location and url too, and the location of a role.',
  ],
  projects: [
    'Shown in this order. `tags` and each of the links github, live and details may be left out; role, start_date,',
    'end_date and highlights are printed in the PDF only.',
  ],
  availability: ['Whether you can be approached, in any words you like.'],
  resume: [
    'Visitors read the skills, given as `skills` or in `skill_groups`. The rest is optional and printed in the PDF: email,',
    'phone, links, education, certifications, languages, publications, awards, volunteer, interests, references (with',
    '`print: true`), and `sections` of your own. `order` says which comes first; `language`, such as de, is that of the',
    'headings. With pdf_url, visitors get a link to that PDF instead of the generated one.',
  ],
  background: [
    'Whether visitors can also read education, certifications, languages, publications, awards, volunteer and sections.',
    'They cannot if this key is left out.',
  ],
  public: ['Which fields of `candidate` the landing page may show to everybody; [] for none.'],
};

/** What it says besides above a list that is empty. */
export const examples: Comments = {
  experience: [
    '',
    'An entry looks like this; remove the [] below when you write the first:',
    '',
    '  - id: exp_example',
    '    company: Example Ltd',
    '    company_start_date: 2020-02-01',
    '    company_end_date: null',
    '    current: true',
    '    summary: What you do there, in a sentence.',
    '    roles:',
    '      - title: Engineer',
    '        start_date: 2020-02-01',
    '        end_date: null',
    '        accomplishments:',
    '          - Something you are proud of',
  ],
  projects: [
    '',
    'A project looks like this; remove the [] below when you write the first:',
    '',
    '  - id: proj_example',
    '    name: Example',
    '    summary: What it does, in a sentence.',
    '    tags: [Go]',
    '    links:',
    '      github: https://github.com/example/example',
  ],
};
