import { mailWarningOf } from 'resume-profile/email-address';
import { lint, type Warning } from 'resume-profile/lint';
import type { Profile } from 'resume-profile/profile-document';
import type { ProfileReading } from 'resume-profile/profile-reader';
import { viewWarningsOf } from 'resume-profile/view';

interface ProfileWarningOptions {
  /** OWNER_EMAIL, which overrides the address in the profile, and then is the only one checked. */
  readonly ownerEmail: string | undefined;
  readonly today: Date;
  readonly pdfWarningsOf: (written: Profile) => readonly Warning[];
  readonly viewsInUse: Iterable<string>;
}

export function profileWarnings(reading: ProfileReading, options: ProfileWarningOptions): string[] {
  const { ownerEmail, today, pdfWarningsOf, viewsInUse } = options;
  const ownerWarning = ownerEmail === undefined ? null : mailWarningOf(ownerEmail);
  const warningsOf = (written: Profile): Warning[] =>
    ownerEmail === undefined
      ? [...(written.owner_email === undefined ? [missingOwner] : []), ...lint(written, today)]
      : lint({ ...written, owner_email: undefined }, today);
  return [
    ...(ownerWarning === null ? [] : [`OWNER_EMAIL: warning: ${ownerWarning}`]),
    ...reading.warnings((written, document) => [
      ...reading.remarks,
      ...warningsOf(written),
      ...viewWarningsOf(document, viewsInUse),
      ...pdfWarningsOf(written),
    ]),
  ];
}

const missingOwner: Warning = {
  path: ['owner_email'],
  message: 'is missing; serve refuses to start without it or OWNER_EMAIL',
};
