import type { InputCursor } from '../../source/input-cursor.ts';
import { joined, layoutReason } from '../../source/value.ts';
import type { Draft, Format } from '../draft.ts';
import { toPrintedLanguage } from '../printed-language.ts';
import { toSkills } from '../skill-groups.ts';
import { toContact, toProfileLinks } from './contact.ts';
import * as items from './items.ts';
import { toText } from './rich-text.ts';
import { toSections } from './sections.ts';

/** The JSON export of Reactive Resume 3, 4 and 5. If they name a field differently, readers list the name of version 4 first. */
export const reactiveResume: Format = {
  name: 'Reactive Resume',
  description: 'an object with basics and sections',
  recognises(file) {
    const input = resumeIn(file);
    return isOlder(input) || (input.at('basics').kind === 'object' && input.at('sections').kind === 'object');
  },
  toDraft(file) {
    const input = resumeIn(file);
    refuseUnknown(input);
    for (const parent of [file, input])
      for (const key of parent.keys)
        if (settings.test(key)) parent.at(key).exclude('It describes the file, not the person');
    const metadata = input.at('metadata');
    metadata.exclude(layoutReason);
    metadata.at('notes').exclude('It is a note to yourself');
    const { of, titleOf, custom } = toSections(input);
    const { links, further, ...contact } = toContact(input);
    const profiles = toProfileLinks(of('profiles'));
    return {
      ...contact,
      summary: joined(
        [input.at('basics').text('summary'), ...of('summary').map((section) => section.text('content', 'body'))].map(
          toText,
        ),
        '\n',
        'joined with the other summary',
      ),
      positions: of('experience').flatMap(items.toPositions),
      ...(titleOf('experience') && { positionsTitle: titleOf('experience')!.text }),
      projects: of('projects').map(items.toProject),
      ...toSkills(of('skills').map(items.toSkill)),
      links: [...links, ...profiles.links],
      education: of('education').map(items.toEducation),
      certifications: of('certifications').map(items.toCertification),
      languages: of('languages').map(items.toLanguage),
      publications: of('publications').map(items.toPublication),
      awards: of('awards').map(items.toAward),
      volunteer: of('volunteer').map(items.toVolunteering),
      interests: of('interests').map(items.toInterest),
      references: of('references').map(items.toReference),
      sections: [...custom, ...profiles.further, ...further],
      language: toPrintedLanguage(metadata.at('page').text('locale') ?? metadata.text('locale')),
    } satisfies Draft;
  },
};

const settings = /^(\$schema|version|id|public|slug|tags|title|visibility|locked|(is|created|updated|user)[A-Z]\w*)$/;

/** The resume in a file, which has it under `data` in version 1 and as the programming interface answers it. */
const resumeIn = (file: InputCursor) => (file.at('data').kind === 'object' ? file.at('data') : file);

/** Whether a resume is one of version 1 or 2, whose sections stand beside the profile. */
function isOlder(input: InputCursor): boolean {
  const sections = ['work', 'education', 'social', 'skills', 'awards'].map((key) => input.at(key));
  return input.at('profile').kind === 'object' && sections.some((section) => section.at('items').kind === 'list');
}

function refuseUnknown(input: InputCursor): void {
  const refuse = (version: string) => {
    throw new Error(`is a Reactive Resume of ${version}, which cannot be read; versions 3, 4 and 5 can`);
  };
  const stated = input.text('version') ?? input.at('metadata').text('version');
  const [major] = /^\d+/.exec(stated?.text ?? '') ?? [];
  if (major !== undefined && !/^[345]$/.test(major)) refuse(`version ${major}`);
  if (isOlder(input)) refuse(input.at('work').keys.includes('enable') ? 'version 1' : 'version 2');
  const sections = input.at('sections');
  const isKnown = sections.keys.some(
    (key) => key === 'custom' || ['items', 'content'].some((list) => sections.at(key).keys.includes(list)),
  );
  if (sections.keys.length > 0 && !isKnown) refuse('an unknown version');
}
