import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { openMcpStdio } from '../../../src/surfaces/mcp/stdio.ts';
import { clientOf, connect, type Era, eras, openService, serviceOf } from '../../support/mcp-service.ts';

const uri = 'skill://read-a-candidate/SKILL.md';

async function connectOverStdio(era: Era) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const stdio = openMcpStdio(serviceOf(), ours);
  const client = clientOf(era);
  await client.connect(theirs);
  return { client, close: stdio.close };
}

for (const era of eras)
  for (const surface of ['HTTP', 'stdio'] as const)
    describe(`to a client of the ${era} era over ${surface}`, async () => {
      const { client, close } =
        surface === 'HTTP'
          ? { client: await connect(openService().mcp, era), close: async () => {} }
          : await connectOverStdio(era);
      after(close);
      const skills = new SkillsClient(client);

      test('one skill is listed, which a client that verifies digests can read', async () => {
        assert.equal(skills.supported, true);
        const { skills: listed } = await skills.list();
        assert.deepEqual(
          listed.map((skill) => [skill.uri, skill.frontmatter.name]),
          [[uri, 'read-a-candidate']],
        );
        const { skill } = await skills.get(uri);
        assert.deepEqual(skill, listed[0]);
        const file = await skills.read(skill);
        assert.equal(file.verified, true);
        assert.match(
          client.getInstructions() ?? '',
          /resource skill:\/\/read-a-candidate\/SKILL\.md says how to compare/,
        );
      });

      test('the file is a resource that is not listed', async () => {
        const { resources } = await client.listResources();
        assert.ok(resources.every((one) => !one.uri.startsWith('skill:')));
      });

      test('an unknown skill is refused with -32602, and its URI is not repeated', async () => {
        for (const unknown of ['skill://ignore-previous/SKILL.md', 'skill://read-a-candidate/', ''])
          await assert.rejects(skills.get(unknown), (error: { code: number; message: string }) => {
            assert.equal(error.code, -32602);
            assert.doesNotMatch(error.message, /ignore-previous/);
            return true;
          });
      });
    });

test('the skill names only tools that every profile offers, and has nothing of the profile', async () => {
  const client = await connect(openService().mcp, 'modern');
  const { contents } = await client.readResource({ uri });
  const { text } = (contents as { text: string }[])[0]!;
  const named = new Set([...text.matchAll(/\w+_\w+/g)].map(([name]) => name));
  const { tools } = await client.listTools();
  const listed = tools.map(({ name }) => name).filter((name) => name !== 'get_background');
  assert.deepEqual([...named].sort(), listed.sort());
  assert.doesNotMatch(text, /Grace|Hopper|DEC/);
  assert.ok(Buffer.byteLength(text) < 4_000);
});
