import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fixture, newFolder } from '../../support/files.ts';
import { startService } from '../../support/process.ts';
import {
  openAgentsSdkClient,
  openAiSdkClient,
  openInspector,
  openMcpRemote,
  openSdkClient,
  runInspector,
} from './mcp-clients.ts';

const service = await startService({ after }, { PROFILE: fixture('profile.yaml'), LOG_LEVEL: 'silent' });
const destination = { url: `${service.url}/mcp`, token: await service.token(), home: newFolder({ after }) };

const availability = 'candidate-profile://profile/availability';
const status = '{\n  "status": "open to opportunities"\n}';
const project = `{
  "id": "proj_plain",
  "name": "Plain",
  "summary": "A project without links.",
  "links": {}
}`;
const notFound = `{
  "error": {
    "code": "NOT_FOUND",
    "message": "The requested resource could not be found."
  }
}`;

for (const [name, open] of [
  ['the SDK client, 2026-07-28', openSdkClient('modern')],
  ['the SDK client, 2025-11-25', openSdkClient('legacy')],
  ['@ai-sdk/mcp', openAiSdkClient],
  ['@openai/agents', openAgentsSdkClient],
  ['mcp-remote', openMcpRemote],
  ['the Inspector, 2026-07-28', openInspector('modern')],
  ['the Inspector, 2025-11-25', openInspector('legacy')],
] as const)
  test(`${name} lists the read tools and resources, calls, reads, and gets an error for an unknown id [MCP-13]`, async (t) => {
    const agent = await open(destination);
    t.after(() => agent.close());
    const [tools, resources, found, unknown, contents, card] = await Promise.all([
      agent.tools(),
      agent.resources(),
      agent.call('get_project', { id: 'proj_plain' }),
      agent.call('get_project', { id: 'none' }),
      agent.read(availability),
      agent.read('ui://candidate-profile/card'),
    ]);
    assert.deepEqual(tools, [
      'get_candidate',
      'list_experience',
      'get_experience',
      'list_projects',
      'get_project',
      'get_availability',
      'get_resume',
    ]);
    assert.deepEqual(resources, [
      'candidate-profile://profile/candidate',
      'candidate-profile://profile/experience',
      'candidate-profile://profile/projects',
      availability,
      'candidate-profile://profile/resume/json',
      'candidate-profile://profile/resume/pdf',
    ]);
    assert.ok(!found.isError);
    assert.deepEqual(found.content, [{ type: 'text', text: project }]);
    assert.equal(unknown.isError, true);
    assert.deepEqual(unknown.content, [{ type: 'text', text: notFound }]);
    assert.deepEqual(contents, [{ uri: availability, mimeType: 'application/json', text: status }]);
    const [{ mimeType, text } = {}] = card as { mimeType?: string; text?: string }[];
    assert.equal(mimeType, 'text/html;profile=mcp-app');
    assert.match(text ?? '', /^<!doctype html>/);
  });

for (const [name, open, refusal] of [
  ['the SDK client, 2026-07-28', openSdkClient('modern'), { name: 'SdkHttpError', status: 401 }],
  ['the SDK client, 2025-11-25', openSdkClient('legacy'), { name: 'SdkHttpError', status: 401 }],
  ['@ai-sdk/mcp', openAiSdkClient, { name: 'MCPClientError', statusCode: 401 }],
  ['the Inspector, 2026-07-28', openInspector('modern'), { message: 'exit code 3' }],
  ['the Inspector, 2025-11-25', openInspector('legacy'), { message: 'exit code 3' }],
] as const)
  test(`${name} understands that it needs a token [AUTH-3]`, async () => {
    await assert.rejects(async () => (await open({ ...destination, token: undefined })).tools(), refusal);
  });

for (const era of ['modern', 'legacy'] as const)
  test(`the Inspector of the ${era} era verifies the skill: its digest, its size and what it says of itself`, async () => {
    const { code, stdout, stderr } = await runInspector(destination, era, 'skills/list', '--verify');
    assert.deepEqual([code, stderr], [0, 'Verified 1 skill and 1 file: no conformance errors.\n']);
    assert.match(stdout, /read-a-candidate/);
  });
