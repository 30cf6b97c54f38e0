import { classifyInboundRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { codeOfStatus, type Exchange } from './exchange.ts';

/** Why posted JSON is not answered. */
interface ProtocolFault {
  readonly code: ProtocolErrorCode;
  readonly message: string;
}

/** What was posted, as single messages; with a fault, one that stands for all of it. */
interface Posted {
  readonly messages: readonly unknown[];
  readonly isBatch: boolean;
  readonly fault: ProtocolFault | null;
}

/** Batches came with this revision and went with the next one. */
const batchRevision = '2025-03-26';
const messagesInBatch = 10;

/** Reads a body: one JSON-RPC message, or a batch. */
export function readPosted(body: ArrayBuffer, revision: string | null): Posted {
  const posted = parse(body);
  if (!Array.isArray(posted))
    return { messages: [posted], isBatch: false, fault: posted === undefined ? notJson : null };
  const message = faultOfBatch(posted, revision);
  if (message === null) return { messages: posted, isBatch: true, fault: null };
  return { messages: [undefined], isBatch: true, fault: { code: ProtocolErrorCode.InvalidRequest, message } };
}

const notJson = { code: ProtocolErrorCode.ParseError, message: 'Parse error: the body is not valid JSON' };

function parse(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function faultOfBatch(batch: readonly unknown[], revision: string | null): string | null {
  if (revision !== null && revision !== batchRevision) return `Batches are for revision ${batchRevision} alone`;
  if (batch.length > messagesInBatch) return `A batch must hold at most ${messagesInBatch} messages`;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body: batch });
  if (outcome.kind === 'reject') return outcome.message;
  const isOpening = batch.some((message) => (message as { method?: unknown }).method === 'initialize');
  return isOpening ? 'A batch must not hold initialize' : null;
}

/** The answer to what is not served: a JSON-RPC error that belongs to no request. */
export const faultResponse = ({ code, message }: ProtocolFault): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 });

/**
 * Answers a batch with one stream of events. Each message is answered only once the answer before it has been read, so that
 * a client that reads nothing takes no more than one answer of memory. If the first answer is a refusal, such as 406 or 503,
 * it is the answer to the whole batch: the other messages are recorded with its code and not answered.
 */
export async function batchResponse(
  exchanges: readonly Exchange[],
  answer: (exchange: Exchange) => Promise<Response>,
): Promise<Response> {
  const answers = answersTo(exchanges, answer);
  const first = await answers.next();
  if (first.done) return new Response(null, { status: 202 });
  const { response } = first.value;
  if (isEventStream(response)) return new Response(pulled(eventsOf(first.value, answers)), response);
  for (const { record } of exchanges) record(codeOfStatus(response.status));
  return response;
}

let latestTurn = Promise.resolve();

/** Resolves in a turn of the event loop that no other message of a batch has, so that what is not a batch never waits long. */
function nextTurn(): Promise<void> {
  latestTurn = latestTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return latestTurn;
}

interface Answered {
  readonly exchange: Exchange;
  readonly response: Response;
}

async function* answersTo(
  exchanges: readonly Exchange[],
  answer: (exchange: Exchange) => Promise<Response>,
): AsyncGenerator<Answered, void> {
  for (const exchange of exchanges) {
    await nextTurn();
    const response = await answer(exchange);
    if (response.body !== null) yield { exchange, response };
  }
}

async function* eventsOf(first: Answered, rest: AsyncGenerator<Answered, void>): AsyncGenerator<Uint8Array, void> {
  yield* first.response.body!;
  for await (const { exchange, response } of rest)
    if (isEventStream(response)) yield* response.body!;
    else yield await toEvent(exchange, response);
}

/** A stream that holds nothing in advance. */
const pulled = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
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

/** A refusal in the middle of a batch, such as 503 while the service stops, as the answer to its message. */
async function toEvent({ message }: Exchange, response: Response): Promise<Uint8Array> {
  const { error } = (await response.json()) as { error: { message: string } };
  const { id } = message as { id: unknown };
  const answer = { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message: error.message } };
  return new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
}
