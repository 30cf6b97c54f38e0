import { listLinks, makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { refusal } from '../support/inbox.ts';
import { browserOf } from '../support/oauth.ts';
import { postJson } from '../support/post-json.ts';
import { eventually } from '../support/process.ts';
import { setupCode } from '../support/setup.ts';
import { openServed, type Served } from './served.ts';

type Options = Omit<NonNullable<Parameters<typeof openServed>[1]>, 'answer'>;
type Cleanup = Parameters<typeof openServed>[0];

/** Serves no profile, as a container with an empty volume does. */
export const openUnpublishedService = (t: Cleanup, { env, ...options }: Options = {}) =>
  openServed(t, { document: null, env: { SETUP_CODE: setupCode, ...env }, ...options });

/** Serves the sample, as a person does who tries it on a machine of their own. */
export const openSampleService = (t: Cleanup, { env, ...options }: Options = {}) =>
  openServed(t, { document: null, env: { PROFILE: '', ...env }, ...options });

/** Serves a profile that is not the sample, with a mail server that refuses mails about one company. */
export const openOwnService = (t: Cleanup, { env, ...options }: Options = {}) =>
  openServed(t, {
    async answer({ subject = '', text = '' }) {
      if (subject.includes(refusedCompany)) throw refusal(554, 'refused');
      if (subject !== 'Re: your message') return;
      if (text.includes('> Would you read')) throw refusal(550, '5.1.1 no such user');
      if (text.includes('> אנחנו')) throw refusal(451, '4.7.1 try again later');
    },
    env: { VERIFY_EMAIL: 'on', ...env },
    ...options,
  });

/** Returns the path of the link with a name, which is made unless it is there. */
export async function linkTo({ opened }: Pick<Served, 'opened'>, name: string, made: object = {}): Promise<string> {
  const run = invokerFor(opened.owner);
  const known = (await run(listLinks, {})).find(({ link }) => link.name === name)?.address;
  const until = new Date(Date.now() + 90 * 86_400_000);
  const asked = { name, view: 'all', until, may_write: true, ...made };
  return new URL(known ?? (await run(makeLink, asked)).address).pathname;
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
export async function openVisitedService(t: Cleanup, options: Options = {}) {
  const service = await openOwnService(t, options);
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

  const count = (query: string) => Number(service.rows(query)[0]!.n);
  await eventually(() => count('select count(*) as n from reads') >= readers.flatMap(({ paths }) => paths).length);
  await eventually(() => count('select count(*) as n from outbox where sent_at is null') === 0);
  return service;
}

/** Makes links, and lets people open them. */
async function useLinks(service: Served): Promise<void> {
  const { url } = service;
  const open = async (path: string) => {
    const browser = browserOf(fetch, url);
    const page = await browser.send(await browser.open(path), { open: 'on' });
    return { ...browser, page };
  };
  await linkTo(service, 'My page on the web', { until: null, view: 'public', may_write: false });
  const card = await linkTo(service, 'כרטיס ביקור, כנס האחסון בתל אביב', {
    until: new Date(Date.now() + 200 * 86_400_000),
    view: 'public',
  });
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
