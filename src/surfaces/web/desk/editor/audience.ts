import { html } from 'hono/html';
import { Background } from 'resume-profile/background';
import { Resume } from 'resume-profile/profile';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { pluralize, toVisible } from 'resume-profile/text';
import { candidateOf } from '../../../../operations/candidate.ts';
import type { Html, Site } from '../../page.ts';
import { type PublicProfile, publicProfileOf } from '../../public/public-profile.ts';
import { valueAt } from './document-values.ts';
import { fieldsByPath } from './fields.ts';
import { labelOf } from './labels.ts';
import { pathOf } from './outline.ts';
import { parts } from './parts.ts';

/** The fields that the owner makes public. */
export const publicPath = 'public';

/** Fields that show in the look and the language of the page. */
const alwaysPublic = ['accent', 'resume.language'];
/** Fields that the service gives to no visitor. */
const forOwner = ['owner_email', 'notes'];

/** Returns who can see a field of the document: anybody, visitors with access, or only the owner. */
function audienceOf(path: string, profile: Profile): 'anybody' | 'access' | 'owner' {
  const name = path.replace('candidate.', '').replace('.status', '');
  if (alwaysPublic.includes(path) || profile.public.some((one) => one === name)) return 'anybody';
  const isUnprinted = path === 'resume.references' && profile.resume.references?.print !== true;
  return isUnprinted || forOwner.includes(path) ? 'owner' : 'access';
}

/** Whether programs of visitors with access get a field, as well as readers of the page and the PDF. */
function isForPrograms(path: string, { background }: Profile): boolean {
  const [section, key = ''] = path.split('.');
  if (section !== 'resume') return true;
  return key in Resume.shape || (background === true && key in Background.shape);
}

interface Page {
  readonly site: Site;
  readonly draftId: string | null;
  readonly today: Date;
}

/** Returns remarks beside each field that can be public, and below these fields, and headings; null if a text has faults. */
export function audienceRemarks(text: string, page: Page): ReadonlyMap<string, Html> | null {
  const { profile } = readProfileText(text);
  const field = fieldsByPath().get(publicPath);
  if (profile === null || field?.kind !== 'choices') return null;
  const shown = publicProfileOf({ ...profile, public: field.options as Profile['public'] });
  return new Map([
    ...field.options.map((name): [string, Html] => [
      `${publicPath}.${name}`,
      html` <span class="soft small">${toVisible(wordsOf(shown[name as keyof PublicProfile]))}${name === 'years_experience' && countsYears(profile) ? '; programs of those with access get the years counted from your jobs' : ''}</span>`,
    ]),
    [publicPath, others(profile, page)],
    ['resume.downloads', html`<div class="audience"><h2>Assistants and other programs</h2></div>`],
  ]);
}

const maxShown = 200;

function wordsOf(value: PublicProfile[keyof PublicProfile]): string {
  if (value === undefined || isEmpty(value)) return 'nothing is written there yet';
  if (typeof value === 'object' && 'jobs' in value)
    return `${pluralize(value.jobs, 'job')}, ${pluralize(value.projects, 'project')}, and the pages of the PDF`;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return `“${text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}”`;
}

/** Lists the fields that are not public by who can see them, and the empty fields. */
function others(profile: Profile, { site, draftId, today }: Page): Html {
  const all = parts.filter(({ name, paths }) => name !== 'look' && !paths.includes(publicPath));
  const fields = all.flatMap((part) =>
    part.paths
      .filter((path) => path !== 'candidate.id')
      .map((path) => ({ part, path, label: labelOf(path).label, audience: audienceOf(path, profile) })),
  );
  const isWritten = ({ path }: { readonly path: string }) => !isEmpty(valueAt(profile, path.split('.')));
  const linksTo = (some: typeof fields) =>
    some.map(({ part, path, label }, index) => {
      const form = pathOf({ part, entry: null }, draftId);
      return html`${index === 0 ? '' : ', '}<a href="${site.path(form)}#${path}">${label}</a>`;
    });
  const written = fields.filter(isWritten);
  const granted = written.filter(({ audience }) => audience === 'access');
  const isCounted = ({ path }: { readonly path: string }) =>
    path === 'candidate.years_experience' && countsYears(profile);
  const { years_experience: years } = candidateOf({ profile, today: today.toISOString().slice(0, 10) });
  const hidden = (profile.resume.hides?.page ?? []).map((name) => `resume.${name}`);
  const [inPdf, onPage] = [true, false].map((isHidden) =>
    granted.filter(({ path }) => hidden.includes(path) === isHidden),
  );
  const rows = [
    ['On the page, in the PDF, and for their programs', onPage!.filter(({ path }) => isForPrograms(path, profile))],
    ['On the page and in the PDF alone', onPage!.filter(({ path }) => !isForPrograms(path, profile))],
    ['In the PDF alone', inPdf!],
  ] as const;
  const ofOwner = written.filter(({ audience }) => audience === 'owner');
  const counted = fields.filter(isCounted);
  const empty = fields.filter((one) => one.audience !== 'anybody' && !isWritten(one) && !isCounted(one));
  const isCut = profile.public.includes('summary') && isWritten({ path: 'candidate.summary' });
  return html`<p class="small soft">${isCut ? 'Of the summary, this is the first sentence. ' : ''}A stranger also sees the colour and the language that you chose.</p>
<div class="audience"><h2>Only those with access</h2>
<p class="small soft">They have given an e-mail address, or opened a link of yours, and stand under Readers.${isCut ? ' They also get the whole summary.' : ''}</p>
<dl>${rows.map(([title, some]) => (some.length === 0 ? '' : html`<dt>${title}</dt><dd>${linksTo(some)}</dd>`))}${counted.length === 0 ? '' : html`<dt>For their programs alone</dt><dd>${linksTo(counted)}, counted from the jobs: ${years}</dd>`}</dl>
<h2>Nobody but you</h2>
<p>${ofOwner.length === 0 ? 'Nothing.' : linksTo(ofOwner)}</p>
${empty.length === 0 ? '' : html`<details class="rare"><summary class="small">Where nothing is written yet</summary><p>For those with access: ${linksTo(empty.filter(({ audience }) => audience === 'access'))}.</p><p>For you alone: ${linksTo(empty.filter(({ audience }) => audience === 'owner'))}.</p></details>`}
<h2>The page and the PDF</h2></div>`;
}

const countsYears = ({ candidate, experience }: Profile): boolean =>
  isEmpty(candidate.years_experience) && experience.length > 0;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
