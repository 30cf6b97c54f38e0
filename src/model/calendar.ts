const day = 24 * 60 * 60 * 1_000;

/** Returns the days of a time zone, such as `Europe/Berlin`. Throws a `RangeError` for an unknown zone. */
export function calendarOf(timeZone: string) {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });

  /** Returns the wall-clock time of the zone at an instant, as if it were UTC. */
  function toWallTime(instant: number): number {
    const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
  }

  /** Returns the preceding midnight on clocks of the zone, as if it were UTC. */
  const toWallDay = (instant: number): number => Math.floor(toWallTime(instant) / day) * day;

  return {
    /** Returns the first instant of the instant's day, or of the day `days` later. */
    startOfDay(instant: Date, days = 0): Date {
      const wanted = toWallDay(instant.getTime()) + days * day;
      // Clocks may be set at midnight, so the offsets of the day before and of the day after both count.
      const [first, second] = [wanted - day, wanted + day]
        .map((near) => wanted - (toWallTime(near) - near))
        .sort((one, other) => one - other) as [number, number];
      return new Date(toWallDay(first) === wanted ? first : second);
    },

    /** Returns the number of midnights between two instants; negative if the second is earlier. */
    daysBetween: (one: Date, other: Date): number =>
      Math.round((toWallDay(other.getTime()) - toWallDay(one.getTime())) / day),
  };
}
