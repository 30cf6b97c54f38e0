import {
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  type JSONRPCResponse,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Failure, type FailureCode, failures } from '../../model/failure.ts';
import type { CallRecord } from '../../model/log-entry.ts';
import type { Caller } from '../../operations/call.ts';
import { recordOf, refusalFor } from '../../operations/invoke.ts';
import { type Operation, scopeOf } from '../../operations/operation.ts';
import type { Services } from '../../operations/ports.ts';
import { limitRead } from '../../operations/quotas.ts';
import { toClientName } from '../request.ts';

/** A JSON-RPC message sent to `/mcp`: charged to the read quota, and recorded once. */
export type InboundMessage = ReturnType<typeof receiveMessage>;

/** The methods of the protocol. Others are recorded as `unknown`, because the name is a label of the metrics. */
const methods: ReadonlySet<unknown> = new Set(
  `
initialize ping server/discover tools/list tools/call resources/list resources/templates/list resources/read
resources/subscribe resources/unsubscribe prompts/list prompts/get completion/complete logging/setLevel skills/list
skills/get subscriptions/listen notifications/initialized notifications/cancelled notifications/progress
notifications/roots/list_changed`
    .trim()
    .split(/\s+/),
);

const batchRevision = '2025-03-26';
const messagesInBatch = 10;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body with one JSON-RPC message or a batch of them, and returns the error to answer all of it with, if it has one;
 * `revision` is the MCP-Protocol-Version header.
 */
export function readBody(body: Uint8Array, revision: string | null) {
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(body));
  } catch {
    const error = { code: ProtocolErrorCode.ParseError, message: 'Parse error: the body is not valid JSON' };
    return { json: undefined, error };
  }
  const message = Array.isArray(json) ? batchFaultOf(json, revision) : null;
  return { json, error: message === null ? null : { code: ProtocolErrorCode.InvalidRequest, message } };
}

function batchFaultOf(batch: readonly unknown[], revision: string | null): string | null {
  if (revision !== null && revision !== batchRevision) return `Batches are only for revision ${batchRevision}`;
  if (batch.length > messagesInBatch) return `A batch must hold at most ${messagesInBatch} messages`;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', body: batch });
  if (outcome.kind === 'reject') return outcome.message;
  const isSingle = (message: unknown) =>
    ['initialize', 'subscriptions/listen'].includes((message as { method: string }).method);
  return batch.some(isSingle) ? 'A batch must not hold initialize or subscriptions/listen' : null;
}

/** Charges a message to the read quota of its caller. */
export function receiveMessage(json: unknown, caller: Caller, services: Services) {
  const startedAt = performance.now();
  const { method, id } = Object(json) as { method?: unknown; id?: unknown };
  const client = clientNameOf(json) ?? caller.client;
  const operation = methods.has(method) ? String(method) : 'unknown';
  let isRecorded = false;
  let isInvoked = false;
  return {
    /** The parsed JSON, unchecked; undefined if the body is not valid. */
    json,
    kind: kindOf(method, id),
    caller: { ...caller, client },
    /** The failure if the read quota was used up, otherwise null. */
    quotaFailure: limitRead(operation, caller, services),
    /** Records the message under its method; later calls do nothing. */
    record(code: CallRecord['code']): void {
      if (!isRecorded && !isInvoked)
        services.record(recordOf(operation, { surface: 'mcp', caller }, { code }, startedAt));
      isRecorded = true;
    },
    /** Leaves the record to the operation that the message invokes. */
    onInvoke(): void {
      isInvoked = true;
    },
    isInvoked: () => isInvoked,
  };
}

/** Returns name and version of the client, which each message of the modern era may have; null without a name. */
function clientNameOf(json: unknown): string | null {
  const { params } = Object(json) as { params?: unknown };
  const { _meta } = Object(params) as { _meta?: unknown };
  const { name, version } = Object(Object(_meta)[CLIENT_INFO_META_KEY]) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return null;
  return toClientName((typeof version === 'string' ? `${name} ${version}` : name).toWellFormed());
}

function kindOf(method: unknown, id: unknown): 'request' | 'tool call' | 'subscription' | 'notification' {
  if (typeof method === 'string' && id === undefined) return 'notification';
  if (method === 'tools/call') return 'tool call';
  return method === 'subscriptions/listen' ? 'subscription' : 'request';
}

/** Whether a message is answered 429: a tool call has the failure in its result, a notification has no response. */
export const isOverQuota = ({ kind, quotaFailure }: InboundMessage): boolean =>
  quotaFailure !== null && kind !== 'tool call' && kind !== 'notification';

/**
 * Returns the check of a message against the scopes of its token, which returns `FORBIDDEN` or null. The failure is
 * sent as HTTP 403, whose challenge names the scopes to ask for (MCP, Scope Challenge Handling).
 */
export function scopeCheckOf({ operations, mutations }: { operations: readonly Operation[]; mutations: boolean }) {
  const writing = new Map(
    operations.flatMap((operation) =>
      mutations && operation.kind === 'mutation' ? [[operation.name, scopeOf(operation)] as const] : [],
    ),
  );
  return ({ kind, json, caller }: InboundMessage): Failure | null => {
    const { method, params } = Object(json) as { method?: unknown; params?: unknown };
    if (kind !== 'tool call' && method !== 'resources/read') return null;
    const { name } = Object(params) as { name?: unknown };
    return refusalFor(caller.token!, writing.get(name as string) ?? 'profile:read');
  };
}

/** Returns the code to record for an HTTP status that the SDK responded with. */
export const codeOfStatus = (status: number): CallRecord['code'] =>
  status < 400
    ? 'OK'
    : ((Object.keys(failures) as FailureCode[]).find((code) => failures[code].status === status) ?? 'BAD_REQUEST');

/** Returns the code to record for a JSON-RPC response. */
export function codeOfResponse(response: JSONRPCResponse): CallRecord['code'] {
  if (!('error' in response)) return 'OK';
  if (response.error.code === ProtocolErrorCode.InternalError) return 'INTERNAL_ERROR';
  return response.error.code === ProtocolErrorCode.MethodNotFound ? 'NOT_FOUND' : 'BAD_REQUEST';
}
