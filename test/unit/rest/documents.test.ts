import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/model/failure.ts';
import { publicHandler, readinessResponse } from '../../../src/surfaces/rest/documents.ts';

const healthy = {
  isDraining: false,
  isWritable: true,
  isStale: false,
  hasProfile: true,
  isMailHealthy: true,
  isUnprinted: false,
};
const ready = { status: 'ready', store: 'ok', profile: 'ok', mail: 'ok', pdf: 'ok' };

test('/readyz names what is degraded, and answers 503 only while the service stops', async () => {
  const fault = 'The resume cannot be printed; the log says why.';
  for (const [health, status, body] of [
    [{}, 200, ready],
    [{ isWritable: false }, 200, { ...ready, store: 'readonly' }],
    [{ isStale: true }, 200, { ...ready, profile: 'stale' }],
    [{ hasProfile: false }, 200, { ...ready, profile: 'none' }],
    [{ isMailHealthy: false }, 200, { ...ready, mail: 'degraded' }],
    [{ isUnprinted: true }, 200, { ...ready, pdf: 'unavailable', pdf_fault: fault }],
    [{ isDraining: true }, 503, { ...ready, status: 'draining' }],
  ] as const) {
    const response = readinessResponse({ ...healthy, ...health });
    assert.deepEqual([response.status, await response.json()], [status, body]);
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

const connection = { address: '192.0.2.1', requestId: null };
const asked = (method: string) => new Request('http://127.0.0.1:3000/readyz', { method });

test('a public path answers GET, HEAD and preflight requests, and refuses all other methods', async () => {
  const open = publicHandler(() => Response.json({ status: 'ok' }));
  for (const method of ['GET', 'HEAD']) assert.equal((await open(asked(method), connection)).status, 200);
  const preflight = await open(asked('OPTIONS'), connection);
  assert.deepEqual([preflight.status, preflight.headers.get('allow')], [204, 'GET, HEAD, OPTIONS']);
  const refused = await open(asked('POST'), connection);
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

test('a public path answers expected failures, and rethrows unexpected errors', async () => {
  const failing = (error: Error) => publicHandler(() => Promise.reject(error))(asked('GET'), connection);
  const refused = await failing(new Failure('RATE_LIMITED', 'Too many requests.', { retryAfterSeconds: 7 }));
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '7']);
  await assert.rejects(failing(new Error('disk I/O error')), { message: 'disk I/O error' });
});
