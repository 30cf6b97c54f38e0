import { BoundedMap } from '../model/bounded-map.ts';
import { checkInput } from './input.ts';
import type { Operation, Read } from './operation.ts';
import type { Edition, Services } from './ports.ts';

/** The outcome of a successful call: the data, its JSON compact and pretty-printed, and a strong entity tag of the compact form. */
export interface Answer {
  /** `Read.item` of the input; null for what is not a read. */
  readonly item: string | null;
  readonly data: unknown;
  readonly compact: string;
  readonly pretty: string;
  readonly etag: string;
}

// A read depends on the edition and the input alone, so its answer is cached as long as the edition is in use.
const answers = new WeakMap<Edition, BoundedMap<string, Answer>>();

// More than a profile has entries: only a read of free text reaches the limit, and then drops the oldest answer.
const answersPerEdition = 1_000;

/** Returns the answer to a read of an edition, computed once for each input. Throws `BAD_REQUEST` if the input is not valid. */
export function answerTo(operation: Read, given: unknown, edition: Edition, services: Pick<Services, 'hash'>): Answer {
  const input = checkInput(operation, given);
  const ofEdition = answers.get(edition) ?? new BoundedMap<string, Answer>(answersPerEdition);
  answers.set(edition, ofEdition);
  const key = `${operation.name} ${JSON.stringify(input)}`;
  const known = ofEdition.get(key);
  if (known) return known;
  const item = operation.item?.(input) ?? null;
  const answer = { ...toAnswer(operation, operation.handle(input, edition), services), item };
  ofEdition.set(key, answer);
  return answer;
}

/** Strips from a result what the output schema does not name, and serializes it. */
export function toAnswer({ output }: Operation, result: unknown, { hash }: Pick<Services, 'hash'>): Answer {
  const data = output.parse(result);
  const compact = JSON.stringify(data);
  return { item: null, data, compact, pretty: JSON.stringify(data, null, 2), etag: toEtag(hash(compact)) };
}

/** Converts the hash of a content to a strong entity tag (RFC 9110, section 8.8.3). */
export const toEtag = (hash: string): string => `"${hash.slice(0, 22)}"`;
