import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, runCommand, startService } from '../support/process.ts';

const composed = 'zoë@bücher.example';
const decomposed = 'Zoe\u0308@bu\u0308cher.example';
const punycode = 'ZOË@xn--bcher-kva.example';
const spellings = [composed, decomposed, punycode];

test('an address is listed, revoked and erased by each of its spellings, and stored as typed [TRUST-43]', async (t) => {
  const env = { PROFILE: fixture('profile.yaml') };
  const { url, folder, token } = await startService(t, env);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(t, [...args, '--json'], env, folder);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const contact = { name: 'Zoë', company: 'Engines', message: 'Hello' };
  const tokens: string[] = [];
  for (const subject of [...spellings, 'bob@example.org']) {
    const bearer = await token(subject);
    tokens.push(bearer);
    // One contact request has another address, so only its token identifies the visitor.
    const email = subject === decomposed ? 'other@example.org' : subject;
    const sent = postJson({ ...contact, email }, { authorization: `Bearer ${bearer}` });
    assert.equal((await fetch(`${url}/contact`, sent)).status, 201);
  }
  const statuses = () =>
    Promise.all(
      tokens.map(
        async (one) => (await fetch(`${url}/candidate`, { headers: { authorization: `Bearer ${one}` } })).status,
      ),
    );

  for (const email of spellings) {
    const listed = (await run('contacts', 'list', '--email', email)) as { email: string; subject: string }[];
    assert.deepEqual(listed.map(({ email, subject }) => [email, subject]).toReversed(), [
      [composed, composed],
      ['other@example.org', decomposed],
      [punycode, punycode],
    ]);
  }
  assert.deepEqual(await run('tokens', 'revoke', '--email', punycode), { ended: 3, grants: 0 });
  await eventually(async () => (await statuses()).join() === '401,401,401,200');
  const { contacts, tokens: ended } = await run('contacts', 'erase', '--email', decomposed);
  assert.deepEqual([contacts, ended], [3, 3]);
  const left = (await run('contacts', 'list')) as { email: string }[];
  assert.deepEqual(
    left.map(({ email }) => email),
    ['bob@example.org'],
  );
});
