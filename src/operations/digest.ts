import { toVisible } from 'resume-profile/text';
import type { Email, Notice } from '../model/notice.ts';
import { toVisitorText, type VisitorKey, visitorKeyOf } from '../model/visitor.ts';
import { cut } from './notices.ts';

/** The service that sends mail. */
interface Sender {
  readonly baseUrl: string;
  /** Empty if it is not written. */
  readonly candidateName: string;
  /** Returns the id of a reader for URLs. */
  readerIdOf(visitor: VisitorKey): string;
}

/** Combines notices into one e-mail with links to the desk: it lists each and quotes equal messages once. */
export function toEmail(notices: readonly Notice[], sender: Sender): Email {
  const [first, ...others] = notices as readonly [Notice, ...Notice[]];
  const candidate = toSenderName(sender.candidateName);
  if (first.kind === 'reply') return { ...first, ...(candidate !== '' && { fromName: candidate }) };
  if (first.kind === 'sign_in' || first.kind === 'verification_code') return first;
  const { text, ...email } = combine(first, others);
  const [readerId, ...otherReaders] = new Set(
    notices.map(({ visitor }) => visitor && sender.readerIdOf(visitorKeyOf(visitor))),
  );
  const isOfOne = otherReaders.length === 0;
  const [introduction, ...rest] = text.split('\n');
  const links = deskPathsOf(notices, isOfOne ? readerId : undefined).map(
    ([label, path]) => `${label}: ${sender.baseUrl}/desk${path}`,
  );
  return {
    ...email,
    ...(candidate !== '' && { fromName: fromNameOf(isOfOne ? first : {}, candidate) }),
    // Not at the end: the sender of a message could write links that look the same below it.
    text: [introduction, '', ...links, ...rest].join('\n'),
  };
}

/** Returns the pages of the desk that notices lead to; the reader is undefined unless all are about one. */
function deskPathsOf(notices: readonly Notice[], readerId: string | undefined): readonly (readonly string[])[] {
  const reader = readerId === undefined ? [] : [['About them', `/readers/${readerId}`]];
  const [{ kind, about }, ...others] = notices as readonly [Notice, ...Notice[]];
  if (others.some((other) => other.kind !== kind)) return [['At your desk', ''], ...reader];
  if (kind === 'contact_request')
    return [['At your desk', others.length === 0 ? `/inbox/${about}` : '/inbox'], ...reader];
  return [['At your desk', reader[0]?.[1] ?? '/readers']];
}

/** Returns the display name of the sender of a notice: the visitor, if all notices are about one, and the profile. */
function fromNameOf({ visitor, visitorName }: Pick<Notice, 'visitor' | 'visitorName'>, candidate: string): string {
  const profile = `${candidate}'s profile`;
  return visitor === undefined ? profile : `${toSenderName(visitorName ?? toVisitorText(visitor))}, via ${profile}`;
}

// Programs that check mail take an address in the name of a sender for a forgery.
const toSenderName = (name: string): string => cut(toVisible(name).trim().replaceAll('@', ' at '));

function combine(first: Notice, others: readonly Notice[]): Email {
  const { subject, text, replyTo } = first;
  if (others.length === 0) return { subject, text, replyTo };
  const notices = [first, ...others];
  const groups = [...Map.groupBy(notices, ({ messageHash, about }) => messageHash ?? about).values()];
  if (groups.length === 1)
    return {
      subject: `${first.subject} and ${others.length} more with the same text`,
      text: [`This message was sent ${notices.length} times.`, '', sectionOf(notices)].join('\n'),
      replyTo: null,
    };
  const accesses = notices.filter(({ kind }) => kind === 'auth_request');
  const [links, addresses] = [accesses.filter(isOfLink), accesses.filter((notice) => !isOfLink(notice))];
  const messages = groups.filter(([{ kind } = first]) => kind === 'contact_request');
  return {
    subject: `${notices.length} notices from your profile`,
    text: [
      'These notices come in one e-mail, because there were many within an hour, or because you chose one a day.',
      '',
      ...listed(
        'Access was requested with these addresses, which were typed in. None is verified, unless its line says so:',
        addresses,
      ),
      ...listed('Of your links:', links),
      ...messages.flatMap((group) => ['-'.repeat(60), '', sectionOf(group)]),
    ].join('\n'),
    replyTo: null,
  };
}

const isOfLink = ({ visitor }: Notice): boolean => visitor?.kind === 'link';

/** The lines of notices below a heading; none without notices. */
const listed = (heading: string, notices: readonly Notice[]): readonly string[] =>
  notices.length === 0 ? [] : [heading, '', ...notices.map(({ line }) => `- ${line}`), ''];

/** The message of equal notices, after the list of them if there are several. */
const sectionOf = (equal: readonly Notice[]): string =>
  [...(equal.length === 1 ? [] : [...equal.map(({ line }) => `- ${line}`), '']), equal[0]!.text].join('\n');
