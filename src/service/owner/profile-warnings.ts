import { lint } from '../../formats/profile/lint.ts';
import type { ProfileReading } from '../../formats/profile/profile-reader.ts';
import type { Warning } from '../../formats/profile/warning.ts';
import type { Profile } from '../../model/profile-document.ts';
import { mailWarningOf } from '../../model/reserved-domains.ts';

interface Options {
  /** OWNER_EMAIL, which takes the place of the address in the profile: that one needs no warning then. */
  readonly ownerEmail: string | undefined;
  readonly today: Date;
  /** Returns what warns of the PDF. */
  readonly pdfWarningsOf: (written: Profile) => readonly Warning[];
}

/** Returns the warnings about a profile document and OWNER_EMAIL, a line each. */
export function profileWarnings(reading: ProfileReading, { ownerEmail, today, pdfWarningsOf }: Options): string[] {
  const ownerWarning = ownerEmail === undefined ? null : mailWarningOf(ownerEmail);
  const withoutUnused = (written: Profile) =>
    ownerEmail === undefined ? written : { ...written, owner_email: undefined };
  return [
    ...(ownerWarning === null ? [] : [`OWNER_EMAIL: warning: ${ownerWarning}`]),
    ...reading.warnings((written) => [...lint(withoutUnused(written), today), ...pdfWarningsOf(written)]),
  ];
}
