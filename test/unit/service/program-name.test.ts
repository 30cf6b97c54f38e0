import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { programNameOf, serveCommandOn } from '../../../src/service/program-name.ts';
import { makeFolder } from '../../support/files.ts';

const directory = '/home/ada/profile';
const checkout = { isCheckout: true, directory, script: '/home/ada/profile/src/main.ts' };
const installed = { isCheckout: false, directory, script: '/usr/lib/node_modules/candidate-profile/dist/src/main.js' };
const npm = { npm_lifecycle_event: 'start', npm_package_name: 'candidate-profile' };

test('a checkout that npm runs is run by npm again', () => {
  assert.equal(programNameOf({ ...checkout, env: npm }), 'npm run --silent cli --');
});

test('a checkout that node runs is run by its path, relative if it is below the working directory', () => {
  assert.equal(programNameOf({ ...checkout, env: {} }), 'node src/main.ts');
  assert.equal(programNameOf({ ...checkout, env: {}, directory: '/tmp' }), 'node /home/ada/profile/src/main.ts');
  const inOtherPackage = { ...npm, npm_package_name: 'other' };
  assert.equal(
    programNameOf({ ...checkout, env: inOtherPackage, directory: '/' }),
    'node home/ada/profile/src/main.ts',
  );
  const script = "/home/ada's files/main.ts";
  assert.equal(programNameOf({ ...checkout, env: {}, script }), String.raw`node '/home/ada'\''s files/main.ts'`);
});

test('an installed program is run by its name if it is on the PATH, and by npx if a script or npx runs it', () => {
  const bin = makeFolder();
  writeFileSync(join(bin, 'candidate-profile'), '');
  const PATH = ['/nowhere', bin].join(delimiter);
  assert.equal(programNameOf({ ...installed, env: { PATH } }), 'candidate-profile');
  assert.equal(programNameOf({ ...installed, env: { PATH, npm_lifecycle_event: 'npx' } }), 'npx candidate-profile');
  assert.equal(
    programNameOf({ ...installed, env: { PATH: '/nowhere' } }),
    'node /usr/lib/node_modules/candidate-profile/dist/src/main.js',
  );
});

test('npm start is named for another port if it started the service, with the options typed', () => {
  const started = (argv: string[], env: NodeJS.ProcessEnv = npm) => serveCommandOn(3001, { ...process, argv, env });
  const serve = ['node', 'main.ts', 'serve'];
  assert.equal(started(serve), 'npm start -- --port 3001');
  assert.equal(started([...serve, '--port=3000']), 'npm start -- --port 3001');
  assert.equal(
    started([...serve, 'my resume.yaml', '--port', '3000', '--data', '/srv']),
    "npm start -- 'my resume.yaml' --data /srv --port 3001",
  );
  assert.match(started([...serve, 'me.yaml'], {}), / serve me\.yaml --port 3001$/);
});
