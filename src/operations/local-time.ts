/** Formats an instant in a time zone, by default that of this machine, such as `Saturday, 21 November 2026 at 13:00 CET`. */
export const toLocalTime = (instant: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone },
  }).format(instant);
