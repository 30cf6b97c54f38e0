import type { Operation } from './operation.ts';
import type { Edition, Services } from './ports.ts';

/** What a call answers: the data, its JSON compact and pretty-printed, and a strong entity tag of the compact form. */
export interface Answer {
  readonly data: unknown;
  readonly compact: string;
  readonly pretty: string;
  readonly etag: string;
}

// Reads depend on the edition and the input alone, so an answer is made once an edition and goes with it.
const answers = new WeakMap<Edition, Map<string, Answer>>();

// More than a profile has entries: only a read of free text comes to so many.
const answersPerEdition = 1_000;

/** The answer to a read, made for its first caller. */
export function remembered(
  operation: Extract<Operation, { kind: 'read' }>,
  input: Record<string, unknown>,
  services: Services,
): Answer {
  const edition = services.edition();
  const ofEdition = answers.get(edition) ?? new Map<string, Answer>();
  answers.set(edition, ofEdition);
  const key = `${operation.name} ${JSON.stringify(input)}`;
  const known = ofEdition.get(key);
  if (known) return known;
  const answer = toAnswer(operation, operation.handle(input, edition), services);
  if (ofEdition.size >= answersPerEdition) ofEdition.delete(ofEdition.keys().next().value!);
  ofEdition.set(key, answer);
  return answer;
}

/** Lets out only what the output schema names. */
export function toAnswer({ output }: Operation, result: unknown, { hash }: Services): Answer {
  const data = output.parse(result);
  const compact = JSON.stringify(data);
  return { data, compact, pretty: JSON.stringify(data, null, 2), etag: toEtag(hash(compact)) };
}

/** A strong entity tag from the hash of a content (RFC 9110, section 8.8.3). */
export const toEtag = (hash: string): string => `"${hash.slice(0, 22)}"`;
