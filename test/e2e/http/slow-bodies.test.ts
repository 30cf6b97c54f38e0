import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dial, head } from '../../support/dial.ts';
import { eventually } from '../../support/process.ts';
import { open } from './http-service.ts';

/** Sends the beginning of a form to a server whose timers the test advances; its service reads the whole body. */
async function sendSlowly(t: TestContext, framing: string, { isUpload = false } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bodies: string[] = [];
  const { url, heard, refused } = await open(t, {
    async answer(request, { awaitUpload }) {
      if (isUpload) awaitUpload!();
      bodies.push(await request.text());
      return new Response('thanks');
    },
  });
  const client = await dial(t, url);
  client.send(head('POST / HTTP/1.1', 'Host: profile.example', 'Connection: close', framing));
  await eventually(() => heard.length === 1);
  return { ...client, bodies, refused, wait: (seconds: number) => t.mock.timers.tick(seconds * 1_000) };
}

for (const [what, isUpload, seconds] of [
  ['a request', false, 20],
  ['an upload', true, 300],
] as const) {
  for (const [framing, part] of [
    ['Content-Length: 100', 'a'],
    ['Transfer-Encoding: chunked', '1\r\na\r\n'],
  ] as const)
    test(`${what} whose body is not whole after ${seconds} s gets 408 and the end of its connection (${framing})`, async (t) => {
      const { send, wait, responses, bodies, refused } = await sendSlowly(t, framing, { isUpload });
      send(part);
      wait(seconds - 0.001);
      assert.deepEqual(refused, []);
      wait(0.001);
      assert.deepEqual(refused, ['ERR_HTTP_REQUEST_TIMEOUT']);
      wait(2); // until which the server reads on, so that the client receives the response
      const [response, ...others] = await responses();
      assert.equal(response?.status, 408);
      assert.match(response.body, /^\{"error":\{"code":"REQUEST_TIMEOUT"/);
      assert.deepEqual([...others, ...bodies], []);
    });

  test(`${what} whose body is there within ${seconds} s is answered`, async (t) => {
    const { send, wait, responses, bodies } = await sendSlowly(t, 'Content-Length: 2', { isUpload });
    send('a');
    wait(seconds - 0.001);
    send('b');
    const [response] = await responses();
    assert.equal(response?.status, 200);
    assert.deepEqual(bodies, ['ab']);
  });
}
