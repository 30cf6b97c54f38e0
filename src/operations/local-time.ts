let format: Intl.DateTimeFormat | undefined;

/** Formats an instant in the time zone of this machine, such as `Saturday, 21 November 2026 at 13:00 CET`. */
export function toLocalTime(instant: Date): string {
  format ??= new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
  return format.format(instant);
}
