/** Writes the day of an instant in UTC: `21 December 2026`. */
export const formatDay = (instant: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(instant);
