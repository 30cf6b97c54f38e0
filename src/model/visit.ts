import type { VisitorKey } from './visitor.ts';

/** An action of a visitor with one token, or several equal actions that were close together. */
export interface VisitEvent {
  /** `page`, `pdf` or `docx` on the page, `message` for a message, otherwise the operation of the read. */
  readonly operation: string;
  /** The id of the entry that was read, or of the message; `pdf` or `docx` for a file; otherwise null. */
  readonly item: string | null;
  readonly surface: string | null;
  /** The client program's name for itself; null if it sent none, and for a message. */
  readonly client: string | null;
  readonly at: Date;
  readonly until: Date;
  readonly count: number;
}

export interface Span {
  readonly at: Date;
  readonly until: Date;
}

/** A time during which a visitor was here with one token. */
export interface Presence extends Span {
  /** The token, or the grant that it was issued for. */
  readonly record: string;
  readonly visitor: VisitorKey;
  /** Whether they got the PDF, or the link to it, in this time. */
  readonly hasPdf: boolean;
}

/** After this many milliseconds without an event, the next one begins another visit. */
const visitGap = 30 * 60 * 1_000;

/** Returns the events of one token grouped into visits; the events, and so the visits, are the oldest first. */
export function visitsOf<Event extends Span>(events: readonly Event[]): Event[][] {
  const visits: Event[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.at.getTime() - until >= visitGap) visits.push([]);
    visits.at(-1)!.push(event);
    until = Math.max(until, event.until.getTime());
  }
  return visits;
}

/** Returns the events of one visit as its reader knows them: the page was opened once, however often it was loaded. */
export function toCurrentEvents(events: readonly VisitEvent[]): VisitEvent[] {
  const [loads, others] = [events.filter(isLoad), events.filter((event) => !isLoad(event))];
  const last = loads.at(-1);
  const opening = last && { ...loads[0]!, until: last.until, count: 1 };
  return [opening ?? [], others].flat().sort((one, other) => one.at.getTime() - other.at.getTime());
}

const isLoad = ({ operation }: VisitEvent): boolean => operation === 'page';

/** The read that returns the link to the PDF; whether the link was opened is unknown. An entry may have the id `pdf`. */
export const pdfLink = { operation: 'get_resume', item: 'pdf' };

export const isPdfLink = ({ operation, item }: Pick<VisitEvent, 'operation' | 'item'>): boolean =>
  operation === pdfLink.operation && item === pdfLink.item;
