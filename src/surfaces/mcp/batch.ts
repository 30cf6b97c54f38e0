import { classifyInboundRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { codeOfStatus, type InboundMessage } from './inbound-message.ts';

/** The `error` of a JSON-RPC response. */
interface JsonRpcError {
  readonly code: number;
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
export const errorResponse = ({ code, message }: JsonRpcError, status = 400): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });

/**
 * Responds to a batch with one event stream, or with one JSON array if `isJson`. Each message is handled only after the
 * response to the one before it has been read, so a client that does not read keeps at most one in memory. If the first
 * response is a failure, such as 415 or 503, it answers the whole batch: the other messages are recorded with its code
 * and not handled.
 */
export async function batchResponse(
  messages: readonly InboundMessage[],
  isJson: boolean,
  handle: (message: InboundMessage) => Promise<Response>,
): Promise<Response> {
  const responses = responsesTo(messages, handle);
  const first = await responses.next();
  if (first.done) return new Response(null, { status: 202 });
  const { response } = first.value;
  if (response.status === 200) return new Response(toPullStream(chunksOf(first.value, responses, isJson)), response);
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

/** Generates the body of the response to a batch, a chunk for each message. */
async function* chunksOf(
  first: Handled,
  rest: AsyncGenerator<Handled, void>,
  isJson: boolean,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const toText = async ({ message, response }: Handled) => {
    if (response.status === 200) return await response.text();
    const error = await toError(message, response);
    return isJson ? error : `event: message\ndata: ${error}\n\n`;
  };
  yield encoder.encode(`${isJson ? '[' : ''}${await toText(first)}`);
  for await (const handled of rest) yield encoder.encode(`${isJson ? ',' : ''}${await toText(handled)}`);
  if (isJson) yield encoder.encode(']');
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

/** Converts a failure in the middle of a batch, such as 503 during shutdown, to the JSON-RPC error of its message. */
async function toError({ json }: InboundMessage, response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { message: string } };
  const { id } = json as { id: unknown };
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: ProtocolErrorCode.InternalError, message: error.message },
  });
}
