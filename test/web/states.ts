import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { resumeFile } from '../support/files.ts';
import { eventually } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { askToConnect, codeSentTo, enterAddress, enterCode, otherCode } from './connect.ts';
import type { Served } from './served.ts';
import {
  askForLink,
  enterSetupCode,
  eraseRecord,
  getAccess,
  getTokenOfDocs,
  seeRecord,
  showToken,
  skipBrowserChecks,
  writeMessage,
} from './steps.ts';
import { linkTo } from './visits.ts';

/** A page in one of its states. */
export interface State {
  /** As a file name: words with hyphens. */
  readonly name: string;
  /** The caption of its picture. */
  readonly shows: string;
  /** Where a picture of it begins, as a selector; at the top of the page unless given. */
  readonly from?: string;
  open(page: Page, service: Served): Promise<unknown>;
}

const state = (name: string, shows: string, open: State['open'], from?: string): State => ({
  ...{ name, shows, open, ...(from !== undefined && { from }) },
});

const at = (name: string, path: string, shows: string): State => state(name, shows, (page) => page.goto(path));

/** The profile with access, after what a visitor does on it. */
const withAccess = (name: string, shows: string, act?: State['open'], from?: string): State => {
  const open: State['open'] = async (page, service) => {
    await getAccess(page);
    await act?.(page, service);
  };
  return state(name, shows, open, from);
};

const message = (name: string, from: string, shows: string): State =>
  state(name, shows, async (page) => {
    await page.goto('/desk/inbox');
    await page.getByRole('link', { name: from }).first().click();
    await page.locator('.message').waitFor();
  });

/** The page of a message with a reply, which is written unless it is there, once its state has the words. */
const replied = (name: string, from: string, reply: string, words: string, shows: string): State => ({
  name,
  shows,
  async open(page) {
    await message(name, from, shows).open(page, undefined as never);
    if ((await page.locator('.reply').count()) === 0) {
      await page.getByLabel('Your reply').fill(reply);
      await page.getByRole('button', { name: 'Send the reply' }).click();
      await page.locator('.reply').waitFor();
    }
    await eventually(async () => {
      if ((await page.locator('.reply-state').innerText()).includes(words)) return true;
      await page.reload();
      return false;
    });
  },
});

/** Waits until the editor shows the resume. */
async function openEditor(page: Page, place = ''): Promise<void> {
  await page.goto(`/desk/profile${place}`);
  await page.locator('.ed-middle > *').first().waitFor();
}

/** Types at the end of the title on the paper. */
async function typeIntoTitle(page: Page, text: string): Promise<void> {
  const title = page.locator('.paper-title.text, .paper-title .text').first();
  await title.press('ControlOrMeta+End');
  await title.pressSequentially(text);
}

/** The editor, after something was done in it. */
const editing = (name: string, shows: string, act?: (page: Page) => Promise<unknown>, place = ''): State =>
  state(name, shows, async (page) => {
    await openEditor(page, place);
    await act?.(page);
  });

/** Changes the file of the profile, and waits until a page of the desk has the words, or has them no more. */
async function changeFile(
  page: Page,
  { profile }: Served,
  edit: (text: string) => string,
  words: RegExp,
): Promise<void> {
  const before = readFileSync(profile, 'utf8');
  const after = edit(before);
  if (after !== before) writeFileSync(profile, after);
  await eventually(async () => words.test(await (await page.request.get('/desk/profile')).text()));
}

/** Gives the profile views, unless it has them; the first job, and the last of what was achieved in it, are not in both. */
const publishViews = (page: Page, service: Served, names = ['systems', 'management']): Promise<void> =>
  changeFile(
    page,
    service,
    (text) =>
      `${text
        .replace(/^views:[\s\S]*/m, '')
        .replace(/^( *)- id: exp_confluent\n(?!.*in:)/m, '$1- id: exp_confluent\n$1  in: [systems]\n')
        .replace(
          /(?<!management\] \}\n)^( *)- Led a six-engineer /m,
          '$1- { text: "הובלתי צוות של שישה", in: [management] }\n$&',
        )}views:\n${names.map((name) => `  ${name}: { title: Staff Engineer, hide: [languages] }\n`).join('')}`,
    names.includes('systems') ? /"views":\{"systems"/ : /"views":\{"management"/,
  );

/** The page of a reader who has a token with a view of the profile. */
const readerOfView = (name: string, shows: string, act: State['open'] = async () => {}): State => ({
  name,
  shows,
  from: '.tokens',
  async open(page, service) {
    await publishViews(page, service);
    await page.goto('/desk/readers');
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByLabel('View').first().selectOption('systems');
    await page.getByRole('button', { name: 'Set' }).first().click();
    await page.getByText('The view is set.').waitFor();
    await act(page, service);
  },
});

/** Opens the profile through a link. */
async function openLink(page: Page, service: Served, name: string): Promise<void> {
  await page.goto(await linkTo(service, name));
  await page.getByRole('button', { name: 'Open the profile' }).click();
  await page.getByText('You are here through a link.').waitFor();
}

/** Makes a link at the desk. */
async function makeLink(page: Page, name: string): Promise<void> {
  await page.goto('/desk/share');
  await page.getByLabel('For whom').fill(name);
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByText(`The link for ${name}.`).waitFor();
}

const question = 'Would you talk to us about storage?';

/** The states that visitors and integrators see. */
export const publicStates: readonly State[] = [
  at('landing', '/', 'The page before access: what is public, what is behind it, and what giving an address means.'),
  state('landing-wrong-address', 'What is not an address is kept in its field, with what to do.', async (page) => {
    await page.goto('/');
    await skipBrowserChecks(page);
    await page.getByLabel('Your e-mail address').fill('ada@');
    await page.getByRole('button', { name: 'Open the profile' }).click();
    await page.locator('#email-fault').waitFor();
  }),
  withAccess(
    'profile',
    'The profile with access: what the PDF shows; beside what is read, what is looked up, and a form to write.',
  ),
  withAccess(
    'profile-token-shown',
    'After the visitor has asked to see the token: what to paste into each program.',
    showToken,
    '.foot',
  ),
  withAccess('landing-left', 'After the visitor has left.', async (page) => {
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('You have left').waitFor();
  }),
  state('landing-access-ended', 'A browser whose session has ended.', async (page, { url }) => {
    await page.context().addCookies([{ name: 'visitor', value: 'x'.repeat(43), url }]);
    await page.goto('/');
    await page.getByText('Your access from this browser has ended').waitFor();
  }),
  at('landing-cookie-refused', '/profile/opened', 'A browser that has not kept the cookie.'),
  withAccess('profile-message-sent', 'After a message was sent.', async (page) => {
    await writeMessage(page, question);
    await page.getByText('Your message was sent.').waitFor();
  }),
  withAccess(
    'profile-message-refused',
    'A message without a name and a company: a summary leads to both, and what was typed stays.',
    async (page) => {
      await skipBrowserChecks(page);
      await writeMessage(page, question, '', '');
      await page.locator('#write-name-fault').waitFor();
    },
  ),
  withAccess(
    'profile-store-locked',
    'A message that cannot be stored at the moment: nothing typed is lost.',
    async (page, { database }) => {
      const other = openSqliteFile(database);
      other.exec('begin immediate');
      await writeMessage(page, question);
      await page.getByText('Nothing was sent.').waitFor();
      other.close();
    },
  ),
  withAccess('record', 'What the candidate sees of a visit, for the visitor to see and erase.', seeRecord),
  withAccess('record-erased', 'The same, erased.', async (page) => {
    await seeRecord(page);
    await eraseRecord(page);
  }),
  state('connect', 'A client asks to connect: who asks, and for the address of the visitor.', (page, service) =>
    askToConnect(page, service),
  ),
  state('connect-code', 'With VERIFY_EMAIL=on, the code that was sent to the address.', async (page, service) => {
    await askToConnect(page, service);
    await enterAddress(page);
  }),
  state('connect-code-wrong', 'A code that is not the one: how many tries are left.', async (page, service) => {
    await askToConnect(page, service);
    await enterCode(page, await otherCode(service, await enterAddress(page)));
    await page.locator('#code-fault').waitFor();
  }),
  state(
    'connect-consent',
    'What the client may do, where the visitor goes back to, and what the candidate sees.',
    async (page, service) => {
      await askToConnect(page, service);
      await enterCode(page, await codeSentTo(service, await enterAddress(page)));
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
  ),
  state(
    'connect-consent-this-computer',
    'A program on the computer of the visitor, which asks to write, too: a warning.',
    async (page, service) => {
      await askToConnect(page, service, {
        name: 'A program with a name that is much longer than the names of programs usually are',
        redirectUri: 'http://127.0.0.1:33418/callback',
        scope: 'profile:read contact:write',
      });
      await enterCode(page, await codeSentTo(service, await enterAddress(page)));
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
  ),
  at('connect-ended', '/oauth/consent/ended', 'A request to connect that has expired or was answered.'),
  at('connect-wrong', '/oauth/authorize?client_id=nobody', 'A request to connect of a client that is not known.'),
  at(
    'connect-unreachable',
    '/oauth/authorize?client_id=https%3A%2F%2Fclient.invalid%2Fclient.json',
    'A request to connect of a client whose document cannot be fetched.',
  ),
  state('link', 'A link of the owner’s: whose profile it is, and a button that opens it.', async (page, service) =>
    page.goto(await linkTo(service, 'Acme, staff engineer')),
  ),
  state(
    'link-opened',
    'The profile through a link: the form asks for an address to answer to.',
    (page, service) => openLink(page, service, 'Acme, staff engineer'),
    '#write',
  ),
  state(
    'link-opened-no-write',
    'The profile through a link with which nobody can write or connect a program.',
    (page, service) => openLink(page, service, 'My page on the web'),
  ),
  at('link-nothing', '/s/AAAAAAAAAAAAAAAAAAAAAA', 'A link that has ended, or was cut off: one page for all.'),
  state(
    'connect-consent-link',
    'A client asks somebody who came through a link: for no address.',
    async (page, service) => {
      await openLink(page, service, 'Acme, staff engineer');
      await askToConnect(page, service);
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    },
  ),
  at('privacy', '/privacy', 'What is kept of a visitor, and for how long.'),
  at('docs', '/docs', 'The reference: prose on the left, a real answer on the right.'),
  state(
    'docs-tried',
    'An operation tried in place, with a token got on the page.',
    async (page) => {
      await getTokenOfDocs(page);
      await page.locator('[data-answer=list_experience-shown] button').click();
      await page.locator('#list_experience-shown').getByText('200 OK').waitFor();
    },
    '#list_experience',
  ),
  withAccess(
    'docs-session',
    'The reference while the profile is open in the browser: it offers to read this profile for its examples.',
    async (page) => {
      await page.goto('/docs');
      await page.getByRole('button', { name: 'Show this profile' }).waitFor();
    },
  ),
  at('docs-mcp', '/docs/mcp', 'The tools, the resources and the prompt, each with a real exchange.'),
  at('docs-client', '/docs/client', 'The client that the service offers, with a program that runs.'),
  at('not-found', '/nothing-here', 'A page that is not there.'),
  at('desk-closed', '/desk', 'The desk without a session.'),
  at('desk-link-mailed', '/desk/sign-in/sent', 'The same page whether a mail was sent or not.'),
  state(
    'desk-link-confirm',
    'A link from the mail signs in only after a press of the button.',
    async (page, { inbox }) => page.goto(await askForLink(page, inbox)),
  ),
  at('desk-link-unknown', '/desk/sign-in?link=unknown', 'A link that was cut off.'),
];

/** The states that visitors see if limits are not lifted. */
export const limitedStates: readonly State[] = [
  withAccess(
    'profile-limit-hit',
    'More messages than an hour allows: when to come back, and what was typed.',
    async (page) => {
      const refused = page.getByText('Nothing was sent.');
      while ((await refused.count()) === 0) await writeMessage(page, question);
      await page.getByText('Try again in 60 minutes.').waitFor();
    },
  ),
];

/** The states that the owner sees after the visits of `visits.ts`. */
export const deskStates: readonly State[] = [
  at('desk-today', '/desk', 'Today: what happened since the last visit, and what needs doing.'),
  at('desk-readers', '/desk/readers', 'Readers: who read what, with which program, and when.'),
  state('desk-readers-revoking', 'Revoking asks once, in place, and names what ends.', async (page) => {
    await page.goto('/desk/readers');
    await page.getByText('Revoke', { exact: true }).last().click();
  }),
  state('desk-readers-visits', 'The visits of a reader, under what they did in all of them.', async (page) => {
    await page.goto('/desk/readers?period=30');
    await page.locator('.visits summary').first().click();
  }),
  at('desk-readers-nobody-found', '/desk/readers?q=nobody', 'A search that finds nobody.'),
  state('desk-reader', 'One reader: tokens, a note, and what happened.', async (page) => {
    await page.goto('/desk/readers');
    await page.getByRole('link', { name: 'ada@example.com' }).click();
  }),
  at('desk-inbox', '/desk/inbox', 'Inbox: the messages, unread ones marked.'),
  at('desk-inbox-nothing-found', '/desk/inbox?q=nothing', 'A search that finds nothing.'),
  message('desk-message', 'Ada King', 'A message.'),
  message('desk-message-right-to-left', 'דנה', 'A message that is read from right to left.'),
  message('desk-message-without-a-space', 'No Space', 'A message of 10,000 characters without a space.'),
  replied(
    'desk-message-replied',
    'Ada King',
    'Dear Ada,\n\ngladly. Would the second week of December suit you?\n\nLena',
    'Sent',
    'A message with the reply that was sent.',
  ),
  replied(
    'desk-message-reply-waiting',
    'דנה',
    'תודה, אשמח לדבר.',
    'Not sent yet',
    'A reply that is tried again later.',
  ),
  replied(
    'desk-message-reply-failed',
    'Grace Hopper',
    'Dear Grace, please send it.',
    'Not sent.',
    'A reply that the mail server refused, with the reason.',
  ),
  at('desk-share', '/desk/share', 'Share: the links, what was done through each, and a form for a new one.'),
  state('desk-share-made', 'A link that was made just now, to be copied.', (page) =>
    makeLink(page, 'Initech, platform lead'),
  ),
  state('desk-share-wrong', 'A link that is not made: why, and what was typed stays.', async (page) => {
    await page.goto('/desk/share');
    await skipBrowserChecks(page);
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText('No link was made').waitFor();
  }),
  state('desk-share-link', 'One link: its address, a QR code of it, and its name.', async (page) => {
    await page.goto('/desk/share');
    await page.getByRole('link', { name: 'Acme, staff engineer' }).click();
    await page.getByRole('heading', { name: 'Acme, staff engineer' }).waitFor();
  }),
  state('desk-share-ending', 'Ending asks once, in place, and says what ends.', async (page) => {
    await page.goto('/desk/share');
    await page.getByText('End', { exact: true }).first().click();
  }),
  state('desk-share-ended', 'After a link was ended: it is listed for 90 days.', async (page) => {
    await makeLink(page, 'Hooli');
    await page.getByRole('row').filter({ hasText: 'Hooli' }).getByText('End', { exact: true }).click();
    await page.getByRole('button', { name: 'End the link' }).click();
    await page.getByText('that ended within 90 days').click();
  }),
  editing('desk-profile', 'Profile: the resume itself, edited where it stands; beside it what becomes of it.'),
  editing('desk-profile-job', 'A job that is edited: what can be added stands where it would be.', async (page) =>
    page.locator('.entry .text').first().click(),
  ),
  editing('desk-profile-dates', 'The dates of a job: months, or typed in any way.', async (page) => {
    await page.locator('button.date').first().click();
    await page.locator('.date-pop').waitFor();
  }),
  editing('desk-profile-not-saved', 'What is typed while the service cannot be reached is kept.', async (page) => {
    await page.route('**/desk/profile/changes', (route) => route.fulfill({ status: 503, body: '{}' }));
    await typeIntoTitle(page, ', Streams');
    await page.getByText('Not saved yet', { exact: true }).waitFor();
    await page.unroute('**/desk/profile/changes');
  }),
  editing(
    'desk-profile-publish',
    'What will be published, in words, each with a way to take it back.',
    async (page) => {
      await typeIntoTitle(page, ' and Queues');
      await page.getByRole('button', { name: /^Publish \d/ }).click();
      await page.getByRole('button', { name: 'Take back' }).first().waitFor();
    },
  ),
  editing('desk-profile-look', 'How the PDF looks, chosen by pictures of the resume.', undefined, '#look'),
  editing('desk-profile-readers', 'Who sees what, in one table.', undefined, '#seen'),
  editing('desk-profile-versions', 'Versions for readers: each leaves something out.', undefined, '#versions'),
  state('desk-profile-version', 'A version, ticked on the paper.', async (page, service) => {
    await publishViews(page, service);
    await openEditor(page, '#version=systems');
    await page.locator('label.tick').first().waitFor();
  }),
  at('desk-yaml', '/desk/profile/yaml', 'The profile as YAML, with colours and its faults at their lines.'),
  at('desk-proposals', '/desk/profile/proposals', 'Proposals: what was read or kept, and is not in the resume.'),
  at('desk-history', '/desk/profile/history', 'History: each text that was published or changed outside.'),
  at('desk-version', '/desk/profile/history/1', 'A version: what restoring it changes, and what it changed.'),
  readerOfView('desk-reader-view', 'A reader with a token that reads a view.'),
  readerOfView(
    'desk-reader-view-gone',
    'The same reader once the profile does not have the view any more.',
    async (page, service) => {
      const { pathname } = new URL(page.url());
      await publishViews(page, service, ['management']);
      await page.goto(pathname);
    },
  ),
  at('desk-mail', '/desk/mail', 'Mail: what waits and why, and what was given up.'),
  at('desk-not-found', '/desk/readers/nobody', 'A reader who is not there.'),
];

/** The states that the owner of a new service sees. */
export const emptyDeskStates: readonly State[] = [
  at('desk-empty-today', '/desk', 'Today, before anybody came.'),
  at('desk-empty-readers', '/desk/readers', 'Readers, before anybody came.'),
  at('desk-empty-inbox', '/desk/inbox', 'Inbox, before anybody wrote.'),
  at('desk-empty-share', '/desk/share', 'Share, before there is a link.'),
  at('desk-empty-proposals', '/desk/profile/proposals', 'Proposals, before there is one.'),
  at('desk-empty-mail', '/desk/mail', 'Mail, with nothing waiting.'),
];

/** The desk of a service without a profile, signed in with the code. */
const setUp = (name: string, path: string, shows: string): State => ({
  name,
  shows,
  async open(page) {
    await enterSetupCode(page);
    await page.getByRole('heading', { name: 'Put your profile here' }).waitFor();
    await page.goto(path);
  },
});

/** The states of a service without a profile. */
export const setupStates: readonly State[] = [
  at('setup-landing', '/', 'The page before there is a profile.'),
  at('setup-sign-in', '/desk', 'The desk asks for the code of the settings, or sends a link.'),
  state('setup-wrong-code', 'A wrong code.', async (page) => {
    await enterSetupCode(page, 'not the code of anybody');
    await page.locator('#code-fault').waitFor();
  }),
  setUp('setup-first-profile', '/desk/profile/import', 'With the code: where the first profile comes from.'),
  setUp('setup-yaml', '/desk/profile/yaml', 'The first profile, to be written as YAML.'),
  state('setup-too-early', 'A form that needs a profile, before there is one.', async (page) => {
    await enterSetupCode(page);
    await page.goto('/desk/profile/yaml');
    await page.locator('form.source').evaluate((form: HTMLFormElement) => {
      form.action = '/desk/share/new';
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'There is no profile yet' }).waitFor();
  }),
];

type Chosen = string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Chooses a file for one's own profile, and has it read. */
async function readResume(page: Page, file: Chosen): Promise<void> {
  await page.goto('/desk/profile/import');
  await page.getByLabel('Drop your resume here').setInputFiles(file);
  await page.getByRole('button', { name: 'Read it' }).click();
}

const resumeRightToLeft = {
  basics: { name: 'דנה לוי', label: 'מהנדסת תוכנה', email: 'dana@levi.dev', location: { city: 'תל אביב' } },
  work: [{ name: 'מערכות אחסון', position: 'ראש צוות', startDate: '2020-03', highlights: ['הקמתי צוות של שישה'] }],
  skills: [{ name: 'PostgreSQL' }],
};

/** The states that the owner sees while the sample is served. */
export const sampleStates: readonly State[] = [
  at('sample-landing', '/', 'The page of the sample, to its owner, who is signed in at the desk.'),
  at('sample-today', '/desk', 'Today, while the sample is served.'),
  at(
    'first-profile',
    '/desk/profile/import',
    'Where one’s own profile comes from: a file, an empty page, or an editor.',
  ),
  state(
    'first-profile-found',
    'What was found in a resume, what was left out, and what to look at, before anything is published.',
    async (page) => {
      await readResume(page, resumeFile('jsonresume-hard.json'));
      await page.getByText('Read as JSON Resume.').waitFor();
    },
  ),
  state(
    'first-profile-right-to-left',
    'A resume that is read from right to left, in a file with a long name.',
    async (page) => {
      const buffer = Buffer.from(JSON.stringify(resumeRightToLeft));
      const name = `קורות חיים ${'long-name-'.repeat(15)}.json`;
      await readResume(page, { name, mimeType: 'application/json', buffer });
      await page.getByText('Read as JSON Resume.').waitFor();
    },
  ),
  state('first-profile-refused', 'A file that is not a resume: one sentence, and nothing is stored.', async (page) => {
    await readResume(page, { name: 'lunch.txt', mimeType: 'text/plain', buffer: Buffer.from('Lunch is at noon.') });
    await page.getByRole('alert').waitFor();
  }),
  editing('empty-page', 'A resume that begins with nothing: each place says what belongs there.', undefined, '?empty'),
  editing(
    'empty-page-begun',
    'The same, after the name and a title were typed.',
    async (page) => {
      await page.locator('.paper-name.text, .paper-name .text').first().pressSequentially('דנה לוי');
      await page.locator('.paper-title.text, .paper-title .text').first().pressSequentially('Analyst');
    },
    '?empty',
  ),
];
