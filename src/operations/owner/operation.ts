import { z } from 'zod';
import type { AuditEntry } from '../../model/log-entry.ts';
import { checkInput } from '../invoke.ts';

/** Something that only the owner does, at the desk and in the terminal; `Needed` is what its handler uses. */
export interface OwnerOperation<Input extends z.ZodObject, Output, Needed> {
  readonly name: string;
  readonly summary: string;
  readonly input: Input;
  /** The events of the audit log that a successful call can record; absent if it records none. */
  readonly audits?: readonly AuditEntry['event'][];
  // A property, so that the terminal cannot run what needs the running service.
  readonly handle: (input: z.output<Input>, services: Needed) => Promise<Output>;
}

const NoInput = z.object({});

/** Identity function that types an operation of the owner; one without `input` takes none. */
export const ownerOperation = <Output, Needed, Input extends z.ZodObject = typeof NoInput>(
  definition: Omit<OwnerOperation<Input, Output, Needed>, 'input'> & { readonly input?: Input },
): OwnerOperation<Input, Output, Needed> => ({ input: NoInput as unknown as Input, ...definition });

export type OutputOf<Operation extends { readonly handle: (...args: never[]) => unknown }> = Awaited<
  ReturnType<Operation['handle']>
>;

/** Runs operations of the owner, without `invoke`: they have no token or quota, are not recorded, and stay in the process. */
export const invokerFor =
  <Opened>(services: Opened) =>
  async <Input extends z.ZodObject, Output>(
    { input, handle }: OwnerOperation<Input, Output, Opened>,
    values: z.input<Input>,
  ): Promise<Output> =>
    handle(checkInput({ input }, values) as z.output<Input>, services);

export type RunForOwner<Opened> = ReturnType<typeof invokerFor<Opened>>;
