import { Failure } from '../model/failure.ts';
import type { RecordedRead } from '../model/reader.ts';
import type { IssuedToken } from '../model/token.ts';
import type { ReaderRecord, Tokens } from '../operations/ports.ts';
import type { DurableStore } from './store/store.ts';

interface RecordOptions {
  readonly isOn: boolean;
  readonly keepSeconds: number;
  readonly store: Pick<DurableStore, 'reads'>;
  readonly now: () => Date;
  readonly tokens: Pick<Tokens, 'subjectHashes'>;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

const periodMilliseconds = 1_000;

/** How many reads may wait: in all, as many as take 35 ms of CPU to store; of a token, its quota for a minute. */
const maxWaiting = 500;
const maxOfToken = 120;

type Waiting = Map<string, { readonly token: IssuedToken; readonly reads: RecordedRead[] }>;

/** Opens the reader's record. Reads wait in memory for a second, or while the store cannot be written; `stop` stores them. */
export function openReaderRecord({ isOn, keepSeconds, store, tokens, now, log }: RecordOptions) {
  let waiting: Waiting = new Map();
  let count = 0;
  let share = maxOfToken;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const holderOf = (token: IssuedToken) => ({ token, subjectHashes: tokens.subjectHashes(token.subject) });

  /** Returns the list for the next read of a token; null if the read is dropped for lack of room. */
  function roomFor(token: IssuedToken): RecordedRead[] | null {
    if (count >= maxWaiting) halveShare();
    let reader = waiting.get(token.jti);
    if (count >= maxWaiting || (reader !== undefined && reader.reads.length >= share)) {
      dropped += 1;
      return null;
    }
    if (reader === undefined) {
      reader = { token, reads: [] };
      waiting.set(token.jti, reader);
    }
    count += 1;
    return reader.reads;
  }

  /** Takes room from the tokens with the most reads, so that a flood by some tokens does not exclude others. */
  function halveShare(): void {
    while (count >= maxWaiting && share > 1) {
      share = Math.floor(share / 2);
      for (const { reads } of waiting.values()) {
        const excess = reads.splice(share).length;
        count -= excess;
        dropped += excess;
      }
    }
  }

  function take(): Waiting {
    const taken = waiting;
    waiting = new Map();
    count = 0;
    return taken;
  }

  async function storeWaiting(): Promise<void> {
    timer = undefined;
    if (dropped > 0) log.warn({ dropped }, 'more reads than are recorded');
    dropped = 0;
    if (count === 0) return;
    const batch = take();
    try {
      await store.reads.add([...batch.values()].map(({ token, reads }) => ({ ...holderOf(token), reads })));
      share = maxOfToken;
    } catch (error) {
      if (!(error instanceof Failure)) return log.error({ err: error }, 'reads not recorded');
      // The store has logged its outage. These reads come before later ones.
      const later = take();
      for (const { token, reads } of [...batch.values(), ...later.values()])
        for (const read of reads) roomFor(token)?.push(read);
      storeSoon();
    }
  }

  function storeNow(): Promise<void> {
    clearTimeout(timer);
    storing = storing.then(storeWaiting);
    return storing;
  }

  function storeSoon(): void {
    timer ??= setTimeout(storeNow, periodMilliseconds).unref(); // `stop` stores what waits when the process ends
  }

  return {
    isOn,
    keepSeconds,
    add(token, read): void {
      if (!isOn) return;
      roomFor(token)?.push({ ...read, readAt: now() });
      storeSoon();
    },
    recordOf: ({ jti }, limit) => store.reads.recordOf(jti, limit),
    erase: (token) => store.reads.erase(holderOf(token), now()),
    storeNow,
    async stop(): Promise<void> {
      await storeNow();
      clearTimeout(timer); // of what cannot be stored
    },
  } satisfies ReaderRecord & Record<string, unknown>;
}
