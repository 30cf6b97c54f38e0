import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Document, Scalar, visit } from 'yaml';
import { Profile } from '../../model/profile/profile-document.ts';
import { ResumeDocument } from '../../model/profile/resume-document.ts';
import { emptyTextsOf } from './empty-texts.ts';
import { comments, examples, introduction } from './profile-comments.ts';

const schemaPath = fileURLToPath(new URL('../../../profile.schema.json', import.meta.url));

interface Options {
  /** The command that the comments say checks the document. */
  readonly checkCommand?: string;
  /** The address of a picture of the owner: a comment says how to print it. */
  readonly photo?: string | undefined;
}

/**
 * Writes a profile document with comments that explain each section, and one that says what to do on the line of each text that
 * is empty. `directory` is the folder it will be saved in.
 */
export function toProfileYaml(
  profile: Profile,
  directory: string,
  { checkCommand = 'candidate-profile check profile.yaml', photo }: Options = {},
): string {
  const schema = `yaml-language-server: $schema=${relative(directory, schemaPath)}`;
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
  return [toComment([schema, '', `Your profile. To check it: ${checkCommand}`, ...introduction]), ...sections].join(
    '\n',
  );
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
};

function photoHint(address: string): string {
  // A picture may also be part of the resume, as a data URL.
  const isAddress = /^https?:\S{1,200}$/.test(address);
  return `
  # Your resume has a picture${isAddress ? `, ${address}` : ''}. To print one, save it beside this file and remove the next #.
  # photo: photo.jpg
`;
}

const toComment = (lines: readonly string[]) => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join('');

function toYaml(section: object): string {
  const document = new Document(section, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(key, node) {
      // Prose is easier to edit in a block, which needs no quotes.
      if (key === 'value' && /^\S.{90,}\S$/.test(String(node.value))) node.type = Scalar.BLOCK_FOLDED;
    },
  });
  for (const { path, task } of emptyTextsOf(section)) (document.getIn(path, true) as Scalar).comment = ` TODO: ${task}`;
  // Quoted text is not folded: the library does not always read folded quoted text back unchanged.
  return document.toString({ lineWidth: 120, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}
