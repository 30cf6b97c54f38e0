import { html } from 'hono/html';
import { parse } from 'hono/utils/cookie';
import { calendarOf } from '../../../model/calendar.ts';
import type { Html } from '../page.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The cookie in which `desk.js` keeps the time zone of the browser until the browser is closed. */
const zoneCookie = 'desk_zone';

/** Returns the time zone in the browser's cookie; null if it is missing, or unknown to this process. */
export function zoneOf(request: Request): string | null {
  const zone = parse(request.headers.get('cookie') ?? '', zoneCookie)[zoneCookie];
  if (zone === undefined) return null;
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return zone;
  } catch {
    return null;
  }
}

/** Returns the formats of a time zone. Throws a `RangeError` for an unknown zone. */
function formatsIn(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  return {
    clockTime: format({ hour: '2-digit', minute: '2-digit' }),
    weekday: format({ weekday: 'short' }),
    weekdayOfYear: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    longWeekday: format({ weekday: 'long' }),
    longDay: format({ day: 'numeric', month: 'long' }),
    dayOfYear: format({ day: 'numeric', month: 'short' }),
    dayWithYear: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    exact: format({ dateStyle: 'full', timeStyle: 'short' }),
    offset: format({ timeZoneName: 'shortOffset' }),
    year: format({ year: 'numeric' }),
    calendar: calendarOf(timeZone),
  };
}

export type Times = ReturnType<typeof timesIn>;

/** Returns functions that format instants for a page of the desk in a time zone such as `Europe/Berlin`; null is UTC. */
export function timesIn(browserZone: string | null, now: Date) {
  const zone = browserZone ?? 'UTC';
  const { calendar, ...formats } = formatsIn(zone);
  const daysSince = (instant: Date): number => calendar.daysBetween(instant, now);

  /** Returns an instant relative to now, such as `12 min ago`, `yesterday`, `Wed 09:12`, `in 2 h` or `17 Nov`. */
  function toRelative(instant: Date): string {
    const distance = Math.abs(now.getTime() - instant.getTime());
    const days = Math.abs(daysSince(instant));
    const isPast = instant <= now;
    const withDirection = (amount: string) => (isPast ? `${amount} ago` : `in ${amount}`);
    if (distance < minute) return isPast ? 'just now' : 'in a minute';
    if (distance < hour) return withDirection(`${Math.floor(distance / minute)} min`);
    // A few hours are counted over midnight, too: "yesterday" could mean a whole day.
    if (days === 0 || distance < 6 * hour) return withDirection(`${Math.floor(distance / hour)} h`);
    if (days === 1) return isPast ? 'yesterday' : `tomorrow ${formats.clockTime.format(instant)}`;
    if (days < 7) return `${formats.weekday.format(instant)} ${formats.clockTime.format(instant)}`;
    const isThisYear = formats.year.format(instant) === formats.year.format(now);
    return (isThisYear ? formats.dayOfYear : formats.dayWithYear).format(instant);
  }

  return {
    zone,
    now,
    toRelative,
    daysSince,

    /** Returns an element that says an instant in words, and exactly in `title` and `datetime`. */
    timeElement: (instant: Date, words = toRelative(instant)): Html =>
      html`<time datetime="${instant.toISOString()}" title="${formats.exact.format(instant)}">${words}</time>`,

    /** Returns an instant as part of a sentence, such as `on 18 November at 09:12`. */
    toDayAndTime: (instant: Date): string =>
      `on ${formats.longDay.format(instant)} at ${formats.clockTime.format(instant)}`,

    /** Returns an instant with its day and time, such as `Wednesday, 18 November 2026 at 09:12`. */
    toExact: (instant: Date): string => formats.exact.format(instant),

    /** Returns a heading: `Since 09:12`, `Since yesterday`, `Since Tuesday` or `Since 3 November`. */
    sinceWords(instant: Date): string {
      const days = Math.abs(daysSince(instant));
      if (days === 0) return `Since ${formats.clockTime.format(instant)}`;
      if (days === 1) return 'Since yesterday';
      return `Since ${(days < 7 ? formats.longWeekday : formats.longDay).format(instant)}`;
    },

    /** Returns the day of an instant, such as `Wed 18 Nov`. */
    toDay: (instant: Date): string => formats.weekdayOfYear.format(instant),

    /** Returns the day of an instant without the weekday, such as `18 Nov`. */
    toShortDay: (instant: Date): string => formats.dayOfYear.format(instant),

    zoneNote(): Html {
      if (browserZone === null)
        return html`<p class="soft small">Times are in UTC: only with JavaScript does a browser tell its time zone.</p>`;
      const offset = formats.offset.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
      return html`<p class="soft small">Times are in ${zone === 'UTC' ? zone : `${zone} (${offset})`}, the time zone of this browser.</p>`;
    },
  };
}
