import { BoundedMap } from '../../model/bounded-map.ts';
import { Failure } from '../../model/failure.ts';
import type { Caller } from '../../operations/call.ts';
import { type Answer, answerTo, invokeRead } from '../../operations/invoke.ts';
import { isOffered, type Read } from '../../operations/operation.ts';
import type { Edition, Services } from '../../operations/ports.ts';
import { bearerTokenOf, type Connection, toClientName } from '../request.ts';
import { failureReply, type Reply, readReply } from './responses.ts';

/** What a reply to a GET request depends on: its target and four of its headers, as they were sent; null if absent. */
export interface RequestHead {
  readonly host: string;
  readonly target: string;
  readonly authorization: string | null;
  readonly ifNoneMatch: string | null;
  readonly userAgent: string | null;
}

/** How many URLs are remembered: more than a profile has entries. */
const maxReads = 1_000;

/** A read with its input; `latest` is what it was answered last. */
interface RepeatedRead {
  readonly operation: Read;
  readonly input: unknown;
  latest?: { readonly edition: Edition; readonly answer: Answer };
}

/**
 * Remembers the reads that were answered, by their URL, so that a GET of the same URL needs no routing, no `Request` and no
 * promise. The call is invoked as any other: the token, the quota and the record are those of each request.
 */
export function openRepeatedReads(services: Services) {
  const reads = new BoundedMap<string, RepeatedRead>(maxReads);

  function answerAgain(read: RepeatedRead): Answer {
    const edition = services.edition();
    if (read.latest?.edition !== edition)
      read.latest = { edition, answer: answerTo(read.operation, read.input, edition, services) };
    return read.latest.answer;
  }

  return {
    /** Remembers that a URL was answered; above 1,000, the one remembered longest ago is dropped. */
    add(url: string, operation: Read, input: unknown): void {
      const { host, pathname, search } = new URL(url);
      reads.set(keyOf(host, pathname + search), { operation, input });
    },

    /** Replies to a GET request without a body; null if the URL or the token is not known, or the read not offered any more, and the request is to be routed. */
    reply(head: RequestHead, { address, requestId }: Connection): Reply | null {
      const { host, target, authorization, ifNoneMatch } = head;
      const read = reads.get(keyOf(host, target));
      if (read === undefined || !isOffered(read.operation, services)) return null;
      try {
        const text = bearerTokenOf(authorization);
        const token = text === null ? null : services.tokens.recall(text);
        if (token === null) return null;
        const client = toClientName(head.userAgent);
        const caller: Caller = { kind: 'visitor', token, address, requestId, client };
        const answer = invokeRead(read.operation, { surface: 'rest', caller }, services, () => answerAgain(read));
        return readReply(answer, ifNoneMatch);
      } catch (error) {
        // A fault of our own, which the router answers and logs.
        if (!(error instanceof Failure)) return null;
        return failureReply(error, authorization);
      }
    },
  };
}

/** A target has no space, so no Host with a path in it has the key of another URL. */
const keyOf = (host: string, target: string): string => `${host} ${target}`;
