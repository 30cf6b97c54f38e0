import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { newFolder } from '../../support/files.ts';
import { run } from '../../support/installed-package.ts';
import { shellEnv } from '../../support/shell.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('npm install warns of no package that asks for a newer Node.js, which it brings along', async (t) => {
  const folder = newFolder(t);
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "newer", "version": "1.0.0", "engines": { "node": ">=99" } }');
  const { stderr } = await run('npm', ['install', '--offline'], { cwd: folder, env: shellEnv() });
  assert.equal(stderr, '');
});

// `test/release/installed-package.test.ts` installs a checkout with pnpm, which needs the registry.
test('pnpm installs the workspaces that npm installs, and runs the same scripts of packages', () => {
  const settings = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'));
  assert.deepEqual(settings.packages, packageJson.workspaces);
  assert.deepEqual(settings.allowBuilds, packageJson.allowScripts);
});
