import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { dockerfileInstructions, imageVariables, readDeployed, root } from '../../support/deployment.ts';
import { fixture } from '../../support/files.ts';
import { startProcess } from '../../support/process.ts';

const instructions = dockerfileInstructions();
const lastStage = instructions.at(-1)!.stage;
const inLastStage = (keyword: string) =>
  instructions.filter((one) => one.stage === lastStage && one.keyword === keyword).map(({ value }) => value);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the Dockerfile has no fault that a linter knows', () => {
  assert.deepEqual(
    validate(readDeployed('Dockerfile')).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    [],
  );
});

test('the image runs as a user that Kubernetes can tell is not root, and is stopped by SIGTERM', () => {
  assert.deepEqual(inLastStage('USER'), ['1000:1000']);
  assert.deepEqual(inLastStage('STOPSIGNAL'), ['SIGTERM']);
  assert.deepEqual([inLastStage('ENTRYPOINT'), inLastStage('CMD')], [['["candidate-profile"]'], ['["serve"]']]);
});

test('the image has what was built and runtime dependencies, and installs nothing itself', () => {
  assert.deepEqual(inLastStage('COPY'), [
    '--from=dependencies /app/node_modules node_modules',
    '--from=fonts /fonts/node_modules/@embedpdf node_modules/@embedpdf',
    '--from=build /app/dist dist',
    'bin bin',
    'package.json ./',
    '--chmod=755 deploy/backup.sh /usr/local/bin/candidate-profile-backup',
  ]);
  assert.deepEqual(
    inLastStage('RUN').filter((command) => /\b(npm|npx|apt|curl)\b/.test(command)),
    [],
  );
  const ofDependencies = instructions.filter(({ stage, keyword }) => stage === 2 && keyword === 'RUN');
  assert.match(
    ofDependencies.map(({ value }) => value).join(),
    /^npm ci --omit=dev --ignore-scripts --workspaces=false$/,
  );
  const fonts = instructions.filter(({ stage, keyword }) => stage === 3 && keyword === 'RUN').map(({ value }) => value);
  assert.deepEqual(fonts.join().match(/@embedpdf\S+/g), [
    '@embedpdf/fonts-arabic@1.0.0',
    '@embedpdf/fonts-jp@1.0.0',
    '@embedpdf/fonts-kr@1.0.0',
    '@embedpdf/fonts-sc@1.0.0',
    '@embedpdf/fonts-tc@1.0.0',
  ]);
});

test('the data is on a volume, and the port and the variables agree', () => {
  assert.deepEqual([inLastStage('VOLUME'), inLastStage('EXPOSE')], [['/data'], ['3000']]);
  assert.deepEqual(imageVariables(), {
    HOST: '0.0.0.0',
    PORT: '3000',
    PROFILE: '/profile/profile.yaml',
    DATA_DIR: '/data/candidate-profile',
  });
});

const tls = { TLS_CERT: fixture('tls-cert.pem'), TLS_KEY: fixture('tls-key.pem') };
for (const [what, env] of [
  ['http', {}],
  ['TLS', tls],
] as [string, Record<string, string>][])
  test(`the health check of the image finds a service with ${what} well, and none unwell`, async (t) => {
    const { url, kill, exited } = await startProcess(t, { PROFILE: fixture('profile.yaml'), ...env });
    const [program, ...args] = JSON.parse(/CMD (\[.*\])/.exec(inLastStage('HEALTHCHECK').join())![1]!) as string[];
    assert.equal(program, 'node');
    const check = async () => {
      const child = spawn(process.execPath, args, { env: { PORT: new URL(url).port, ...env }, cwd: root });
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    };
    assert.equal(await check(), 0);
    kill('SIGKILL');
    await exited();
    assert.equal(await check(), 1);
  });

test('what the image is built from exists and is all that the builder is sent', () => {
  const copied = instructions
    .filter(({ keyword, value }) => keyword === 'COPY' && !value.startsWith('--from='))
    .flatMap(({ value }) =>
      value
        .replace(/^--\S+ /, '')
        .split(' ')
        .slice(0, -1),
    );
  const sent = readDeployed('Dockerfile.dockerignore').split('\n');
  const patterns = sent.filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(patterns[0], '*');
  assert.deepEqual(patterns.slice(1).sort(), [...new Set(copied)].map((path) => `!${path}`).sort());
  assert.deepEqual(
    copied.filter((path) => globSync(path, { cwd: root }).length === 0),
    [],
  );
  // The image has Node.js, which the other workspace brings to a checkout.
  const libraries = manifest.workspaces.filter((path: string) => path !== 'tools/node');
  assert.deepEqual(libraries, ['packages/*']);
  assert.ok(copied.includes('packages'), 'the libraries are part of the program');
});
