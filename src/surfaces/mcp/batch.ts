import { classifyInboundRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { codeOfStatus, type InboundMessage } from './inbound-message.ts';

/** The `error` of a JSON-RPC response. */
interface JsonRpcError {
  readonly code: ProtocolErrorCode;
  readonly message: string;
}

/** The messages of a body; if it has an error, one undefined message for all of it. */
interface PostedBody {
  readonly messages: readonly unknown[];
  readonly isBatch: boolean;
  readonly error: JsonRpcError | null;
}

/** The only revision of MCP that has JSON-RPC batches. */
const batchRevision = '2025-03-26';
const messagesInBatch = 10;

/** Reads a body: one JSON-RPC message, or a batch of them. `revision` is the MCP-Protocol-Version header. */
export function readBody(body: Uint8Array, revision: string | null): PostedBody {
  const json = parse(body);
  if (!Array.isArray(json)) return { messages: [json], isBatch: false, error: json === undefined ? notJson : null };
  const message = batchErrorOf(json, revision);
  if (message === null) return { messages: json, isBatch: true, error: null };
  return { messages: [undefined], isBatch: true, error: { code: ProtocolErrorCode.InvalidRequest, message } };
}

const notJson = { code: ProtocolErrorCode.ParseError, message: 'Parse error: the body is not valid JSON' };

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

function batchErrorOf(batch: readonly unknown[], revision: string | null): string | null {
  if (revision !== null && revision !== batchRevision) return `Batches are for revision ${batchRevision} alone`;
  if (batch.length > messagesInBatch) return `A batch must hold at most ${messagesInBatch} messages`;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body: batch });
  if (outcome.kind === 'reject') return outcome.message;
  const hasInitialize = batch.some((message) => (message as { method?: unknown }).method === 'initialize');
  return hasInitialize ? 'A batch must not hold initialize' : null;
}

/** The response to a body that is not valid: a JSON-RPC error with the id null. */
export const errorResponse = ({ code, message }: JsonRpcError): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 });

/**
 * Responds to a batch with one event stream. Each message is handled only after the response to the one before it has
 * been read, so a client that does not read keeps at most one in memory. If the first response is not an event stream,
 * such as 406 or 503, it answers the whole batch: the other messages are recorded with its code and not handled.
 */
export async function batchResponse(
  messages: readonly InboundMessage[],
  handle: (message: InboundMessage) => Promise<Response>,
): Promise<Response> {
  const responses = responsesTo(messages, handle);
  const first = await responses.next();
  if (first.done) return new Response(null, { status: 202 });
  const { response } = first.value;
  if (isEventStream(response)) return new Response(toPullStream(eventsOf(first.value, responses)), response);
  for (const { record } of messages) record(codeOfStatus(response.status));
  return response;
}

let latestTurn = Promise.resolve();

/** Resolves in a turn of the event loop without another message of a batch, so that other requests run in between. */
function nextTurn(): Promise<void> {
  latestTurn = latestTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return latestTurn;
}

interface Handled {
  readonly message: InboundMessage;
  readonly response: Response;
}

async function* responsesTo(
  messages: readonly InboundMessage[],
  handle: (message: InboundMessage) => Promise<Response>,
): AsyncGenerator<Handled, void> {
  for (const message of messages) {
    await nextTurn();
    const response = await handle(message);
    if (response.body !== null) yield { message, response };
  }
}

async function* eventsOf(first: Handled, rest: AsyncGenerator<Handled, void>): AsyncGenerator<Uint8Array, void> {
  yield* first.response.body!;
  for await (const { message, response } of rest)
    if (isEventStream(response)) yield* response.body!;
    else yield await toEvent(message, response);
}

/** A stream without a buffer: a chunk is made when the reader asks for it. */
const toPullStream = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return()),
    },
    { highWaterMark: 0 },
  );

/** Whether a response is a stream of server-sent events. */
export const isEventStream = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream';

/** Converts a failure in the middle of a batch, such as 503 during shutdown, to the JSON-RPC error of its message. */
async function toEvent({ json }: InboundMessage, response: Response): Promise<Uint8Array> {
  const { error } = (await response.json()) as { error: { message: string } };
  const { id } = json as { id: unknown };
  const answer = { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message: error.message } };
  return new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
}
