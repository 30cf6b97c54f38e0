import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fixture } from '../support/files.ts';
import { postJson } from '../support/post-json.ts';
import { eventually, runCommand, startService } from '../support/process.ts';
import { openLimited, statusesOf } from '../support/visitors.ts';

const composed = 'zoë@bücher.example';
const decomposed = 'Zoe\u0308@bu\u0308cher.example';
const punycode = 'ZOË@xn--bcher-kva.example';
const spellings = [composed, decomposed, punycode];

suite('One address in several spellings', { concurrency: 2 }, () => {
  test('has one quota [TRUST-43]', async (t) => {
    const { visitor } = await openLimited(t);
    const visitors = await Promise.all(spellings.map((email, n) => visitor(email, `198.51.100.${n + 1}`)));
    assert.deepEqual(await statusesOf(6, (n) => visitors[n % 3]!.write()), { 201: 5, 429: 1 });
  });

  test('is one subject in the audit log [TRUST-43]', async (t) => {
    const { askToken, folder } = await openLimited(t);
    for (const email of spellings) await askToken('198.51.100.1', email);
    const [, ...lines] = globSync(join(folder, 'audit/*.jsonl')).flatMap((file) =>
      readFileSync(file, 'utf8').trim().split('\n'),
    );
    assert.equal(lines.length, 3);
    assert.equal(new Set(lines.map((line) => JSON.parse(line).subject)).size, 1);
  });

  test('is listed, revoked and erased by each of its spellings, and stored as it was typed [TRUST-43]', async (t) => {
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
});
