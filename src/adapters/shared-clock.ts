interface Options {
  /** Reads the clock that all processes on the database share. */
  readonly readClock: () => Promise<Date>;
  readonly warn: (message: string) => void;
  /** This machine's clock, in milliseconds since 1970. */
  readonly machine?: () => number;
}

/** Smaller differences are left alone: the time must not jump with each measurement. */
const toleranceMilliseconds = 1_000;

/**
 * Opens the clock that replicas share, so that the quotas, mails an hour, leases and revocations of one hold for the others: this
 * machine's, corrected by how far it is off. `refresh`, called each second, measures that again. Warns of each correction.
 */
export async function openSharedClock({ readClock, warn, machine = () => Date.now() }: Options) {
  let offset = 0;

  async function refresh(): Promise<void> {
    const startedAt = performance.now();
    const shared = (await readClock()).getTime();
    // It was read somewhere between.
    const halfElapsed = (performance.now() - startedAt) / 2;
    const measured = shared - (machine() - halfElapsed);
    const tolerance = toleranceMilliseconds + halfElapsed;
    if (Math.abs(measured - offset) <= tolerance) return;
    offset = Math.abs(measured) <= tolerance ? 0 : measured;
    const seconds = Math.round(Math.abs(offset) / 1_000);
    const side = offset > 0 ? 'behind' : 'ahead of';
    if (offset !== 0)
      warn(`this machine's clock is ${seconds} s ${side} the database server's, which counts: set it by NTP`);
  }

  await refresh();
  return { now: () => new Date(machine() + offset), refresh };
}
