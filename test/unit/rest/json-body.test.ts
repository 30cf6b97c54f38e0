import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJsonBody, readJsonBytes } from '../../../src/surfaces/request.ts';

const json = { 'content-type': 'application/json' };
const mebibyte = new Uint8Array(1_048_576);

/** A request whose body yields a chunk per pull. */
function streamed(headers: Record<string, string>, next: () => Uint8Array | undefined | Promise<never>) {
  const seen = { chunks: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) return controller.close();
        seen.chunks += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  return { request: new Request('http://127.0.0.1/contact', init), seen };
}

const never = () => new Promise<never>(() => {});

test('a body that is refused for its headers is refused before any of it arrives [TRUST-13] [TRUST-15]', async () => {
  for (const [headers, code] of [
    [{ 'content-length': '1', 'content-type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ 'content-length': '1', 'content-type': 'text/plain; a=application/json' }, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ 'content-length': '1' }, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ ...json, 'content-length': '16777217' }, 'PAYLOAD_TOO_LARGE'],
  ] as const)
    await assert.rejects(readJsonBytes(streamed(headers, never).request), { code });
});

test('a body of up to 16 MiB is read, so that the client receives the 413 [TRUST-13]', async () => {
  const chunks = Array(16).fill(mebibyte);
  const { request, seen } = streamed({ ...json, 'content-length': '16777216' }, () => chunks.shift());
  await assert.rejects(readJsonBytes(request), { code: 'PAYLOAD_TOO_LARGE' });
  assert.equal(chunks.length, 0);
  const endless = streamed(json, () => mebibyte);
  await assert.rejects(readJsonBytes(endless.request), { code: 'PAYLOAD_TOO_LARGE' });
  assert.deepEqual(endless.seen, { chunks: 17, isCancelled: false });
  assert.equal(seen.isCancelled, false);
});

test('the rest of a body of another type is not cancelled, because that would close the connection', async () => {
  const { request, seen } = streamed({ 'content-type': 'text/plain' }, () => mebibyte);
  await assert.rejects(readJsonBytes(request), { code: 'UNSUPPORTED_MEDIA_TYPE' });
  assert.deepEqual(seen, { chunks: 1, isCancelled: false });
});

test('an empty body needs no content type, chunked or not', async () => {
  const chunks = [new Uint8Array(), new Uint8Array()];
  assert.equal(await readJsonBody(streamed({}, () => chunks.shift()).request), null);
  assert.equal(await readJsonBody(new Request('http://127.0.0.1/contact', { method: 'POST' })), null);
});

test('a body that is cut off is a bad request', async () => {
  let parts = 0;
  const cut = streamed(json, () => {
    parts += 1;
    return parts === 1 ? Buffer.from('{"email":') : Promise.reject(new Error('aborted'));
  });
  await assert.rejects(readJsonBody(cut.request), {
    code: 'BAD_REQUEST',
    message: 'Request body must arrive whole',
  });
});
