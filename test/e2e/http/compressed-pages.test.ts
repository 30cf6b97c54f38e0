import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fixture } from '../../support/files.ts';
import { startProcess } from '../../support/process.ts';

const { url } = await startProcess({ after }, { PROFILE: fixture('profile.yaml') });

test('a page is compressed for the clients that ask for it alone, whatever was asked before', async () => {
  const ask = async (encoding: string) => {
    const response = await fetch(`${url}/privacy`, { headers: { accept: 'text/html', 'accept-encoding': encoding } });
    return [response.headers.get('content-encoding'), (await response.text()).slice(0, 15)];
  };
  assert.deepEqual(await ask('gzip'), ['gzip', '<!doctype html>']);
  assert.deepEqual(await ask('identity'), [null, '<!doctype html>']);
});
