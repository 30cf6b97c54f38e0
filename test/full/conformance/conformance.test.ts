import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openHttpServer } from '../../../src/adapters/http/server.ts';
import { isLoopback } from '../../../src/service/config/config.ts';
import { toHandler } from '../../../src/surfaces/mcp/dispatcher.ts';
import { guard } from '../../../src/surfaces/mcp/http.ts';
import { hostPolicyOf } from '../../../src/surfaces/request.ts';
import { visitor } from '../../support/mcp-service.ts';
import { startProcess } from '../../support/process.ts';
import { openAuthProxy } from './auth-proxy.ts';
import { fixtureFactory } from './fixture-server.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const suite = pathOf('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The service itself with its sample profile, and a token that it issued. */
async function startService() {
  const cleanups: (() => void | Promise<void>)[] = [];
  const service = await startProcess({ after: (clean) => void cleanups.push(clean) }, { LOG_LEVEL: 'fatal' });
  const stop = async () => {
    for (const clean of cleanups) await clean();
  };
  return { port: Number(new URL(service.url).port), token: await service.token(), stop };
}

/** The fixtures that the suite requires, on the HTTP stack of the service. */
async function startFixtures() {
  const handler = toHandler(
    fixtureFactory(() => handler.notify),
    { warn: () => {} },
  );
  const tokens = {
    prepare: async () => visitor.token!,
    sign: async () => 'fixture',
    subjectHashes: () => [],
    verify: async (text: string) => (text === 'fixture' ? visitor.token : null),
    recall: () => null,
    isValid: () => true,
  };
  const policy = hostPolicyOf('http://127.0.0.1', [], [], isLoopback);
  const server = await openHttpServer(
    { host: '127.0.0.1', port: 0, tls: undefined, trustProxy: new BlockList(), isHttps: false, socketsPerAddress: 50 },
    (request, connection) =>
      guard(request, connection, {
        policy,
        services: { tokens, audit: () => {}, record: () => {} },
        serve: (entered, body) => handler.fetch(new Request(entered, { body: Buffer.from(body) })),
      }),
  );
  const stop = async () => {
    await handler.close();
    await server.close(0);
  };
  return { port: server.port, token: 'fixture', stop };
}

for (const [name, start] of Object.entries({ service: startService, fixtures: startFixtures }))
  describe(`the official suite, run against the ${name}`, () => {
    let started: Awaited<ReturnType<typeof start>>;
    let proxy: Awaited<ReturnType<typeof openAuthProxy>>;
    before(async () => {
      started = await start();
      proxy = await openAuthProxy(started.port, started.token);
    });
    after(async () => {
      await proxy.close();
      await started.stop();
    });

    for (const revision of ['2026-07-28', '2025-11-25'])
      test(`passes every test that ${revision} requires of a server, except exactly those listed with a reason`, async () => {
        const expected = pathOf(`expected-failures/${name}-${revision}.yaml`);
        const args = ['server', '--url', proxy.url, '--requirements', revision, '--expected-failures', expected];
        // The suite fails for a failure that is not listed, and for a listed test that passes.
        await promisify(execFile)(process.execPath, [suite, ...args], { cwd: tmpdir() }).catch(
          ({ stdout }: { stdout: string }) => assert.fail(stdout.slice(stdout.indexOf('=== SUMMARY'))),
        );
      });
  });

test('the official suite finds no failure in the skills extension', async (t) => {
  const started = await startService();
  t.after(started.stop);
  const proxy = await openAuthProxy(started.port, started.token);
  t.after(proxy.close);
  for (const scenario of ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'])
    await promisify(execFile)(process.execPath, [suite, 'server', '--url', proxy.url, '--scenario', scenario], {
      cwd: tmpdir(),
    }).catch(({ stdout }: { stdout: string }) => assert.fail(`${scenario}: ${stdout}`));
});
