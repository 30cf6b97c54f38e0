import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { signIn } from '../support/desk.ts';
import { openTestService } from '../support/in-process.ts';

const service = await openTestService();
after(service.close);

const rooms = ['/desk', '/desk/readers', '/desk/inbox', '/desk/availability', '/desk/profile', '/desk/mail'];

test('every room opens with a session, and asks to sign in without one', async () => {
  const owner = await signIn(service);
  for (const path of rooms) {
    assert.equal((await owner.get(path)).status, 200, path);
    const closed = await service.ask(path);
    assert.equal(closed.status, 403, path);
    const page = await closed.text();
    assert.match(page, /<h1>Sign in to your desk<\/h1>/, path);
    assert.match(page, new RegExp(`name="to" value="${path}"`));
  }
});

test('signing out ends the session', async () => {
  const owner = await signIn(service);
  assert.equal((await owner.post('/desk/sign-out')).status, 303);
  assert.equal((await owner.get('/desk')).status, 403);
});
