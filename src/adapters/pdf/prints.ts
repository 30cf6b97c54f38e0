import type { Logger } from 'pino';
import { explainLength, explainMissingGlyphs, type PdfFlaws } from 'resume-documents/pdf/pdf-warnings';
import type { Profile } from 'resume-profile/profile-document';
import type { FailedPrint, PrintFormat } from '../../model/profile/print-state.ts';
import { within } from '../../model/within.ts';
import type { Prints } from './printer.ts';

/** A served profile: the published one, whose view is null, or a view of it. */
export interface ServedProfile {
  readonly view: string | null;
  readonly profile: Profile;
}

interface PrintsOptions {
  readonly print: {
    readonly [Format in PrintFormat]: (profile: Profile, signal: AbortSignal) => Promise<Prints[Format]>;
  };
  /** Returns the served profiles, the published one first. */
  served(): readonly ServedProfile[];
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

interface Print {
  readonly profile: Profile;
  readonly format: PrintFormat;
  printed: Prints[PrintFormat] | null;
  /** The reason of the last failure, from `toFault`; null if there was none. */
  fault: string | null;
  failures: number;
  attempt: PromiseWithResolvers<void> | null;
  retry?: NodeJS.Timeout;
  retryAt: number;
}

const shortestRetryMilliseconds = 5_000;
const longestRetryMilliseconds = 300_000;

/**
 * Opens the prints of the served profiles, each kept with its profile, because another's may show more. They are made one at a
 * time, the published PDF first, and retried with growing delays while the profile is served.
 */
export function openPrints({ print, served, log }: PrintsOptions) {
  const known = new WeakMap<Profile, Record<PrintFormat, Print>>();
  const waiting: Print[] = [];
  let current: { readonly print: Print; readonly cancelling: AbortController } | null = null;
  let isClosed = false;

  const isServed = ({ profile }: Print) => served().some((one) => one.profile === profile);
  const isFirst = ({ profile, format }: Print) => format === 'pdf' && served()[0]?.profile === profile;

  function printOf(profile: Profile, format: PrintFormat): Print {
    const unprinted = { profile, printed: null, fault: null, failures: 0, attempt: null, retryAt: 0 };
    const prints = known.get(profile) ?? {
      pdf: { ...unprinted, format: 'pdf' },
      docx: { ...unprinted, format: 'docx' },
    };
    known.set(profile, prints);
    return prints[format];
  }

  function begin(one: Print): void {
    clearTimeout(one.retry);
    if (one.printed !== null || one.attempt !== null || isClosed) return;
    one.attempt = Promise.withResolvers();
    if (isFirst(one)) waiting.unshift(one);
    else waiting.push(one);
    if (current === null) void work();
  }

  async function work(): Promise<void> {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const cancelling = new AbortController();
      current = { print: one, cancelling };
      if (isServed(one)) await attempt(one, cancelling.signal);
      current = null;
      end(one);
    }
  }

  function end(one: Print): void {
    one.attempt!.resolve();
    one.attempt = null;
  }

  async function attempt(one: Print, signal: AbortSignal): Promise<void> {
    try {
      const printed = await print[one.format](one.profile, signal);
      Object.assign(one, { printed, fault: null, failures: 0 });
      if ('pdf' in printed) warnOf(printed, one.profile);
    } catch (error) {
      // Its text has been replaced in the meantime.
      if (!isServed(one)) return;
      one.fault = toFault(error);
      one.failures += 1;
      log.error({ fault: one.fault }, one.format === 'pdf' ? 'resume PDF not rendered' : 'resume for Word not printed');
      const delay = Math.min(shortestRetryMilliseconds * 2 ** (one.failures - 1), longestRetryMilliseconds);
      one.retryAt = Date.now() + delay;
      one.retry = setTimeout(() => begin(one), delay).unref();
    }
  }

  /** Characters without a glyph are logged by script or code point, because the text is private. */
  function warnOf({ missingGlyphs, installedFonts, photoFault, linesOver }: PdfFlaws, { resume }: Profile): void {
    const options = { language: resume.language, installed: installedFonts };
    const warnings = explainMissingGlyphs(missingGlyphs, options).map(({ message }) => message);
    if (warnings.length > 0) log.warn({ warnings }, 'resume PDF lacks characters that no font has');
    if (photoFault !== null) log.warn({ fault: photoFault }, 'resume PDF printed without the photo');
    if (linesOver !== null)
      log.warn({ warning: explainLength(linesOver, resume.pages!) }, 'resume PDF longer than its pages');
  }

  /** Returns the finished print, the reason of the last failure, and the seconds until the next attempt. */
  function stateOf<Format extends PrintFormat>(profile: Profile, format: Format) {
    const { printed, fault, attempt, retryAt } = printOf(profile, format);
    const retrySeconds = fault === null || attempt !== null ? 0 : Math.ceil((retryAt - Date.now()) / 1_000);
    return { printed: printed as Prints[Format] | null, fault, retrySeconds };
  }

  const failedPrints = () =>
    served().flatMap(({ view, profile }) =>
      (['pdf', 'docx'] as const)
        .map((format) => ({ view, print: printOf(profile, format) }))
        .filter(({ print }) => print.fault !== null),
    );

  return {
    /** Begins the PDF of the published profile, and ends the prints of replaced profiles. */
    update(): void {
      if (current !== null && !isServed(current.print)) current.cancelling.abort();
      for (const one of waiting.splice(0)) {
        if (isServed(one)) waiting.push(one);
        else end(one);
      }
      const [published] = served();
      if (published !== undefined) begin(printOf(published.profile, 'pdf'));
    },
    /** Returns the print, which is begun at its first request; null after a time, or if it failed and its retry is not due. */
    async get<Format extends PrintFormat>(
      profile: Profile,
      format: Format,
      milliseconds: number,
    ): Promise<Prints[Format] | null> {
      const one = printOf(profile, format);
      if (one.fault === null) begin(one);
      if (one.attempt !== null) await within(milliseconds, one.attempt.promise);
      return one.printed as Prints[Format] | null;
    },
    stateOf,
    publishedPdf() {
      const [published] = served();
      return published === undefined ? null : stateOf(published.profile, 'pdf');
    },
    failed: (): FailedPrint[] =>
      failedPrints().map(({ view, print: { format, fault, failures, attempt } }) => ({
        ...{ view, format, failures },
        fault: fault!,
        isTriedNow: attempt !== null,
      })),
    retry(): void {
      for (const { print } of failedPrints()) begin(print);
    },
    close(): void {
      isClosed = true;
      for (const { print } of failedPrints()) clearTimeout(print.retry);
    },
  };
}

/** Returns the reason of a failed print, in one line that quotes nothing from the profile. */
export function toFault(error: unknown): string {
  // Typst quotes the profile in quotation marks, after a colon or in parentheses.
  const [fault] = /^(.*?\.typ:\d+:\d+: |\S+: |\S+ error: )?[^:"`(]*/.exec((error as Error).message)!;
  return fault.trim();
}
