import {
  acceptedContent,
  type GetPromptResult,
  type McpServerFactory,
  ProtocolError,
  Server,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import { type Answer, asks, form, png, states, tools } from './fixture-tools.ts';

const texts = { mimeType: 'text/plain' };
const resources = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    ...texts,
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png', blob: png },
  { uri: 'test://watched-resource', name: 'watched-resource', ...texts, text: 'Watched resource content' },
];
const template = { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' };

function readResource(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) };
  const { name: _, ...content } =
    resources.find((resource) => resource.uri === uri) ?? refuse('Resource not found', { uri });
  return content;
}

type Prompt = (args: Record<string, string>, context: ServerContext) => Answer<GetPromptResult>;
type Content = GetPromptResult['messages'][number]['content'];

const user = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
});

const prompts: Record<string, { takes: string[]; get: Prompt }> = {
  test_simple_prompt: { takes: [], get: () => user({ type: 'text', text: 'This is a simple prompt for testing.' }) },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      user(
        { type: 'resource', resource: { uri: resourceUri, ...texts, text: 'Embedded resource content for testing.' } },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    takes: [],
    get: () =>
      user(
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  test_input_required_result_prompt: {
    takes: [],
    get: (_args, { mcpReq }) => {
      const context = acceptedContent<{ context: string }>(mcpReq.inputResponses, 'user_context')?.context;
      return typeof context === 'string'
        ? user({ type: 'text', text: `Use the following context: ${context}` })
        : asks({ user_context: form('What context should the prompt use?', 'context') });
    },
  },
};

function refuse(message: string, data?: unknown): never {
  throw new ProtocolError(-32602, message, data);
}

/** Makes a server with the fixtures that the conformance suite requires; `notify` notifies subscribers. */
export const fixtureFactory =
  (notify: () => ServerNotifier): McpServerFactory =>
  ({ era }) => {
    const changing = { listChanged: true };
    const server = new Server(
      { name: 'conformance-fixtures', version: '1.0.0' },
      {
        capabilities: {
          tools: changing,
          resources: { subscribe: true },
          prompts: changing,
          completions: {},
          logging: {},
        },
        requestState: { verify: states.verify },
      },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(tools).map((name) => ({
        name,
        description: `Fixture ${name}`,
        inputSchema: { type: 'object' },
      })),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      (tools[params.name] ?? refuse('Unknown tool'))(context, notify()),
    );
    server.setRequestHandler('resources/list', () => ({
      resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
    }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [readResource(uri)] }));
    server.setRequestHandler('prompts/list', () => ({
      prompts: Object.entries(prompts).map(([name, { takes }]) => ({
        name,
        description: `Fixture ${name}`,
        arguments: takes.map((argument) => ({ name: argument, required: true })),
      })),
    }));
    server.setRequestHandler('prompts/get', ({ params }, context) =>
      (prompts[params.name] ?? refuse('Unknown prompt')).get(params.arguments ?? {}, context),
    );
    server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
    if (era === 'legacy') {
      server.setRequestHandler('resources/subscribe', () => ({}));
      server.setRequestHandler('resources/unsubscribe', () => ({}));
    }
    return server;
  };
