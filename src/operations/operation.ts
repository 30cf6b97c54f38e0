import type { Profile } from 'resume-profile/profile-document';
import type { z } from 'zod';
import type { Quota } from '../model/quota.ts';
import type { IssuedToken, Scope } from '../model/token.ts';
import type { CallContext } from './call.ts';
import type { Edition, Services } from './ports.ts';

interface Offered<Input extends z.ZodObject, Output extends z.ZodType> {
  /** Operation id, MCP tool, command-line and log name: published, never renamed. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** For agents: when to use it, what it returns, which tool returns its ids. A constant, never profile text. */
  readonly description: string;
  readonly access: 'bearer' | 'open';
  readonly rest: { method: 'GET' | 'POST' | 'DELETE'; path: string; alias?: string; status?: number };
  readonly input: Input;
  readonly output: Output;
}

/** An operation that changes nothing: a pure function of its input and the edition. */
export interface Read<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Offered<Input, Output> {
  readonly kind: 'read';
  /** Whether a profile offers it; absent for every profile. Evaluated for each call, because a reload may change it. */
  isOffered?(profile: Profile): boolean;
  readonly resources?: readonly { path: string; title: string; description: string; input?: z.input<Input> }[];
  readonly hasCard?: true;
  /** Names the item that was read for the reader's record, such as the id of an entry. Null or absent without one. */
  item?(input: z.output<Input>): string | null;
  handle(input: z.output<Input>, edition: Edition): z.input<Output>;
}

/** A read with a text in the body. Neither the text nor the answer is stored or cached. */
export interface Search<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Offered<Input, Output> {
  readonly kind: 'search';
  isOffered?(profile: Profile): boolean;
  /** The quotas of the operation, in addition to the read quota. */
  readonly quotas: readonly Quota[];
  handle(input: z.output<Input>, edition: Edition): Promise<z.input<Output>>;
}

export interface Mutation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Offered<Input, Output> {
  readonly kind: 'mutation';
  readonly quotas: readonly Quota[];
  /** Whether a caller may give an idempotency key, with which the same call is stored only once. */
  readonly acceptsIdempotencyKey?: true;
  handle(input: z.output<Input>, services: Services, call: CallContext): Promise<z.input<Output>>;
}

/** An operation on the record of the caller's own token: its answer is not cached, and it is not offered over MCP. */
export interface Own<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Offered<Input, Output> {
  readonly kind: 'own';
  /** The quotas of the operation, in addition to the read quota. */
  readonly quotas?: readonly Quota[];
  handle(input: z.output<Input>, services: Services, token: IssuedToken): Promise<z.input<Output>>;
}

/** A function of the service as one plain object; every surface is a function over the list of operations. */
export type Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> =
  | Read<Input, Output>
  | Search<Input, Output>
  | Mutation<Input, Output>
  | Own<Input, Output>;

export const operation = <const Name extends string, Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Operation<Input, Output> & { readonly name: Name },
) => definition;

export const scopeOf = ({ kind }: Pick<Operation, 'kind'>): Scope =>
  kind === 'mutation' ? 'contact:write' : 'profile:read';

// The profile is a function, because it is looked up only for the few operations with `isOffered`.
const isOfferedBy = (profile: () => Profile, operation: Operation): boolean =>
  !('isOffered' in operation) || operation.isOffered?.(profile()) !== false;

/** Whether the profile that a token reads offers an operation; no surface shows that another one exists. */
export const isOffered = (
  operation: Operation,
  token: IssuedToken | null,
  { edition }: Pick<Services, 'edition'>,
): boolean => isOfferedBy(() => edition(token).profile, operation);

export const offeredIn = (operations: readonly Operation[], profile: Profile): readonly Operation[] =>
  operations.filter((operation) => isOfferedBy(() => profile, operation));

/** Returns the names of operations as one text, by which two lists can be compared. */
export const namesOf = (operations: readonly Operation[]): string => operations.map(({ name }) => name).join(' ');
