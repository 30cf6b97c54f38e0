import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Job {
  readonly needs?: string;
  readonly permissions?: Record<string, string>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const folder = fileURLToPath(new URL('../../.github/workflows', import.meta.url));
const workflows = globSync('*.yml', { cwd: folder }).map((name) => ({
  name,
  content: parse(readFileSync(join(folder, name), 'utf8')) as {
    readonly permissions: Record<string, string>;
    readonly jobs: Record<string, Job>;
  },
}));

const jobs = workflows.flatMap(({ name, content }) =>
  Object.entries(content.jobs).map(([job, each]) => ({ job: `${name} ${job}`, ...each })),
);

/** The names of the jobs that may do something, by the name of the permission. */
const permitted = (name: string, value: string): string[] =>
  jobs.filter(({ permissions }) => permissions?.[name] === value).map(({ job }) => job);

test('every action of a workflow is pinned to a commit, and only the release may write to the repository', () => {
  const used = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  assert.ok(used.length > 0);
  assert.deepEqual(
    used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action)),
    [],
  );
  for (const { content } of workflows) assert.deepEqual(content.permissions, { contents: 'read' });
  assert.deepEqual(permitted('contents', 'write'), ['publish.yml bundle']);
});

test('a release is published only after its tests, with provenance, and then listed where clients look', () => {
  const publishing = jobs.filter(({ steps }) => steps.some(({ run }) => run?.includes('npm publish')));
  assert.deepEqual(
    publishing.map(({ job, needs, permissions, steps }) => [job, needs, permissions, steps.at(-1)?.run]),
    [
      [
        'publish.yml publish',
        'test',
        { contents: 'read', 'id-token': 'write' },
        'npm publish --provenance --access public',
      ],
    ],
  );
  assert.deepEqual(permitted('id-token', 'write'), ['publish.yml publish', 'publish.yml registry']);
  for (const job of ['bundle', 'registry'])
    assert.equal(jobs.find((each) => each.job === `publish.yml ${job}`)?.needs, 'publish');
  const tested = workflows.find(({ name }) => name === 'publish.yml')?.content.jobs.test;
  assert.deepEqual(
    tested?.steps.flatMap(({ run }) => run ?? []),
    ['bash .ci/run', 'npm run test:release installed-package'],
  );
});
