import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBrowserName } from '../../../src/surfaces/web/format.ts';

test('a browser is called by its name and version, and any other program as it calls itself', () => {
  const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const names = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0': 'Firefox 145',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/142.0.0.0 Safari/537.36`]: 'Chrome 142',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`]: 'Edge 142',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15':
      'Safari 18',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1':
      'Chrome 142',
    'Mozilla/5.0 (compatible; SomeBot/1.0)': 'Mozilla/5.0 (compatible; SomeBot/1.0)',
    'curl/8.5.0': 'curl/8.5.0',
    'claude-code 2.0': 'claude-code 2.0',
  };
  for (const [client, name] of Object.entries(names)) assert.equal(toBrowserName(client), name);
});
