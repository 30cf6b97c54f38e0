import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isFull, report } from '../../support/figures.ts';
import { type Cleanup, fixture } from '../../support/files.ts';
import { clientOf } from '../../support/mcp-service.ts';
import { startPostgres } from '../../support/postgres.ts';
import { eventually } from '../../support/process.ts';
import { startReplicas } from '../../support/replicas.ts';

const profile = readFileSync(fixture('profile.yaml'), 'utf8');

/** Subscribes to the candidate; returns how many notices have come. */
async function listen(t: Cleanup, url: string, token: string): Promise<() => number> {
  const client = clientOf('modern');
  t.after(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  let notices = 0;
  client.setNotificationHandler('notifications/resources/updated', () => {
    notices += 1;
  });
  await client.listen({ resourceSubscriptions: ['candidate-profile://profile/candidate'] });
  return () => notices;
}

test('when one replica has loaded a change, the subscribers of all are notified, each time', async (t) => {
  const server = await startPostgres(['fsync=off']);
  t.after(() => server.close());
  const fileOf = (folder: string) => join(folder, 'profile.yaml');
  const { replicas, token } = await startReplicas(t, await server.createDatabase(), {
    envOf: (_n, folder) => {
      writeFileSync(fileOf(folder), profile);
      return { PROFILE: fileOf(folder) };
    },
  });
  const rename = ({ folder }: { folder: string }) => {
    writeFileSync(`${fileOf(folder)}.draft`, profile.replace('Tess Example', 'Tess Renamed'));
    renameSync(`${fileOf(folder)}.draft`, fileOf(folder));
  };
  const bearer = await token();
  const nameAt = async ({ url }: { url: string }) => {
    const answer = await fetch(`${url}/candidate`, { headers: { authorization: `Bearer ${bearer}` } });
    return ((await answer.json()) as { name: string }).name;
  };
  const [one, other] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
  const ofOne = await listen(t, one.url, bearer);
  const ofOther = await listen(t, other.url, bearer);

  rename(one);
  await eventually(() => ofOne() === 1);
  const loadedAt = performance.now();
  await eventually(() => ofOther() === 1);
  const milliseconds = Math.round(performance.now() - loadedAt);
  assert.deepEqual([await nameAt(one), await nameAt(other)], ['Tess Renamed', 'Tess Example']);

  rename(other);
  await eventually(() => ofOther() === 2);
  await eventually(() => ofOne() === 2);
  assert.equal(await nameAt(other), 'Tess Renamed');
  if (isFull) assert.ok(milliseconds <= 2_500, `${milliseconds} ms`);
  report(
    'a change of the profile that one replica loads',
    `its subscribers are notified at once, those of the other ${milliseconds} ms later; all once more when the other has loaded it`,
  );
});
