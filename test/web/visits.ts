import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePath } from '../../src/service/config/config.ts';
import { rowsOf } from '../support/database.ts';
import { type Cleanup, makeFolder } from '../support/files.ts';
import { openInbox, refusal } from '../support/inbox.ts';
import { browserOf } from '../support/oauth.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, runCommand, startProcess } from '../support/process.ts';
import { setupCode } from '../support/setup.ts';

interface Changes {
  /** The text of the profile; that of the sample unless given. */
  readonly document?: string;
  readonly env?: Record<string, string>;
}

type Service = Pick<Awaited<ReturnType<typeof startProcess>>, 'url' | 'folder'>;

/** Starts the service without a profile, as a container with an empty volume does. */
export async function openUnpublishedService(t: Cleanup, env: Record<string, string> = {}) {
  const folder = makeFolder();
  const profile = join(folder, 'profile.yaml');
  const inbox = await openInbox(t);
  const mail = { OWNER_EMAIL: 'owner@example.net', SMTP_URL: inbox.url, MAIL_FROM: 'site@example.net' };
  const settings = { PROFILE: profile, SETUP_CODE: setupCode, ...mail };
  return { ...(await startProcess(t, { ...settings, ...env }, folder)), inbox, profile };
}

/** Starts the service on the sample, as a person does who tries it on a machine of their own. */
export async function openSampleService(t: Cleanup, env: Record<string, string> = {}) {
  const folder = makeFolder();
  const inbox = await openInbox(t);
  const settings = { OWNER_EMAIL: 'owner@example.net', SMTP_URL: inbox.url, MAIL_FROM: 'site@example.net' };
  return { ...(await startProcess(t, { ...settings, ...env }, folder)), inbox, profile: join(folder, 'profile.yaml') };
}

/** Starts the service with a profile that is not the sample, and a mail server that refuses mails about one company. */
export async function openOwnService(t: Cleanup, { document = readFileSync(samplePath, 'utf8'), env }: Changes = {}) {
  const inbox = await openInbox(t, {
    async answer({ subject = '', text = '' }) {
      if (subject.includes(refusedCompany)) throw refusal(554, 'refused');
      if (subject !== 'Re: your message') return;
      if (text.includes('> Would you read')) throw refusal(550, '5.1.1 no such user');
      if (text.includes('> אנחנו')) throw refusal(451, '4.7.1 try again later');
    },
  });
  const folder = makeFolder();
  const profile = join(folder, 'profile.yaml');
  writeFileSync(profile, document);
  const settings = {
    PROFILE: profile,
    OWNER_EMAIL: 'owner@example.net',
    SMTP_URL: inbox.url,
    MAIL_FROM: 'site@example.net',
    VERIFY_EMAIL: 'on',
  };
  return { ...(await startProcess(t, { ...settings, ...env }, folder)), inbox, profile };
}

/** Returns the path of the link with a name, which is made with the options unless it is there. */
export async function linkTo(service: Service, name: string, ...options: string[]): Promise<string> {
  const share = async (...args: string[]) => {
    const { stdout, stderr } = await runCommand({ after() {} }, ['share', ...args, '--json'], {}, service.folder);
    return JSON.parse(stdout || assert.fail(stderr));
  };
  const listed = (await share('list')) as { name: string; url: string }[];
  const { url } = listed.find((link) => link.name === name) ?? (await share('new', name, ...options));
  const { pathname } = new URL(url);
  // The service reads the key of the first link within a second.
  await eventually(async () => (await fetch(service.url + pathname)).ok);
  return pathname;
}

const refusedCompany = 'Eckert–Mauchly';

const readers = [
  { email: 'ada@example.com', agent: 'Claude-User/1.0', paths: ['/candidate', '/experience', '/projects', '/resume'] },
  { email: 'grace@example.org', agent: 'curl/8.9.1', paths: ['/experience', '/experience', '/availability'] },
  { email: 'talent@example.net', agent: 'Cursor/2.1.0', paths: ['/candidate'] },
  { email: `${'long-address-'.repeat(4)}x@example.com`, agent: 'x'.repeat(200), paths: [] },
];

const messages = [
  {
    name: 'Ada King',
    company: 'Analytical Engines',
    message:
      'Would you talk about consensus at our next meeting?\n\nWe are twelve people, and half of us have read your paper on bounded staleness.',
  },
  { name: 'דנה', company: 'מערכות אחסון', message: 'אנחנו מקימים צוות אחסון בציריך, ונשמח לדבר איתך.' },
  { name: 'No Space', company: 'x'.repeat(200), message: 'x'.repeat(10_000) },
  { name: 'Grace Hopper', company: refusedCompany, message: 'Would you read a paper of ours?' },
];

/** Starts the service, and lets visitors read and write. */
export async function openVisitedService(t: Cleanup, changes: Changes = {}) {
  const service = await openOwnService(t, changes);
  const get = (path: string, token: string, agent: string) =>
    fetch(service.url + path, { headers: { authorization: `Bearer ${token}`, 'user-agent': agent } });
  for (const { email, agent, paths } of readers) {
    const token = await service.token(email);
    for (const path of paths) await get(path, token, agent);
  }
  const token = await service.token('ada@example.com');
  for (const contact of messages)
    await fetch(
      `${service.url}/contact`,
      postJson({ email: 'ada@example.com', ...contact }, { authorization: `Bearer ${token}` }),
    );

  await useLinks(service);

  const count = (query: string) => Number(rowsOf(join(service.folder, 'data/candidate-profile.db'), query)[0]!.n);
  await eventually(() => count('select count(*) as n from reads') >= readers.flatMap(({ paths }) => paths).length);
  await eventually(() => count('select count(*) as n from outbox where sent_at is null') === 1);
  return service;
}

/** Makes links, and lets people open them. */
async function useLinks(service: Service): Promise<void> {
  const { url } = service;
  const open = async (path: string) => {
    const browser = browserOf(fetch, url);
    const page = await browser.send(await browser.open(path), { open: 'on' });
    return { ...browser, page };
  };
  await linkTo(service, 'My page on the web', '--for', 'never', '--view', 'public', '--no-write');
  const card = await linkTo(service, 'כרטיס ביקור, כנס האחסון בתל אביב', '--for', '200d', '--view', 'public');
  await Promise.all([open(card), open(card), open(card)]);
  await linkTo(service, `Globex-${'a-long-name-'.repeat(8)}`.slice(0, 100));
  const { open: get, page, send } = await open(await linkTo(service, 'Acme, staff engineer'));
  await get('/profile/pdf', { headers: { 'sec-fetch-mode': 'navigate' } });
  await send(
    { ...page, url: new URL('/profile/write', url) },
    {
      ...{ name: 'Mary Somerville', email: 'mary@example.org', company: 'Acme' },
      message: 'Thank you for the link. When could we talk?',
    },
  );
}
