import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture } from '../support/files.ts';
import { openInbox } from '../support/inbox.ts';
import { eventually, startService } from '../support/process.ts';

test('two processes on one file never send a mail twice', async (t) => {
  const { url, received } = await openInbox(t);
  const env = { PROFILE: fixture('profile.yaml'), SMTP_URL: url };
  const first = await startService(t, env);
  const second = await startService(t, env, first.folder);
  const visitors = Array.from({ length: 12 }, (_, n) => `visitor-${n}@example.org`);
  await Promise.all(visitors.map((email, n) => (n % 2 === 0 ? first : second).token(email)));
  await eventually(() => received.length >= visitors.length);
  for (const process of [first, second]) process.stop();
  assert.deepEqual(await Promise.all([first.exited(), second.exited()]), [0, 0]);
  const named = received.map(({ email }) => /visitor-\d+@example\.org/.exec(email.text!)?.[0]);
  assert.deepEqual(named.toSorted(), visitors.toSorted());
});
