import { z } from 'zod';
import type { ReportKind } from './notice.ts';

/** When the owner is notified of visitors: at once, or once a day; never off (answers, E-mail). */
export const MailSchedule = z.enum(['at_once', 'daily']);
export type MailSchedule = z.infer<typeof MailSchedule>;

export type MailSchedules = Readonly<Record<ReportKind, MailSchedule>>;

/** The hour of the daily e-mail, in the time zone of the server. */
export const dailyHour = 8;

/** Returns when the latest daily e-mail was due, or the one so many days after it. */
export function dailyMailAt(now: Date, daysLater = 0): Date {
  const hasBeen = now.getHours() >= dailyHour;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - (hasBeen ? 0 : 1) + daysLater, dailyHour);
}
