import { isDeepStrictEqual } from 'node:util';
import type { Scalar } from 'yaml';
import { emptyTextsOf } from './lint.ts';
import { Profile } from './profile-document.ts';
import { ResumeDocument } from './resume-document.ts';
import { toStyledDocument, toText } from './yaml/yaml-writer.ts';

/**
 * Writes a profile document with comments that explain each section, and a task on the line of each empty text. The first
 * line names the path or address `schema` of the JSON Schema for editors; a comment says how to print the picture at the
 * address `photo`.
 */
export function toProfileYaml(
  profile: Profile,
  options: { schema?: string; checkCommand?: string; photo?: string | undefined } = {},
): string {
  const { schema, checkCommand = 'candidate-profile check profile.yaml', photo } = options;
  const schemaLine = schema === undefined ? [] : [`yaml-language-server: $schema=${schema}`, ''];
  const written = { ...profile, resume: withoutDerivedSkills(profile.resume) };
  const sections = Object.keys(Profile.shape).flatMap((name) => {
    const key = name as keyof Profile;
    const value = written[key];
    if (value === undefined && !(key in unset)) return [];
    const example = Array.isArray(value) && value.length === 0 ? (examples[key] ?? []) : [];
    const hint = key === 'resume' && photo !== undefined ? photoHint(photo) : '';
    const text = value === undefined ? toComment([unset[key]!]) : toYaml({ [key]: value }) + hint;
    return [toComment([...(comments[key] ?? []), ...example]) + text];
  });
  const head = toComment([...schemaLine, `Your profile. To check it: ${checkCommand}`, ...introduction]);
  return [head, ...sections].join('\n');
}

/** Leaves out the list of skills if the groups imply it. */
function withoutDerivedSkills(resume: Profile['resume']): Partial<Profile['resume']> {
  const { skills, ...rest } = resume;
  const { data } = ResumeDocument.safeParse(rest);
  return isDeepStrictEqual(data?.skills, skills) ? rest : resume;
}

/** Keys that are written commented out if the profile does not have them. */
const unset: { readonly [Key in keyof Profile]?: string } = {
  owner_email: 'owner_email: # TODO: write your address; serve refuses to start without it or OWNER_EMAIL',
  background: 'background: true',
  evidence: 'evidence: true',
};

function photoHint(address: string): string {
  // A picture may also be embedded in the resume, as a data URL.
  const isAddress = /^https?:\S{1,200}$/.test(address);
  return `
  # Your resume has a picture${isAddress ? `, ${address}` : ''}. To print one, save it beside this file and remove the next #.
  # photo: photo.jpg
`;
}

const toComment = (lines: readonly string[]) => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join('');

function toYaml(section: object): string {
  const document = toStyledDocument(section);
  for (const { path, task } of emptyTextsOf(section)) (document.getIn(path, true) as Scalar).comment = ` TODO: ${task}`;
  return toText(document);
}

const introduction = [
  'An editor that knows the first line completes and checks as you type. While the service runs, a save takes effect',
  'within a second; a save with a fault does not, and the log says why.',
  '',
  'Dates are as precise as you like: 2018, 2018-03, 2018-03-05. An end that is left out, or null, means "still going on".',
];

type Comments = { readonly [Key in keyof Profile]?: readonly string[] };

/** The comment above each key of a new document. */
export const comments: Comments = {
  owner_email: [
    'Where the service writes to you: who asked for access, and who sent a message. Visitors never see it.',
    'OWNER_EMAIL overrides it.',
  ],
  candidate: ['Who you are. You choose the id, like every id here. Programs refer to it, so do not change it.'],
  experience: [
    'One entry a company, with every role held there; shown ongoing first, then by latest end, unless resume says',
    '`experience_order: as_written`. `current` is true exactly while company_end_date is null. A role may have a summary.',
    'The page and the PDF show a location and url too, and the location of a role.',
  ],
  projects: [
    'Shown in this order. `tags` and each of the links github, live and details may be left out; role, start_date,',
    'end_date and highlights are on the page and in the PDF only.',
  ],
  availability: ['Whether you can be approached, in any words you like.'],
  resume: [
    'The skills are given as `skills` or in `skill_groups`. The rest is optional, and on the page and in the PDF: email,',
    'phone, links, education, certifications, languages, publications, awards, volunteer, interests, references (with',
    '`print: true`), and `sections` of your own. `hides: {page: [phone]}` keeps it off the page, `pdf` off the PDF. `order` says',
    'which section comes first, `titles` what they are called; `language`, such as de, is that of the headings and of the',
    'page. With pdf_url, visitors get a link to that PDF instead of the generated one.',
  ],
  background: [
    'Whether the programs of visitors can read education, certifications, languages, publications, awards, volunteer and',
    'sections, as visitors can on the page. They cannot if this key is left out.',
  ],
  evidence: [
    'Whether the programs of visitors can send the text of a job and get what of the profile touches its requirements. They',
    'cannot if this key is left out.',
  ],
  public: [
    'What everybody can see without giving an address: fields of `candidate`, of the summary its first sentence;',
    '`availability`; and `counts`, how many jobs and projects there are. [] for nothing.',
  ],
};

/** The further comment above an empty list. */
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
