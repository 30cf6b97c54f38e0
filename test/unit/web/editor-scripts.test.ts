import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAssets } from '../../../src/surfaces/web/assets.ts';

for (const name of ['main.js', 'yaml.js'] as const)
  test(`in a checkout, ${name} and all that it imports are served, without types`, async () => {
    const assets = openAssets('/ada');
    const waiting = [assets.pathsFor('#0b5d6b').script(name)];
    const served = new Set<string>();
    for (const path of waiting) {
      if (served.has(path)) continue;
      assert.match(path, /^\/ada\/assets\/[\w.-]+\.[\w-]{10}\.js$/);
      const response = assets.respond(new Request(`http://localhost${path.slice('/ada'.length)}`));
      const code = (await response?.text()) ?? assert.fail(path);
      assert.doesNotMatch(code, /^(import type|export interface) |^(im|ex)port[^'"();]*from ?["'](?!\/ada\/assets\/)/m);
      served.add(path);
      waiting.push(...[...code.matchAll(/["'](\/ada\/assets\/[^"']+)["']/g)].map(([, imported]) => imported!));
    }
    assert.ok(served.size > 10);
  });

test('a process serves the scripts that the page of another process names', () => {
  const path = openAssets('').pathsFor('#0b5d6b').script('main.js');
  assert.equal(openAssets('').respond(new Request(`http://localhost${path}`))?.status, 200);
  assert.equal(openAssets('').respond(new Request('http://localhost/assets/other.js')), null);
});
