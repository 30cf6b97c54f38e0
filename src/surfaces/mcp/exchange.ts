import { Failure, type FailureCode, failures } from '../../model/failure.ts';
import type { Caller } from '../../operations/call.ts';
import type { CallRecord, Services } from '../../operations/ports.ts';
import { limitRead } from '../../operations/quotas.ts';

/** One JSON-RPC message on its way through `/mcp`: counted against the read quota, and recorded once. */
export interface Exchange {
  readonly message: unknown;
  readonly kind: 'request' | 'tool call' | 'subscription' | 'notification';
  readonly caller: Caller;
  /** The failure if the read quota was used up, otherwise null. */
  readonly counted: Failure | null;
  /** Records the message by its method; later calls do nothing. */
  record(code: CallRecord['code']): void;
  /** Leaves the record to the operation that the message calls. */
  onInvoke(): void;
}

/** The methods of the protocol. Others are recorded as `unknown`: the name is a label of the metrics. */
const methods = new Set<unknown>([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** Counts a message and opens its exchange. */
export async function openExchange(message: unknown, caller: Caller, services: Services): Promise<Exchange> {
  const startedAt = performance.now();
  const { method, id } = Object(message) as { method?: unknown; id?: unknown };
  const operation = methods.has(method) ? String(method) : 'unknown';
  let isRecorded = false;
  return {
    message,
    kind: kindOf(method, id),
    caller,
    counted: await countedRead(operation, caller, services),
    record(code) {
      if (!isRecorded) services.record(toRecord(operation, caller, code, startedAt));
      isRecorded = true;
    },
    onInvoke() {
      isRecorded = true;
    },
  };
}

function kindOf(method: unknown, id: unknown): Exchange['kind'] {
  if (typeof method === 'string' && id === undefined) return 'notification';
  if (method === 'tools/call') return 'tool call';
  return method === 'subscriptions/listen' ? 'subscription' : 'request';
}

/** Whether the quota ends the exchange with 429: tool calls are told in their results, notifications not at all. */
export const isRefused = ({ kind, counted }: Exchange): boolean =>
  counted !== null && kind !== 'tool call' && kind !== 'notification';

const countedRead = (operation: string, caller: Caller, services: Services): Promise<Failure | null> =>
  limitRead(operation, caller, services).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    },
  );

/** The record of what was asked of `/mcp` and reached no operation. */
export const toRecord = (
  operation: string,
  { token, kind, requestId }: Caller,
  code: CallRecord['code'],
  startedAt: number,
): CallRecord => ({
  operation,
  surface: 'mcp',
  caller: token?.jti ?? kind,
  code,
  milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
  ...(requestId !== null && { request: requestId }),
});

/** The code under which an HTTP status of the SDK is recorded. */
export const codeOfStatus = (status: number): CallRecord['code'] =>
  status < 400
    ? 'OK'
    : ((Object.keys(failures) as FailureCode[]).find((code) => failures[code].status === status) ?? 'BAD_REQUEST');
