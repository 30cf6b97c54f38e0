import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server';

export type Answer<Result> = Result | InputRequiredResult | Promise<Result | InputRequiredResult>;
type Tool = (context: ServerContext, notify: ServerNotifier) => Answer<CallToolResult>;

export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** Signed state that the client sends back in the next round. */
export const states = createRequestStateCodec<{ round: number }>({
  key: createHash('sha256').update('fixture').digest(),
});

const says = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
export const asks = (inputRequests: InputRequests, requestState?: string) =>
  inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });

export const form = (message: string, field: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const sample = (text: string): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 50 });
const roots = (): InputRequest => inputRequired.listRoots();

const given = ({ mcpReq }: ServerContext, key: string) => mcpReq.inputResponses?.[key];
const confirmed = ({ mcpReq }: ServerContext) => acceptedContent(mcpReq.inputResponses, 'confirm') !== undefined;
const mint = (round: number) => states.mint({ round });

/** The tools that the conformance suite calls, each with the expected result. */
export const tools: Record<string, Tool> = {
  test_simple_text: () => says('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: png, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data"}' },
      },
    ],
  }),
  test_error_handling: () => ({ ...says('This tool intentionally returns an error for testing'), isError: true }),
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'delivered only where the request sets a log level');
    return says('logged');
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await setImmediate();
    }
    return says('Tool with logging executed successfully');
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await setImmediate();
    }
    return says(String(progressToken));
  },
  test_streaming_elicitation: () => says('a result and no request of its own'),
  test_trigger_tool_change: (_context, notify) => {
    notify.toolsChanged();
    return says('published');
  },
  test_trigger_prompt_change: (_context, notify) => {
    notify.promptsChanged();
    return says('published');
  },
  test_missing_capability: (context) =>
    given(context, 'llm_answer') ? says('answered') : asks({ llm_answer: sample('Reply with the single word: pong') }),
  test_input_required_result_elicitation: ({ mcpReq }) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name;
    return typeof name === 'string' ? says(`Hello, ${name}!`) : asks({ user_name: form('What is your name?', 'name') });
  },
  test_input_required_result_sampling: (context) => {
    const answer = given(context, 'capital_question');
    return answer
      ? says(`Sampling response: ${JSON.stringify(answer)}`)
      : asks({ capital_question: sample('What is the capital of France?') });
  },
  test_input_required_result_list_roots: (context) => {
    const answer = given(context, 'client_roots');
    return answer ? says(`Roots: ${JSON.stringify(answer)}`) : asks({ client_roots: roots() });
  },
  test_input_required_result_request_state: async (context) =>
    confirmed(context) && context.mcpReq.requestState() !== undefined
      ? says('state-ok')
      : asks({ confirm: form('Please confirm', 'ok') }, await mint(1)),
  test_input_required_result_tampered_state: async (context) =>
    confirmed(context) && context.mcpReq.requestState() !== undefined
      ? says('integrity-ok')
      : asks({ confirm: form('Please confirm', 'ok') }, await mint(1)),
  test_input_required_result_multiple_inputs: async (context) => {
    const wanted = {
      user_name: form('What is your name?', 'name'),
      greeting: sample('A greeting'),
      client_roots: roots(),
    };
    return Object.keys(wanted).every((key) => given(context, key)) ? says('all given') : asks(wanted, await mint(1));
  },
  test_input_required_result_multi_round: async ({ mcpReq }) => {
    const round = mcpReq.requestState<{ round: number }>()?.round ?? 0;
    if (round === 0) return asks({ step1: form('Step 1: What is your name?', 'name') }, await mint(1));
    if (round === 1) return asks({ step2: form('Step 2: What is your favorite color?', 'color') }, await mint(2));
    return says('Multi-round complete');
  },
  test_input_required_result_capabilities: ({ mcpReq }) => {
    if (mcpReq.inputResponses !== undefined) return says('fulfilled');
    const envelope = mcpReq.envelope as Record<string, ClientCapabilities> | undefined;
    const { elicitation, sampling, roots: ofRoots } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return asks({
      ...(elicitation && { user_name: form('What is your name?', 'name') }),
      ...(sampling && { greeting: sample('A greeting') }),
      ...(ofRoots && { client_roots: roots() }),
    });
  },
};
