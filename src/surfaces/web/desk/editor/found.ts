import { html } from 'hono/html';
import { totalOf } from 'resume-import/report/loss-report';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { countCodePoints, pluralize, toVisible } from 'resume-profile/text';
import type { ImportAccount } from '../../../../model/profile/read-resume.ts';
import type { Html } from '../../page.ts';
import type { Imported } from './findings.ts';

/** The parts of a profile, in order. */
const parts = {
  contact: 'Name and contact',
  summary: 'Summary',
  experience: 'Work',
  projects: 'Projects',
  education: 'Education',
  skills: 'Skills',
  certifications: 'Certifications',
  languages: 'Languages',
  publications: 'Publications',
  awards: 'Awards',
  volunteer: 'Volunteering',
  interests: 'Interests',
  references: 'References',
  sections: 'Sections of your own',
  notes: 'Notes',
};

/** Returns what a text that was made of a file contains, and what was left out, by part. */
export function found({ name: file, text, account }: Imported): Html {
  const { profile } = account.checked.profile === null ? readProfileText(text) : account.checked;
  const rows = Object.entries(parts)
    .map(([name, title]) => ({
      title,
      content: profile === null ? '' : contentOf(name, profile),
      lines: account.sections.flatMap(({ section, losses, notes }) => [
        ...(partOf(section) === name ? losses.map((loss) => html`Left out: ${toVisible(loss)}`) : []),
        ...(name === 'notes' ? notes.map((note) => html`${toVisible(note)}`) : []),
      ]),
    }))
    .filter(({ content, lines }) => content !== '' || lines.length > 0);
  return html`<h2><bdi>${toVisible(file)}</bdi></h2>
<p>Read as ${account.format}.</p>
<table class="found">
<thead><tr><th scope="col">Section</th><th scope="col">Found</th><th scope="col">To look at</th></tr></thead>
<tbody>${rows.map(
    ({ title, content, lines }) => html`
<tr><th scope="row">${title}</th><td>${toVisible(content)}</td><td class="attention">${lines.length === 0 ? '' : list(lines)}</td></tr>`,
  )}
</tbody>
</table>
<p>${keptOf(account)}</p>`;
}

/** The parts by the sections of a loss report, if their names differ. */
const partsBySection = new Map([
  ['work', 'experience'],
  ['work: place and website', 'experience'],
  ['name, title, summary, contact', 'contact'],
  ['links', 'contact'],
  ['location', 'contact'],
  ['further sections', 'sections'],
  ['other', 'sections'],
]);

const partOf = (section: string): string => partsBySection.get(section) ?? section;

const maxListed = 5;

const list = (lines: readonly Html[]): Html =>
  html`<ul class="unmarked">${lines.slice(0, maxListed).map((line) => html`<li>${line}</li>`)}${
    lines.length > maxListed ? html`<li>and ${lines.length - maxListed} more</li>` : ''
  }</ul>`;

function keptOf({ sections }: ImportAccount): string {
  const { values, kept, noted } = totalOf(sections);
  const inNotes = noted === 0 ? '' : `, ${noted} of them in notes`;
  const share = kept === values ? `All ${pluralize(values, 'value')}` : `${kept} of the ${pluralize(values, 'value')}`;
  return `${share} of the file are in it${inNotes}. Nothing was added that the file does not say, but for what the editor marks.`;
}

/** Describes the content of a part of the profile, '' if it has none. */
function contentOf(name: string, profile: Profile): string {
  const { candidate, experience, projects, notes = [], resume } = profile;
  const roles = experience.flatMap((company) => company.roles);
  const achievements = roles.flatMap(({ accomplishments }) => accomplishments).length;
  const counts: Record<string, readonly (readonly [count: number | undefined, noun: string])[]> = {
    contact: [[resume.links?.length, 'link']],
    experience: [
      [experience.length, 'employer'],
      [roles.length, 'role'],
      [achievements, 'achievement'],
    ],
    projects: [[projects.length, 'project']],
    education: [[resume.education?.length, 'school']],
    skills: [[resume.skills.length, 'skill']],
    certifications: [[resume.certifications?.length, 'certification']],
    languages: [[resume.languages?.length, 'language']],
    publications: [[resume.publications?.length, 'publication']],
    awards: [[resume.awards?.length, 'award']],
    volunteer: [[resume.volunteer?.length, 'volunteer role']],
    interests: [[resume.interests?.length, 'interest']],
    references: [[resume.references?.entries.length, 'reference']],
    sections: [[resume.sections?.length, 'section']],
    notes: [[notes.length, 'note']],
  };
  const counted = (counts[name] ?? []).flatMap(([count = 0, noun]) => (count === 0 ? [] : pluralize(count, noun)));
  const texts = name === 'contact' ? [candidate.name, candidate.location].filter((text) => text !== '') : [];
  if (name === 'summary' && candidate.summary !== '')
    return `a text of ${pluralize(countCodePoints(candidate.summary), 'character')}`;
  const isUnprinted = name === 'references' && counted.length > 0 && resume.references?.print !== true;
  const ending = isUnprinted
    ? ', not printed unless you tick “Print them”'
    : name === 'notes' && notes.length > 0
      ? ' for you, shown to nobody'
      : '';
  const named = namesOf(name, profile);
  const more = named.length - maxNamed;
  const names = [...named.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])];
  return [...texts, ...counted].join(', ') + (names.length === 0 ? '' : `: ${names.join(' · ')}`) + ending;
}

const maxNamed = 4;

/** Returns the names of the entries in a part, so that the owner sees whether they were read well. */
function namesOf(name: string, { experience, projects, resume }: Profile): readonly string[] {
  const names: Record<string, readonly (string | undefined)[] | undefined> = {
    experience: experience.map(({ company }) => company),
    projects: projects.map((project) => project.name),
    education: resume.education?.map(({ institution, area, degree }) => institution ?? area ?? degree),
    skills: resume.skills,
    certifications: resume.certifications?.map((certification) => certification.name),
    languages: resume.languages?.map(({ language }) => language),
    publications: resume.publications?.map((publication) => publication.name),
    awards: resume.awards?.map(({ title }) => title),
    volunteer: resume.volunteer?.map(({ organization, role }) => organization ?? role),
    interests: resume.interests?.map((interest) => interest.name),
    sections: resume.sections?.map(({ title }) => title),
  };
  return (names[name] ?? []).flatMap((one = '') =>
    one === '' ? [] : [...one].length > maxNameLength ? `${[...one].slice(0, maxNameLength).join('').trimEnd()}…` : one,
  );
}

const maxNameLength = 40;
