import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { totalOf } from 'resume-import/report/loss-report';
import { lint } from 'resume-profile/lint';
import type { Profile } from 'resume-profile/profile-document';
import { type DocumentFault, readProfileText } from 'resume-profile/profile-reader';
import { countCodePoints, pluralize, toVisible } from 'resume-profile/text';
import type { DocumentDraft } from '../../../../model/profile/document-state.ts';
import type { ImportAccount } from '../../../../model/profile/read-resume.ts';
import type { Html, Site } from '../../page.ts';
import { readValues, valueAt } from './document-values.ts';
import { fieldOf, toFaultLine, withLabels } from './form-faults.ts';
import { parts } from './parts.ts';

/** The account of an imported file, and the text of the draft that was made of it. */
export interface Imported {
  readonly account: ImportAccount;
  readonly text: string;
}

interface Shown {
  readonly draft: DocumentDraft;
  /** Null if this process has not read the file. */
  readonly imported: Imported | null;
  readonly site: Site;
}

/** Returns the content of a draft and the losses of the file, by section, and the address of the first field to look at. */
export function found({ draft, imported, site }: Shown): { readonly body: Html; readonly first: string } {
  const isAsRead = imported !== null && imported.text === draft.text;
  const { profile, written, locatedFaults } = isAsRead ? imported.account.checked : readProfileText(draft.text);
  const account = imported?.account ?? null;
  const findings: Finding[] = [
    ...locatedFaults,
    ...remarksOf({ text: draft.text, written, today: draft.savedAt }, imported),
  ];
  const placed = findings.map((finding) => ({ finding, field: fieldOf(finding.path, draft.id) }));
  const sections = account?.sections ?? [];
  const rows = parts
    .map(({ title, name }) => ({
      title,
      content: profile === null ? '' : contentOf(name, profile),
      lines: [
        ...placed.flatMap(({ finding, field }) =>
          field?.part.name === name
            ? html`<a href="${site.path(field.address)}">${toVisible(lineOf(finding, field.label))}</a>`
            : [],
        ),
        ...sections.flatMap(({ section, losses }) =>
          partOf(section) === name ? losses.map((loss) => html`Left out: ${toVisible(loss)}`) : [],
        ),
        ...(name === 'notes'
          ? sections.flatMap(({ notes }) =>
              notes.map(
                (note) =>
                  html`<a href="${site.path(`/desk/profile/edit/notes?draft=${draft.id}`)}">${toVisible(note)}</a>`,
              ),
            )
          : []),
      ],
    }))
    .filter(({ content, lines }) => content !== '' || lines.length > 0);
  const others = placed.filter(({ field }) => field === null);
  const body = html`<h2><bdi>${toVisible(draft.name)}</bdi></h2>
<p>${account === null ? 'It is kept as a draft.' : `Read as ${account.format}.`}</p>
<table class="found">
<thead><tr><th scope="col">Section</th><th scope="col">Found</th><th scope="col">To look at</th></tr></thead>
<tbody>${rows.map(
    ({ title, content, lines }) => html`
<tr><th scope="row">${title}</th><td>${toVisible(content)}</td><td class="attention">${lines.length === 0 ? '' : list(lines)}</td></tr>`,
  )}
</tbody>
</table>
${others.length === 0 ? '' : list(others.map(({ finding }) => html`${toVisible(lineOf(finding, ''))}`))}
${account === null ? '' : html`<p>${keptOf(account)}</p>`}`;
  const [first] = placed
    .flatMap(({ field }) => field ?? [])
    .toSorted(
      ({ part, rank }, other) =>
        parts.indexOf(part) - parts.indexOf(other.part) || rank[0] - other.rank[0] || rank[1] - other.rank[1],
    );
  return { body, first: first?.address ?? `/desk/profile/edit/contact?draft=${draft.id}` };
}

/** The parts of the editor by the sections of a loss report, if their names differ. */
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

type Remark = Pick<DocumentFault, 'path' | 'message'>;

/** Something that the owner should look at: a fault of the document, a value that was filled in, or a warning. */
type Finding = DocumentFault | Remark;

interface Remarked {
  readonly text: string;
  /** The profile in the order of the text; null if the text has faults. */
  readonly written: Profile | null;
  readonly today: Date;
}

/** Returns the warnings about a text, and the fields that an import filled in, unless they were changed since. */
export function remarksOf({ text, written, today }: Remarked, imported: Imported | null): readonly Remark[] {
  const filledIn = imported === null ? [] : stillFilledIn(text, imported);
  return joined([...filledIn, ...(written === null ? [] : lint(written, today))]);
}

function stillFilledIn(text: string, { account: { filledIn }, text: textThen }: Imported): readonly Remark[] {
  if (text === textThen) return filledIn;
  const [now, then] = [text, textThen].map(readValues);
  return filledIn.filter(({ path }) => {
    const steps = path.map(String);
    return isDeepStrictEqual(valueAt(now, steps), valueAt(then, steps));
  });
}

/** Joins the remarks on each field. */
const joined = (remarks: readonly Remark[]): Remark[] =>
  [...Map.groupBy(remarks, ({ path }) => path.join('.')).values()].map((same) => ({
    path: same[0]!.path,
    message: same.map(({ message }) => message).join('; '),
  }));

function lineOf(finding: Finding, label: string): string {
  if ('line' in finding) return toFaultLine(finding);
  return label === '' ? finding.message : `“${label}”: ${withLabels(finding.message)}`;
}

const maxListed = 5;

const list = (lines: readonly Html[]): Html =>
  html`<ul class="unmarked">${lines.slice(0, maxListed).map((line) => html`<li>${line}</li>`)}${
    lines.length > maxListed ? html`<li>and ${lines.length - maxListed} more</li>` : ''
  }</ul>`;

function keptOf({ sections }: ImportAccount): string {
  const { values, kept, noted } = totalOf(sections);
  const inNotes = noted === 0 ? '' : `, ${noted} of them in notes`;
  const share = kept === values ? `All ${pluralize(values, 'value')}` : `${kept} of the ${pluralize(values, 'value')}`;
  return `${share} of the file are in the draft${inNotes}. Nothing was added that it does not say, but for what is above.`;
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
