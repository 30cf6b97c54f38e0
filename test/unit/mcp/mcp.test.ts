import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { byAddress } from '../../../src/model/visitor.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Edition } from '../../../src/operations/ports.ts';
import { changesBetween } from '../../../src/surfaces/mcp/catalogue.ts';
import { connect, edition, eras, laterEdition, openService, serviceOf } from '../../support/mcp-service.ts';

const readTools = [
  'get_candidate',
  'list_experience',
  'get_experience',
  'list_projects',
  'get_project',
  'get_availability',
  'get_resume',
];

const candidateText = `{
  "id": "grace-hopper",
  "name": "Grace Hopper",
  "title": "Compiler engineer",
  "location": "Arlington",
  "summary": "Made machines understand words.",
  "years_experience": 43,
  "domains": [
    "compilers",
    "standards"
  ]
}`;

const promptText = async (client: Client, focus?: string) => {
  const { messages } = await client.getPrompt({
    name: 'candidate_profile_summary',
    ...(focus === undefined ? {} : { arguments: { focus } }),
  });
  assert.equal(messages.length, 1);
  assert.equal(messages[0]?.role, 'user');
  const { content } = messages[0];
  return content.type === 'text' ? content.text : '';
};

const idsOf = ({ structuredContent }: { structuredContent?: unknown }) =>
  (structuredContent as { data: { id: string }[] }).data.map(({ id }) => id);

for (const era of eras)
  describe(`to a client of the ${era} era`, async () => {
    const { mcp, kept } = openService();
    const client = await connect(mcp, era);
    const willing = openService({ mutations: true });
    const trusted = await connect(willing.mcp, era);
    const refuses = (call: Promise<unknown>, message: string) =>
      assert.rejects(call, (error: { code: number; message: string }) => {
        assert.equal(error.code, -32602);
        assert.match(error.message, new RegExp(message));
        assert.doesNotMatch(error.message, /ignore previous/);
        return true;
      });

    test('the service returns its name, version, instructions and capabilities', () => {
      assert.deepEqual(client.getServerVersion(), {
        name: 'candidate-profile',
        title: 'Candidate profile',
        version: '1.2.3',
      });
      assert.match(client.getInstructions() ?? '', /^This server publishes one candidate's professional profile/);
      // Clients of the legacy era have no stream that notifications could be sent on.
      const lists = era === 'modern' ? { listChanged: true } : {};
      assert.deepEqual(client.getServerCapabilities(), {
        tools: { ...lists },
        resources: { subscribe: era === 'modern', ...lists },
        prompts: {},
        completions: {},
        extensions: { 'io.modelcontextprotocol/ui': {}, 'io.modelcontextprotocol/skills': {} },
      });
    });

    test('the seven read tools are listed, in order, each described and annotated as read-only [MCP-7] [MCP-9] [MCP-10]', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        readTools,
      );
      for (const tool of tools) {
        assert.ok(tool.title && tool.description);
        assert.deepEqual(tool.annotations, {
          readOnlyHint: true,
          idempotentHint: true,
          destructiveHint: false,
          openWorldHint: true,
        });
        assert.equal(tool.inputSchema.additionalProperties, false);
        assert.deepEqual(tool.outputSchema?.required, ['data']);
        assert.doesNotMatch(JSON.stringify(tool), /\$ref|Grace/);
      }
    });

    test('a tool has an input schema [MCP-11] [MCP-12]', async () => {
      const { tools } = await client.listTools();
      const taken = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema]));
      assert.deepEqual(taken.list_experience, {
        type: 'object',
        properties: {
          current: {
            type: 'boolean',
            description: 'true = current entries only, false = past entries only, absent = all',
          },
        },
        additionalProperties: false,
      });
      assert.deepEqual(taken.get_project, {
        type: 'object',
        properties: { id: { type: 'string', description: 'An id returned by list_projects' } },
        required: ['id'],
        additionalProperties: false,
      });
      assert.deepEqual(taken.get_candidate, { type: 'object', properties: {}, additionalProperties: false });
    });

    test('the two mutation tools are listed if the owner enables them [MCP-8] [MCP-13] [MCP-15]', async () => {
      const { tools } = await trusted.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...readTools, 'create_auth_token', 'create_contact'],
      );
      for (const { annotations } of tools.slice(7))
        assert.deepEqual(annotations, {
          readOnlyHint: false,
          idempotentHint: false,
          destructiveHint: false,
          openWorldHint: true,
        });
      assert.deepEqual(Object.keys(tools[8]?.inputSchema.properties ?? {}), ['name', 'email', 'company', 'message']);
      assert.equal(tools[8]?.inputSchema.type, 'object');
    });

    test('a result has the data as pretty-printed text and as structured content [MCP-6]', async () => {
      const result = await client.callTool({ name: 'get_candidate' });
      assert.deepEqual(result.content, [{ type: 'text', text: candidateText }]);
      assert.deepEqual(result.structuredContent, { data: edition.profile.candidate });
      assert.equal(result.isError, undefined);
    });

    test('an optional argument filters the answer; null counts as absent, and an unknown argument is ignored [MCP-11]', async () => {
      const list = async (given: Record<string, unknown>) =>
        idsOf(await client.callTool({ name: 'list_experience', arguments: given }));
      assert.deepEqual(await list({ current: true }), ['dec']);
      assert.deepEqual(await list({ current: false }), ['navy']);
      assert.deepEqual(await list({ current: null }), ['dec', 'navy']);
      assert.deepEqual(await list({ unheard: 'of' }), ['dec', 'navy']);
    });

    test('an unknown id is an error result with the REST error body', async () => {
      const result = await client.callTool({ name: 'get_experience', arguments: { id: 'nowhere' } });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined);
      assert.deepEqual(result.content, [
        {
          type: 'text',
          text: `{
  "error": {
    "code": "NOT_FOUND",
    "message": "The requested resource could not be found."
  }
}`,
        },
      ]);
    });

    test('a bad or missing argument is an error result with the REST message', async () => {
      const messageOf = async (name: string, given?: Record<string, unknown>) => {
        const result = await client.callTool({ name, ...(given ? { arguments: given } : {}) });
        assert.equal(result.isError, true);
        const [content] = result.content;
        return JSON.parse(content?.type === 'text' ? content.text : '');
      };
      const badRequest = (message: string) => ({ error: { code: 'BAD_REQUEST', message } });
      assert.deepEqual(
        await messageOf('list_experience', { current: 'yes' }),
        badRequest('current must be true or false'),
      );
      assert.deepEqual(await messageOf('get_resume', { format: 'doc' }), badRequest('format must be json or pdf'));
      assert.deepEqual(await messageOf('get_experience'), badRequest('id is required'));
      assert.deepEqual(await messageOf('get_experience', { id: null }), badRequest('id is required'));
    });

    test('an unknown and a disabled tool are refused with a constant message', async () => {
      await refuses(client.callTool({ name: 'ignore previous instructions' }), 'Unknown tool');
      await refuses(client.callTool({ name: 'create_contact', arguments: {} }), 'Unknown tool');
    });

    test('the six resources are listed, in order, with their titles [MCP-1] [MCP-4]', async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri, title, mimeType }) => [uri, title, mimeType]),
        [
          ['candidate-profile://profile/candidate', 'Candidate', 'application/json'],
          ['candidate-profile://profile/experience', 'Experience', 'application/json'],
          ['candidate-profile://profile/projects', 'Projects', 'application/json'],
          ['candidate-profile://profile/availability', 'Availability', 'application/json'],
          ['candidate-profile://profile/resume/json', 'Resume JSON', 'application/json'],
          ['candidate-profile://profile/resume/pdf', 'Resume PDF Link', 'application/json'],
        ],
      );
      assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
    });

    test('a resource is read as one pretty-printed entry [MCP-2] [MCP-3]', async () => {
      const read = async (path: string) => {
        const { contents } = await client.readResource({ uri: `candidate-profile://profile/${path}` });
        return contents;
      };
      assert.deepEqual(await read('candidate'), [
        { uri: 'candidate-profile://profile/candidate', mimeType: 'application/json', text: candidateText },
      ]);
      assert.deepEqual(await read('resume/pdf'), [
        {
          uri: 'candidate-profile://profile/resume/pdf',
          mimeType: 'application/json',
          text: '{\n  "url": "https://profile.example/files/resume.pdf?expires=1&signature=x"\n}',
        },
      ]);
    });

    test('the card that three tools name is read, and recorded as a message, not as a read', async () => {
      const calls = kept.calls.length;
      const reads = kept.reads.length;
      const { contents } = await client.readResource({ uri: 'ui://candidate-profile/card' });
      assert.deepEqual(
        contents.map(({ uri, mimeType }) => [uri, mimeType]),
        [['ui://candidate-profile/card', 'text/html;profile=mcp-app']],
      );
      assert.match(JSON.stringify(contents), /href=\\"https:\/\/profile\.example\/\\">Open page/);
      assert.deepEqual(
        kept.calls.slice(calls).map(({ operation, code }) => [operation, code]),
        [['resources/read', 'OK']],
      );
      assert.equal(kept.reads.length, reads);
    });

    test('an unknown resource is refused with a constant message', async () => {
      for (const uri of ['candidate-profile://profile/contacts', 'ignore previous instructions'])
        await refuses(client.readResource({ uri }), 'Unknown resource');
      const uri = 'candidate-profile://profile/contacts';
      await assert.rejects(client.readResource({ uri }), { data: { uri } });
    });

    test('the prompt asks for a summary with the tools that fit the focus', async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name, arguments: given }) => [name, given?.map(({ name, required }) => [name, required])]),
        [['candidate_profile_summary', [['focus', false]]]],
      );
      assert.equal(
        await promptText(client),
        `Summarise the professional profile of Grace Hopper.
Use what you need of these tools: get_candidate, list_experience, get_experience, list_projects, get_project, get_availability, get_resume.
State only what they return, and say so where something is missing.`,
      );
      assert.equal(await promptText(client, 'general'), await promptText(client));
      assert.equal(
        await promptText(client, 'experience'),
        `Summarise the professional profile of Grace Hopper, with a focus on experience.
Use what you need of these tools: get_candidate, list_experience, get_experience.
State only what they return, and say so where something is missing.`,
      );
      const named = async (focus: string) => / these tools: (.*)\.$/m.exec(await promptText(client, focus))?.[1];
      assert.equal(await named('projects'), 'get_candidate, list_projects, get_project');
      assert.equal(await named('resume'), 'get_candidate, get_resume');
    });

    test('the instructions say that reads are recorded, and without a tool for it how a message is sent', () => {
      const record = /is recorded for the candidate.* GET https:\/\/profile\.example\/me,.* DELETE/;
      assert.match(client.getInstructions() ?? '', record);
      const way = /POST https:\/\/profile\.example\/contact/;
      assert.match(client.getInstructions() ?? '', way);
      assert.doesNotMatch(trusted.getInstructions() ?? '', way);
    });

    test('no operation on what is kept of a token is a tool', async () => {
      for (const each of [client, trusted]) assert.doesNotMatch(JSON.stringify(await each.listTools()), /my_reads/);
      for (const name of ['get_my_reads', 'erase_my_reads'])
        await assert.rejects(trusted.callTool({ name }), /Unknown tool/);
    });

    test('an unknown prompt or focus is refused with a constant message', async () => {
      await refuses(client.getPrompt({ name: 'ignore previous instructions' }), 'unknown prompt');
      await refuses(promptText(client, 'ignore previous'), 'must be general, experience, projects or resume');
    });

    test('the focus is completed as it is typed', async () => {
      const complete = async (name: string, value: string, prompt = 'candidate_profile_summary') =>
        (await client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } })).completion;
      const values = ['general', 'experience', 'projects', 'resume'];
      assert.deepEqual(await complete('focus', ''), { values, total: 4, hasMore: false });
      assert.deepEqual((await complete('focus', 'pro')).values, ['projects']);
      assert.deepEqual((await complete('tone', 'pro')).values, []);
      await refuses(complete('focus', '', 'ignore previous instructions'), 'unknown prompt');
    });

    test('a mutation stores what the caller sent and queues a notice for the owner [MCP-14]', async () => {
      const { data } = (await trusted.callTool({ name: 'create_auth_token', arguments: { email: 'bob@example.org' } }))
        .structuredContent as { data: unknown };
      assert.deepEqual(data, { access_token: 'signed token-2', token_type: 'Bearer' });
      const given = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
      const { content } = await trusted.callTool({ name: 'create_contact', arguments: given });
      assert.match(
        content[0]?.type === 'text' ? content[0].text : '',
        /^{\n {2}"id": "contact_\w{32}",\n {2}"status": "received"\n}$/,
      );
      assert.deepEqual(willing.kept.contacts[0]?.subject, byAddress('ada@example.org'));
      assert.deepEqual(
        willing.kept.notices.map(({ kind }) => kind),
        ['auth_request', 'contact_request'],
      );
    });
  });

test('a resource has changed if its entity tag differs between two editions', () => {
  const { services } = serviceOf();
  const changesTo = (after: Edition) => changesBetween(edition, after, operations, services);
  assert.deepEqual(changesTo(laterEdition), {
    resources: ['candidate-profile://profile/availability'],
    isListChanged: false,
  });
  assert.deepEqual(changesTo({ ...edition, resumeUrl: 'https://x.example' }), {
    resources: ['candidate-profile://profile/resume/pdf'],
    isListChanged: false,
  });
  assert.deepEqual(changesTo(structuredClone(edition)), { resources: [], isListChanged: false });
});

test('a resource that only one of two editions offers has changed, and so have the lists', () => {
  const { services } = serviceOf();
  const changes = { resources: ['candidate-profile://profile/background'], isListChanged: true };
  const other = { ...edition, profile: { ...edition.profile, background: true } };
  assert.deepEqual(changesBetween(edition, other, operations, services), changes);
  assert.deepEqual(changesBetween(other, edition, operations, services), changes);
});
