import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readProfile } from '../../src/adapters/profile/profile-file.ts';
import { operations } from '../../src/operations/index.ts';
import { toSummaryRequest } from '../../src/surfaces/mcp/catalogue.ts';
import { signIn } from '../support/desk.ts';
import { stateIn } from '../support/editor-desk.ts';
import { everySectionPath } from '../support/files.ts';
import { openPage, openUntilEnd, openVisitor } from '../support/pages.ts';

/** A profile in which nobody has written a text that may be empty, and all of it is public. */
function unwritten() {
  const { owner_email, experience, projects, resume, candidate } = readProfile(everySectionPath).profile!;
  return {
    owner_email,
    candidate: { ...candidate, name: '', title: '', location: '', summary: '', years_experience: 0 },
    experience: experience.map((entry) => ({
      ...entry,
      company: '',
      summary: '',
      roles: entry.roles.map((role) => ({ ...role, title: '' })),
    })),
    projects: projects.map((project) => ({ ...project, name: '', summary: '' })),
    availability: { status: '' },
    resume,
    public: ['name', 'title', 'location', 'summary', 'years_experience', 'domains'],
  };
}

const service = await openUntilEnd({ after }, {}, JSON.stringify(unwritten()));

const textOf = async (response: Response | Promise<Response>) => (await response).text();
/** Elements without text, and what an empty text leaves between others. */
const leftovers = /<(h\d|p|title|bdi|span class="beside")[^>]*>\s*<\/|content=""|>\s*· <\/|, <\/|undefined|null/;
const withoutScripts = (page: string) => page.replace(/<script(?! type="application\/ld\+json").*?<\/script>/gs, '');

test('the page before access calls the profile by neutral words, and shows nothing that nobody wrote', async () => {
  const page = withoutScripts(await textOf(openPage(service, '/')));
  assert.match(page, /<title>A professional profile<\/title>/);
  assert.match(page, /<h1 dir="auto">A professional profile<\/h1>\n\n/);
  assert.match(page, /<meta property="og:title" content="A professional profile">/);
  assert.match(page, /og:image:alt" content="A professional profile">/);
  assert.match(page, /The candidate<\/bdi> sees your address/);
  assert.doesNotMatch(page, /application\/ld\+json/);
  assert.doesNotMatch(page, leftovers);
});

test('the page with access leaves out what is empty, and keeps dates and accomplishments', async () => {
  const page = withoutScripts(await textOf(openVisitor(service).post('/profile', { token: service.token })));
  assert.match(page, /<title>Resume<\/title>/);
  assert.match(page, /<h1 dir="auto">Resume<\/h1>/);
  assert.match(page, /<h2 id="write">Write a message<\/h2>/);
  assert.match(page, /The candidate sees what you read with it\./);
  assert.match(page, /<article>\n?<header>\n\n<p class="dates"/);
  assert.match(page, /Measured sediment in nine rivers/);
  assert.doesNotMatch(page, /Availability:|of experience/);
  assert.doesNotMatch(page, leftovers);
});

test('roles at a company without a name are headings of the level of companies', async (t) => {
  const [job] = readProfile(everySectionPath).profile!.experience;
  const profile = { ...unwritten(), experience: [{ ...job!, company: '' }] };
  const other = await openUntilEnd(t, {}, JSON.stringify(profile));
  const page = await textOf(openVisitor(other).post('/profile', { token: other.token }));
  assert.match(page, /<h3 dir="auto">Lead Hydrologist</);
  assert.doesNotMatch(page, /<h4/);
});

test('the record of a token, what is kept, and the documents for programs leave out what is empty', async () => {
  const visitor = openVisitor(service);
  await visitor.post('/profile', { token: service.token });
  const record = await textOf(visitor.get('/profile/record'));
  assert.match(record, /The candidate sees this list\./);
  assert.match(await textOf(openPage(service, '/privacy')), /belongs to one person: the candidate\./);
  const llms = await textOf(service.ask('/llms.txt'));
  assert.match(llms, /^# A professional profile\n\n> Experience, projects, skills/);
  assert.doesNotMatch(llms, /- (Location|Years)/);
  assert.equal((await service.ask('/og.png')).status, 200);
  assert.doesNotMatch(await textOf(service.ask('/favicon.svg')), /<text/);
});

test('the prompt asks for a profile of the candidate, without a name', () => {
  for (const name of ['', '\u200b']) {
    const request = toSummaryRequest({ name: 'candidate_profile_summary' }, operations, name);
    assert.match(request, /^Summarise the professional profile of the candidate\.$/m);
  }
});

test('the PDF of a candidate without a name is printed, and has a neutral file name', async () => {
  const visitor = openVisitor(service);
  await visitor.getAccess();
  const link = (await visitor.send('/profile/pdf')).headers.get('location')!;
  const pdf = await service.send(new Request(link));
  assert.equal(pdf.headers.get('content-disposition'), 'inline; filename="resume.pdf"');
});

test('the desk tells the owner of each kind of empty text', async () => {
  const { findings } = stateIn(await textOf((await signIn(service)).get('/desk/profile'))).copy;
  const summaries = findings.map(({ summary }) => summary);
  assert.ok(summaries.includes('Your name is empty.'));
  assert.ok(summaries.includes('Your title: is empty; write your title, such as Staff Engineer.'));
  assert.ok(summaries.includes('Company: is empty, like 1 more of its kind; write the name of the company.'));
  assert.equal(new Set(findings.map(({ pointer }) => pointer)).size, findings.length);
});

test('its answers keep the shapes of the specification, with empty texts [CANDIDATE-1] [AVAILABILITY-1]', async () => {
  const { candidate, experience } = unwritten();
  assert.deepEqual(await (await service.get('/candidate')).json(), candidate);
  const [first] = (await (await service.get('/experience')).json()) as { company: string; summary: string }[];
  assert.deepEqual([first!.company, first!.summary, experience.length], ['', '', 2]);
  assert.deepEqual(await (await service.get('/availability')).json(), { status: '' });
});
