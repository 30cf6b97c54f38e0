import { html } from 'hono/html';
import type { Html } from '../page.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Returns how the desk tells times in a time zone, such as `Europe/Berlin`. */
export function timesIn(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  const clockTime = format({ hour: '2-digit', minute: '2-digit' });
  const weekday = format({ weekday: 'short' });
  const weekdayOfYear = format({ weekday: 'short', day: 'numeric', month: 'short' });
  const longWeekday = format({ weekday: 'long' });
  const longDay = format({ day: 'numeric', month: 'long' });
  const dayOfYear = format({ day: 'numeric', month: 'short' });
  const dayWithYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
  const exact = format({ dateStyle: 'full', timeStyle: 'short' });
  // Like 2026-11-22.
  const isoDay = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone });

  /** Returns how many midnights are between two instants. */
  const daysBetween = (one: Date, other: Date): number =>
    Math.abs(Date.parse(isoDay.format(one)) - Date.parse(isoDay.format(other))) / day;

  /** Returns an instant relative to now, such as `12 min ago`, `yesterday`, `Wed 09:12`, `in 2 h` or `17 Nov`. */
  function toRelative(instant: Date, now: Date): string {
    const distance = Math.abs(now.getTime() - instant.getTime());
    const days = daysBetween(instant, now);
    const isPast = instant <= now;
    const withDirection = (amount: string) => (isPast ? `${amount} ago` : `in ${amount}`);
    if (distance < minute) return isPast ? 'just now' : 'in a minute';
    if (distance < hour) return withDirection(`${Math.floor(distance / minute)} min`);
    // A few hours are counted over midnight, too: "yesterday" could mean a whole day.
    if (days === 0 || distance < 6 * hour) return withDirection(`${Math.floor(distance / hour)} h`);
    if (days === 1) return isPast ? 'yesterday' : `tomorrow ${clockTime.format(instant)}`;
    if (days < 7) return `${weekday.format(instant)} ${clockTime.format(instant)}`;
    return (isoDay.format(instant).slice(0, 4) === isoDay.format(now).slice(0, 4) ? dayOfYear : dayWithYear).format(
      instant,
    );
  }

  return {
    toRelative,

    /** Returns an element that says an instant in words, and exactly in `title` and `datetime`. */
    timeElement: (instant: Date, now: Date, words = toRelative(instant, now)): Html =>
      html`<time datetime="${instant.toISOString()}" title="${exact.format(instant)}">${words}</time>`,

    /** Returns an instant as part of a sentence, such as `on 18 November at 09:12`. */
    toDayAndTime: (instant: Date): string => `on ${longDay.format(instant)} at ${clockTime.format(instant)}`,

    /** Returns an instant with its day and time, such as `Wednesday, 18 November 2026 at 09:12`. */
    toExact: (instant: Date): string => exact.format(instant),

    /** Returns a heading: `Since 09:12`, `Since yesterday`, `Since Tuesday` or `Since 3 November`. */
    sinceWords(instant: Date, now: Date): string {
      const days = daysBetween(instant, now);
      if (days === 0) return `Since ${clockTime.format(instant)}`;
      if (days === 1) return 'Since yesterday';
      return `Since ${(days < 7 ? longWeekday : longDay).format(instant)}`;
    },

    /** Returns the day of an instant, such as `Wed 18 Nov`. */
    toDay: (instant: Date): string => weekdayOfYear.format(instant),

    /** Returns the day of an instant, such as `2026-11-22`. */
    toIsoDay: (instant: Date): string => isoDay.format(instant),

    /** Returns the line that says once a page in which time zone its times are. */
    zoneNote(now: Date): Html {
      const parts = format({ timeZoneName: 'shortOffset' }).formatToParts(now);
      const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
      const zone = timeZone === 'UTC' ? timeZone : `${timeZone} (${offset})`;
      return html`<p class="soft small">Times are in ${zone}, the time zone of the server.</p>`;
    },
  };
}

/** As the pages tell times: in the time zone of the server. */
export const { timeElement, toRelative, toExact, toDayAndTime, sinceWords, toDay, toIsoDay, zoneNote } = timesIn(
  new Intl.DateTimeFormat().resolvedOptions().timeZone,
);
