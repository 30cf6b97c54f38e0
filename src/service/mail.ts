import { openMailer } from '../adapters/mail/mailer.ts';
import { startSender } from '../adapters/mail/sender.ts';
import { toBriefEmail, toEmail } from '../operations/notices.ts';
import { readerIdOf } from '../operations/owner/readers.ts';
import type { Core } from './profile.ts';

/** Starts sending the mails of the outbox. A mail that this process queues is sent at once. */
export function openMail({ config, baseUrl, profile, store, hashVisitor, audit, now, log }: Core) {
  const { smtpUrl, mailFrom: from, mailDirectory: directory } = config;
  const sender = startSender({
    ...{ store, to: profile.ownerEmail, audit, now, log },
    mailer: openMailer({ smtpUrl, from, baseUrl, directory, log }),
    toEmail: (notices, hasTexts) =>
      (hasTexts ? toEmail : toBriefEmail)(notices, {
        baseUrl,
        candidateName: profile.isPresent() ? profile.current().candidate.name : '',
        readerIdOf: (address) => readerIdOf(address, { hashVisitor }),
      }),
  });
  store.outbox.onQueued(sender.wake);
  return sender;
}
