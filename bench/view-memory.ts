import { setImmediate } from 'node:timers/promises';
import { openTestService } from '../test/support/in-process.ts';
import { callTool } from './mcp-messages.ts';

// Lets a token read all of each view of the profile in a file, and prints how many megabytes a view keeps after that, without its PDF,
// which is not asked for. In a process of its own, whose memory it measures; needs --expose-gc.

const service = await openTestService({ PROFILE: process.argv[2]!, READER_RECORD: 'off' });
const { opened, app, baseUrl, token } = service;
const { jti } = JSON.parse(String(Buffer.from(token.split('.')[1]!, 'base64url')));
const views = [...opened.profile.views().names];

const { experience, projects } = opened.profile.current();
const paths = [
  ...['/candidate', '/experience', '/projects', '/resume', '/resume?format=pdf', '/availability', '/background'],
  ...experience.map(({ id }) => `/experience/${id}`),
  ...projects.map(({ id }) => `/projects/${id}`),
];

/** Reads each answer over REST, also at once, and the lists and an answer over MCP. */
async function readAll(): Promise<void> {
  for (const path of paths) {
    await (await service.get(path)).arrayBuffer();
    const head = { host: new URL(baseUrl).host, target: path, authorization: `Bearer ${token}`, ifNoneMatch: null };
    app.replyAtOnce({ ...head, userAgent: null }, { address: '192.0.2.1', requestId: null });
  }
  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    const { method, path, headers, body } = callTool(era, 'get_candidate');
    const init = { method, headers: { ...headers, authorization: `Bearer ${token}` }, body: body! };
    await (await service.ask(path, init)).arrayBuffer();
  }
}

/** The memory of objects and buffers after a garbage collection. */
async function keptBytes(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc!();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// Twice, so that code is compiled and caches of the process are full.
for (let times = 0; times < 60; times += 1) await readAll();
const before = await keptBytes();
for (const view of views) {
  await opened.tokens.setView({ kind: 'jti', jti }, view);
  await readAll();
}
const bytes = (await keptBytes()) - before;
await service.close();
console.log(bytes / views.length / 1e6);
