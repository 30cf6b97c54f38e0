import { toVisible } from 'resume-profile/text';
import { type Email, isSecretKind, type Notice, type QueuedNotice } from '../model/notice.ts';
import { toVisitorText, type VisitorKey, visitorKeyOf } from '../model/visitor.ts';
import { toLocalTime } from './local-time.ts';
import { cut, withoutLinks } from './notices.ts';

/** The service that sends mail. */
interface Sender {
  readonly baseUrl: string;
  /** Empty if it is not written. */
  readonly candidateName: string;
  /** Returns the id of a reader for URLs. */
  readerIdOf(visitor: VisitorKey): string;
}

/** Combines notices into one e-mail with links to the desk. */
export function toEmail(notices: readonly Notice[], sender: Sender): Email {
  const [first, ...others] = notices as readonly [Notice, ...Notice[]];
  const candidate = toSenderName(sender.candidateName);
  if (first.kind === 'reply') return { ...first, ...(candidate !== '' && { fromName: candidate }) };
  if (isSecretKind(first.kind)) return first;
  const { subject, text, replyTo } = others.length === 0 ? first : combine(notices);
  const [readerId, ...otherReaders] = new Set(notices.map((notice) => readerIdOf(notice, sender)));
  const isOfOne = otherReaders.length === 0;
  const [introduction, ...rest] = text.split('\n');
  const links = deskPathsOf(notices, isOfOne ? readerId : undefined).map(
    ([label, path]) => `${label}: ${sender.baseUrl}/desk${path}`,
  );
  return {
    ...{ subject, replyTo },
    ...(candidate !== '' && { fromName: fromNameOf(isOfOne ? first : {}, candidate) }),
    // Not at the end: the sender of a message could write links that look the same below it.
    text: [introduction, '', ...links, ...rest].join('\n'),
  };
}

/**
 * Returns an e-mail for a server that has refused these notices: who, when and a link each. From visitors it has only
 * the name or the address, without any character but letters, digits and spaces, so that it holds nothing to refuse.
 */
export function toBriefEmail(notices: readonly QueuedNotice[], sender: Sender): Email {
  const candidate = toSenderName(sender.candidateName);
  const lines = notices.map((notice) => {
    const { kind, about, visitor, visitorName, queuedAt } = notice;
    const who = withoutLinks(cut(visitorName ?? (visitor === undefined ? '' : toVisitorText(visitor)))) || 'Somebody';
    const readerId = readerIdOf(notice, sender);
    const reader = readerId === undefined ? '/readers' : `/readers/${readerId}`;
    const came = isOfLink(notice) ? 'came by your link' : 'asked for access';
    const [did, path] = kind === 'contact_request' ? ['wrote', `/inbox/${about}`] : [came, reader];
    return `- ${who} ${did} on ${toLocalTime(queuedAt)}:\n  ${sender.baseUrl}/desk${path}`;
  });
  return {
    subject: notices.length === 1 ? 'A notice from your profile' : `${notices.length} notices from your profile`,
    text: [
      'Your mail server refused this e-mail with what visitors wrote in it. At your desk you can read that:',
      '',
      ...lines,
      '',
    ].join('\n'),
    replyTo: null,
    ...(candidate !== '' && { fromName: fromNameOf({}, candidate) }),
  };
}

const readerIdOf = ({ visitor }: Notice, sender: Sender): string | undefined =>
  visitor && sender.readerIdOf(visitorKeyOf(visitor));

/** Returns the pages of the desk for notices; `readerId` is undefined unless all notices are about one reader. */
function deskPathsOf(notices: readonly Notice[], readerId: string | undefined): readonly (readonly string[])[] {
  const reader = readerId === undefined ? [] : [['About them', `/readers/${readerId}`]];
  const [{ kind, about }, ...others] = notices as readonly [Notice, ...Notice[]];
  if (others.some((other) => other.kind !== kind)) return [['At your desk', ''], ...reader];
  if (kind === 'contact_request')
    return [['At your desk', others.length === 0 ? `/inbox/${about}` : '/inbox'], ...reader];
  return [['At your desk', reader[0]?.[1] ?? '/readers']];
}

/** Returns the display name of the sender of a notice: the visitor, if all notices are about one visitor, and the profile. */
function fromNameOf({ visitor, visitorName }: Pick<Notice, 'visitor' | 'visitorName'>, candidate: string): string {
  const profile = `${candidate}'s profile`;
  return visitor === undefined ? profile : `${toSenderName(visitorName ?? toVisitorText(visitor))}, via ${profile}`;
}

// Programs that check mail take an address in the name of a sender for a forgery.
const toSenderName = (name: string): string => cut(toVisible(name).trim().replaceAll('@', ' at '));

function combine(notices: readonly Notice[]): Email {
  const accesses = notices.filter(({ kind }) => kind === 'auth_request');
  const [links, addresses] = [accesses.filter(isOfLink), accesses.filter((notice) => !isOfLink(notice))];
  const messages = notices.filter(({ kind }) => kind === 'contact_request');
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
      ...messages.flatMap(({ text }) => ['-'.repeat(60), '', text]),
    ].join('\n'),
    replyTo: null,
  };
}

const isOfLink = ({ visitor }: Notice): boolean => visitor?.kind === 'link';

/** The lines of notices below a heading; none without notices. */
const listed = (heading: string, notices: readonly Notice[]): readonly string[] =>
  notices.length === 0 ? [] : [heading, '', ...notices.map(({ line }) => `- ${line}`), ''];
