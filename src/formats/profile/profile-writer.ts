import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Document, Scalar, visit } from 'yaml';
import { Profile } from '../../model/profile-document.ts';

const schemaPath = fileURLToPath(new URL('../../../profile.schema.json', import.meta.url));

/**
 * Writes a profile document with comments that explain each section. `directory` is the folder it will be saved in;
 * `checkCommand` is the command that the comments say checks it.
 */
export function toProfileYaml(
  profile: Profile,
  directory: string,
  checkCommand = 'candidate-profile check profile.yaml',
): string {
  const schema = `yaml-language-server: $schema=${relative(directory, schemaPath)}`;
  const introduction = [schema, '', `Your profile. To check it: ${checkCommand}`, ...general];
  const sections = Object.keys(Profile.shape).flatMap((name) => {
    const key = name as keyof Profile;
    const value = profile[key];
    if (value === undefined) return [];
    const example = Array.isArray(value) && value.length === 0 ? (examples[key] ?? []) : [];
    return [toComment([...(comments[key] ?? []), ...example]) + toYaml({ [key]: value })];
  });
  return [toComment(introduction), ...sections].join('\n');
}

const toComment = (lines: readonly string[]) => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join('');

function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      // Prose is easier to edit in a block, which needs no quotes.
      if (key === 'value' && /^\S.{90,}\S$/.test(String(node.value))) node.type = Scalar.BLOCK_FOLDED;
    },
  });
  // Quoted text is not folded: the library does not always read folded quoted text back unchanged.
  return document.toString({ lineWidth: 120, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

const general = [
  'An editor that knows the first line completes and checks as you type. While the service runs, a save takes effect',
  'within a second; a save with a fault does not, and the log says why.',
  '',
  'Dates are YYYY-MM-DD. An end date that is left out, or null, means "still going on".',
];

const comments: { [Key in keyof Profile]?: string[] } = {
  owner_email: [
    'Where the service writes to you: who asked for access, and who sent a message. Visitors never see it.',
    'OWNER_EMAIL overrides it.',
  ],
  candidate: ['Who you are. You choose the id, like every id here. Programs refer to it, so do not change it.'],
  experience: [
    'One entry a company, with every role held there; shown newest first. `current` is true exactly while',
    'company_end_date is null.',
  ],
  projects: ['Shown in this order. `tags` and each of the links github, live and details may be left out.'],
  availability: ['Whether you can be approached, in any words you like.'],
  resume: [
    'All but the skills is optional and printed in the PDF only: email, phone, links, education, certifications,',
    'languages, publications. With pdf_url, visitors get a link to that PDF instead of the generated one.',
  ],
  public: ['Which fields of `candidate` the landing page may show to everybody; [] for none.'],
};

/** Shown for lists that are empty. */
const examples: typeof comments = {
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
