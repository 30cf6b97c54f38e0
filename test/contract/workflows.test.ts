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

test('every action of a workflow is pinned to a commit, and no workflow may write to the repository', () => {
  const jobs = workflows.flatMap(({ content }) => Object.values(content.jobs));
  const used = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  assert.ok(used.length > 0);
  assert.deepEqual(
    used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action)),
    [],
  );
  for (const { content } of workflows) assert.deepEqual(content.permissions, { contents: 'read' });
});

test('a release is published after its tests alone, with provenance, by the one job that may identify itself', () => {
  const jobs = workflows.flatMap(({ name, content }) =>
    Object.entries(content.jobs).map(([job, each]) => ({ job: `${name} ${job}`, ...each })),
  );
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
  assert.deepEqual(
    jobs.filter(({ permissions }) => permissions?.['id-token'] !== undefined).map(({ job }) => job),
    ['publish.yml publish'],
  );
  const tested = workflows.find(({ name }) => name === 'publish.yml')?.content.jobs.test;
  assert.deepEqual(
    tested?.steps.flatMap(({ run }) => run ?? []),
    ['bash .ci/run', 'npm run test:package'],
  );
});
