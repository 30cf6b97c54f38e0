import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formPost, formTokenOf } from '../../support/desk.ts';
import { report, scaled } from '../../support/figures.ts';
import { openInbox } from '../../support/inbox.ts';
import { startPostgres } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { startReplicas } from '../../support/replicas.ts';

const server = await startPostgres(['fsync=off']);
after(() => server.close());
const inbox = await openInbox({ after });
const replicas = await startReplicas({ after }, await server.createDatabase(), { env: { SMTP_URL: inbox.url } });
const [one, other] = replicas.replicas.map(({ url }) => url) as [string, string];

/** Asks a replica for a link, and returns the path of the mailed one. */
async function mailedLink(replica: string): Promise<string> {
  const { length } = inbox.received;
  const form_token = formTokenOf(await (await fetch(`${replica}/desk`)).text());
  const asked = await fetch(`${replica}/desk/sign-in`, formPost({ form_token, to: '/desk/inbox' }));
  assert.equal(asked.status, 303);
  await eventually(() => inbox.received.length > length);
  assert.equal(inbox.received.length, length + 1);
  const [url] = /^http.*$/m.exec(inbox.received.at(-1)!.email.text!)!;
  assert.ok(url.startsWith(`${replicas.url}/desk/sign-in?link=`), url);
  return url.slice(replicas.url.length);
}

/** Returns the form of the page of a link at a replica, filled in. */
async function confirmation(replica: string, path: string): Promise<RequestInit> {
  const form_token = formTokenOf(await (await fetch(replica + path)).text());
  return formPost({ form_token, link: new URL(path, replica).searchParams.get('link')! });
}

const confirm = (replica: string, form: RequestInit) => fetch(`${replica}/desk/sign-in/confirm`, form);
const cookieOf = (confirmed: Response) => confirmed.headers.getSetCookie()[0]!.split(';')[0]!;
const signInAt = async (replica: string, path: string) =>
  cookieOf(await confirm(replica, await confirmation(replica, path)));
const deskAt = (replica: string, cookie: string) => fetch(`${replica}/desk`, { headers: { cookie } });
const statuses = (cookie: string) =>
  Promise.all([one, other].map(async (replica) => (await deskAt(replica, cookie)).status));

/** Sends a form of the desk at a replica. */
async function post(replica: string, path: string, cookie: string): Promise<number> {
  const form_token = formTokenOf(await (await deskAt(replica, cookie)).text());
  return (await fetch(replica + path, formPost({ form_token }, { cookie }))).status;
}

test('a link that one replica was asked for signs in at the other, and the session works at both', async () => {
  const cookie = await signInAt(other, await mailedLink(one));
  assert.deepEqual(await statuses(cookie), [200, 200]);
  assert.equal(await post(one, '/desk/sign-out', cookie), 303);
  assert.deepEqual(await statuses(cookie), [403, 403]);
});

test('signing out everywhere at one replica ends the sessions of both', async () => {
  const cookies = [await signInAt(one, await mailedLink(other)), await signInAt(other, await mailedLink(one))];
  assert.equal(await post(one, '/desk/sign-out-everywhere', cookies[0]!), 303);
  for (const cookie of cookies) assert.deepEqual(await statuses(cookie), [403, 403]);
});

test('a link that is confirmed at both replicas at once signs in at one of them', async () => {
  const links = scaled(100, 5);
  for (let link = 0; link < links; link += 1) {
    const path = await mailedLink(one);
    const forms = [await confirmation(one, path), await confirmation(other, path)];
    const answers = await Promise.all([confirm(one, forms[0]!), confirm(other, forms[1]!)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 410]);
    assert.deepEqual(answers.map(({ headers }) => headers.getSetCookie().length).sort(), [0, 1]);
    assert.deepEqual(await statuses(cookieOf(answers.find(({ status }) => status === 303)!)), [200, 200]);
  }
  report(
    'links to the desk, each confirmed at both replicas at once',
    `${links} of ${links} sign in once; the session works at both, and signing out at one ends it at both`,
  );
});
