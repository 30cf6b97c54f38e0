import { z } from 'zod';
import { Failure, type FailureCode } from '../../model/failure.ts';
import type { AuditEntry } from '../../model/log-entry.ts';
import { checkInput } from '../invoke.ts';

/** Something that the owner does, at the desk and in the terminal alone; `Needed` is what its handler uses. */
export interface OwnerOperation<Name extends string, Input extends z.ZodObject, Output extends z.ZodType, Needed> {
  readonly kind: 'owner';
  readonly name: Name;
  /** One sentence for people. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /** The failures that are expected besides those of a faulty input and of the store, with their messages. */
  readonly failures?: Partial<Record<FailureCode, string>>;
  /** The entries of the audit log of which a call that succeeds writes one; absent if it writes none. */
  readonly audits?: readonly AuditEntry['event'][];
  // A property, so that the terminal cannot run what needs the running service.
  readonly handle: (input: z.output<Input>, services: Needed) => Promise<z.input<Output>>;
}

/** Identity function that types an operation of the owner. */
export const ownerOperation = <const Name extends string, Input extends z.ZodObject, Output extends z.ZodType, Needed>(
  definition: OwnerOperation<Name, Input, Output, Needed>,
) => definition;

/** A noun of the model in an output: typed, but not checked, because it comes from our own store. */
export const noun = <Noun>() => z.custom<Noun>();

/** Runs operations of the owner with what the desk or the terminal has opened. */
export type RunForOwner<Opened> = <Input extends z.ZodObject, Output extends z.ZodType>(
  operation: OwnerOperation<string, Input, Output, Opened>,
  input: z.input<Input>,
) => Promise<z.output<Output>>;

/**
 * Returns the one way to run an operation of the owner, who is signed in at the desk or sits at the machine: check, handle, strip.
 * Nothing is limited, and no call is recorded.
 */
export const invokerFor =
  <Opened>(services: Opened): RunForOwner<Opened> =>
  async ({ input, output, failures, handle }, given) => {
    try {
      return output.parse(await handle(checkInput({ input }, given) as z.output<typeof input>, services));
    } catch (error) {
      const message = error instanceof Failure ? failures?.[error.code] : undefined;
      throw message === undefined ? error : new Failure((error as Failure).code, message, { cause: error });
    }
  };
