/** Returns the function that formats an instant in a time zone, such as `Saturday, 21 November 2026 at 13:00 CET`. */
export function localTimeIn(timeZone?: string): (instant: Date) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  return (instant) => format.format(instant);
}

export const toLocalTime = (instant: Date): string => {
  formatLocally ??= localTimeIn();
  return formatLocally(instant);
};
let formatLocally: ReturnType<typeof localTimeIn> | undefined;
