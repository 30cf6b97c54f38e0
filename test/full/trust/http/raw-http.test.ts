import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { dial, head } from '../../../support/dial.ts';
import { report, scaled } from '../../../support/figures.ts';
import { fixture } from '../../../support/files.ts';
import { startService } from '../../../support/process.ts';
import { openSqliteFile } from '../../../support/sqlite-file.ts';
import { type RawCase, rawCases, requestFor } from './raw-http-cases.ts';
import { clientAddress, isMissing, type ProxyName, startProxy } from './raw-http-proxies.ts';

const row = 'Raw HTTP corpus, directly and behind nginx and haproxy';
const env = { PROFILE: fixture('profile.yaml'), LIMITS: 'off', TRUST_PROXY: '127.0.0.1' };
const service = await startService({ after }, env);
const token = `Bearer ${await service.token()}`;

const healthz = (id: string) =>
  head('GET /healthz HTTP/1.1', 'Host: 127.0.0.1', `X-Request-Id: ${id}`, 'Connection: close');

/** The address for which a case smuggles a token request; `way` is `directly` or a proxy. */
const smuggledAddress = (way: string, name: string) => `${way}.${name.replaceAll(/\W+/g, '-')}@example.org`;
const casesOn = (way: string) => rawCases((name) => requestFor(smuggledAddress(way, name)), token);

/** The smuggled or pipelined token requests that the service has served on a way, and the network address it recorded. */
function actedOn(way: string) {
  using database = openSqliteFile(join(service.folder, 'data/candidate-profile.db'), { readOnly: true });
  const notices = database.prepare('select subject, text from outbox').all();
  return notices.flatMap(({ subject, text }) => {
    const [, address] = /^(\S+)@example.org/.exec(String(subject)) ?? [];
    return address?.startsWith(`${way}.`)
      ? [{ email: `${address}@example.org`, from: /^From: +(.*)$/m.exec(String(text))?.[1] }]
      : [];
  });
}

/** The pipelined token requests, which must be served. */
const pipelinedOf = (cases: readonly RawCase[], way: string, from: string) =>
  cases
    .filter(({ isPipelined }) => isPipelined)
    .map(({ name }) => ({ email: smuggledAddress(way, name), from }))
    .sort((a, b) => a.email.localeCompare(b.email));

suite(row, () => {
  const figures: string[] = [];
  after(() => report(row, `${figures.join(', ')}: nothing smuggled, no answer astray`));

  suite('directly', { concurrency: true }, () => {
    const cases = casesOn('directly');
    for (const { name, text, answers, goesOn } of cases)
      test(`${name}: ${answers.join(', ') || 'nothing'}${goesOn ? '' : ', and the connection is closed'} [TRUST-25]`, async (t) => {
        const client = await dial(t, service.url);
        client.send(text + healthz('next'));
        const responses = await client.responses();
        assert.deepEqual(
          responses.map(({ status, body }) =>
            [status, status < 400 ? '' : JSON.parse(body).error.code].join(' ').trim(),
          ),
          [...answers, ...(goesOn ? ['200'] : [])],
        );
        const isNext = ({ headers }: (typeof responses)[number]) => headers.get('x-request-id') === 'next';
        assert.deepEqual(responses.map(isNext), [...answers.map(() => false), ...(goesOn ? [true] : [])]);
        for (const { status, headers } of responses)
          if (status >= 400) assert.equal(headers.get('content-type'), 'application/json');
      });

    after(() => {
      const acted = actedOn('directly').sort((a, b) => a.email.localeCompare(b.email));
      assert.deepEqual(acted, pipelinedOf(cases, 'directly', '127.0.0.1'));
      figures.unshift(`${cases.length} cases directly, each with the answers stated`);
    });
  });

  for (const proxy of ['nginx', 'haproxy'] satisfies ProxyName[])
    test(`behind ${proxy} no request is smuggled, and each client gets its own responses [TRUST-25]`, {
      skip: isMissing(proxy),
    }, async (t) => {
      const url = await startProxy(t, proxy, service.url);
      const cases = casesOn(proxy);
      let honest = 0;
      for (let round = 0; round < scaled(20, 1); round += 1)
        await Promise.all(
          cases.map(async ({ text }) => {
            const client = await dial(t, url);
            client.send(text + healthz('next'));
            await client.responses();
            const other = await dial(t, url);
            const id = `honest-${honest++}`;
            other.send(healthz(id));
            const [response] = await other.responses();
            assert.deepEqual([response?.status, response?.headers.get('x-request-id')], [200, id]);
          }),
        );
      // A proxy may parse a second request where we refuse one; a request that it has not parsed lacks the address it sets.
      const acted = actedOn(proxy);
      assert.deepEqual(
        acted.filter(({ from }) => from !== clientAddress),
        [],
      );
      for (const { email } of pipelinedOf(cases, proxy, clientAddress))
        assert.ok(acted.some((request) => request.email === email));
      figures.push(`${honest} behind ${proxy} among as many honest requests`);
    });
});
