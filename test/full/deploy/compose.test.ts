import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { DCLinter } from 'dclint';
import { composeServices, readDeployed, root, servingIn } from '../../support/deployment.ts';

const files = ['compose.yaml', 'compose.replicas.yaml'];

test('the compose files follow the schema of Compose and the rules of a linter', () => {
  // Caddy is there for everybody.
  const rules = { 'no-unbound-port-interfaces': 0 as const };
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  // The types of the package lack theirs.
  const results: { filePath: string; messages: { line: number; message: string }[] }[] = linter.lintFiles(
    files.map((file) => join(root, 'deploy', file)),
    false,
  );
  assert.equal(results.length, 2);
  assert.deepEqual(
    results.flatMap(({ filePath, messages }) => messages.map(({ line, message }) => `${filePath}:${line}: ${message}`)),
    [],
  );
});

test('one service has SQLite, two replicas share a PostgreSQL and a key', () => {
  const [single, ...others] = servingIn('compose.yaml');
  assert.deepEqual([others.length, single?.environment?.DATABASE_URL], [0, undefined]);
  const replicas = servingIn('compose.replicas.yaml');
  assert.deepEqual(
    replicas.map(({ environment }) => environment?.DATABASE_URL?.replace(/\$\{.*?\}/, 'PASSWORD')),
    Array(2).fill('postgres://candidate_profile:PASSWORD@postgres/candidate_profile?sslmode=disable'),
  );
  assert.deepEqual(
    replicas.map(({ environment }) => environment?.SIGNING_KEY),
    Array(2).fill('$' + '{SIGNING_KEY:?set it in .env}'),
  );
});

test('every container but that of PostgreSQL is read-only and has no privilege that it does not need', () => {
  const loose = files.flatMap((file) =>
    Object.entries(composeServices(file)).flatMap(([name, { read_only, cap_drop }]) =>
      read_only === true && cap_drop?.join() === 'ALL' ? [] : [`${file}: ${name}`],
    ),
  );
  assert.deepEqual(loose, ['compose.replicas.yaml: postgres']);
});

test('only Caddy is trusted to say who the client is, at the address that it is given', () => {
  for (const file of files) {
    const { caddy } = composeServices(file);
    const { ipv4_address: address } = (caddy!.networks as Record<string, { ipv4_address: string }>).proxied!;
    assert.deepEqual(
      servingIn(file).map(({ environment }) => environment?.TRUST_PROXY),
      Array(servingIn(file).length).fill(address),
    );
  }
});

test('what a service mounts is where the image looks for it, and each replica has data of its own', () => {
  const mounts = (file: string) => servingIn(file).map(({ volumes }) => volumes);
  assert.deepEqual(mounts('compose.yaml'), [['data:/data', './profile:/profile']]);
  assert.deepEqual(mounts('compose.replicas.yaml'), [
    ['./profile:/profile:ro', 'data-1:/data'],
    ['./profile:/profile:ro', 'data-2:/data'],
  ]);
});

test('a backup is made each day: of SQLite by the program, of PostgreSQL by pg_dump', () => {
  const commands = files.map((file) => composeServices(file).backup!).map((one) => [one.entrypoint, one.command]);
  assert.deepEqual(commands, [
    [['candidate-profile-backup'], ['/backups', '14', '24', 'candidate-profile', 'backup']],
    [['candidate-profile-backup'], ['/backups', '14', '24', 'pg_dump', '--format=custom', '--file']],
  ]);
});

test('every variable that a compose file asks for is in .env.example', () => {
  const asked = files.flatMap((file) => [...readDeployed(file).matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name!));
  const offered = [...readDeployed('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  assert.deepEqual([...new Set(asked)].sort(), ['DOMAIN', 'POSTGRES_PASSWORD', 'SIGNING_KEY']);
  assert.deepEqual(
    asked.filter((name) => !offered.includes(name)),
    [],
  );
});
