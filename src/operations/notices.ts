import { toVisible } from 'resume-profile/text';
import type { Contact } from '../model/contact.ts';
import type { Link } from '../model/link.ts';
import { type Email, isSecretKind, type Notice, type QueuedNotice } from '../model/notice.ts';
import type { Grant } from '../model/oauth.ts';
import type { StoredSecret } from '../model/sign-in.ts';
import type { IssuedToken, Scope } from '../model/token.ts';
import { byAddress, toVisitorText, type VisitorKey, visitorKeyOf } from '../model/visitor.ts';
import { toLocalTime } from './local-time.ts';

const linesOf = (...lines: readonly string[]): string => [...lines, ''].join('\n');

/** Returns the notice of an issued token; `from` is the network address, null if the owner's own machine asked. */
export function toAccessNotice(token: IssuedToken, from: string | null): Notice {
  const visitor = toVisible(toVisitorText(token.subject));
  const place = from ?? 'your own machine';
  return {
    kind: 'auth_request',
    about: token.jti,
    line: `${visitor} asked for access on ${toLocalTime(token.issuedAt)} from ${place},\n  token ${token.jti}`,
    subject: `${visitor} asked for access to your profile`,
    text: linesOf(
      `${visitor} asked for access to your profile and was given a token.`,
      '',
      `When:        ${toLocalTime(token.issuedAt)}`,
      `From:        ${place}`,
      `Valid until: ${toLocalTime(token.expiresAt)}`,
      `Token id:    ${token.jti}`,
      '',
      'The address was typed in by the visitor and has not been verified.',
    ),
    replyTo: null,
    visitor: token.subject,
  };
}

export function toOpeningNotice({ jti, issuedAt, subject }: IssuedToken, link: Pick<Link, 'name'>): Notice {
  const name = toVisible(link.name);
  const when = toLocalTime(issuedAt);
  return {
    kind: 'auth_request',
    about: jti,
    line: `The link for ${name} was opened for the first time on ${when},\n  token ${jti}`,
    subject: `${cut(name)} was opened for the first time`,
    text: linesOf(
      `Your link for ${name} was opened for the first time.`,
      '',
      `When:     ${when}`,
      `Token id: ${jti}`,
      '',
      'Who holds a link can pass it on. Your desk shows what is read through it; no further mail tells of openings.',
    ),
    replyTo: null,
    visitor: subject,
    visitorName: link.name,
  };
}

type Named = Pick<Link, 'name'> | null;

/** Returns the notice of a grant, given to a visitor at a network address, who came by a link; null without one. */
export function toGrantNotice(grant: Grant, from: string | null, link: Named = null): Notice {
  const client = toVisible(grant.clientName);
  const visitor = link === null ? toVisible(toVisitorText(grant.subject)) : `Somebody through ${toVisible(link.name)}`;
  const when = toLocalTime(grant.createdAt);
  const place = from ?? 'your own machine';
  const verified = grant.isVerified ? 'verified' : 'not verified';
  const state = link === null ? ` (${verified})` : '';
  return {
    kind: 'auth_request',
    about: grant.id,
    line: `${visitor}${state} connected ${client} on ${when} from ${place},\n  grant ${grant.id}`,
    subject: `${visitor} connected ${client} to your profile`,
    text: linesOf(
      `${visitor} connected a client to your profile, which can now get tokens by itself.`,
      '',
      `Client:      ${client}`,
      `Client id:   ${toVisible(grant.clientId)}`,
      `Returns to:  ${toVisible(originOf(grant.redirectUri))}`,
      `May:         ${grant.scopes.map((scope) => permissions[scope]).join(', and ')}`,
      `When:        ${when}`,
      `From:        ${place}`,
      `Grant id:    ${grant.id}`,
      '',
      'The client chose its name itself.',
      link !== null
        ? 'The visitor gave no address. Ending the link ends the connection.'
        : grant.isVerified
          ? 'The visitor has proven that the address is theirs, by a code that was sent to it.'
          : 'The address was typed in by the visitor and has not been verified.',
    ),
    replyTo: null,
    visitor: grant.subject,
    ...(link !== null && { visitorName: link.name }),
  };
}

/** Returns the redirect target without its path; an address such as `cursor:/callback` has no host. */
function originOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' ? protocol : `${protocol}//${host}`;
}

const permissions: Record<Scope, string> = {
  'profile:read': 'read your profile',
  'contact:write': 'send you messages',
};

/** Returns the notice of a contact request, with the message quoted and labelled as its sender's. */
export function toContactNotice(contact: Contact, link: Named = null): Notice {
  const [name, company, email] = [contact.name, contact.company, contact.email].map(toVisible);
  return {
    kind: 'contact_request',
    about: contact.id,
    line: `${name} (${company}, ${email}) wrote on ${toLocalTime(contact.receivedAt)},\n  request ${contact.id}`,
    subject: `Contact request from ${name} (${company})`,
    text: linesOf(
      'A visitor sent you a message through your profile. Answers go to the address that they gave.',
      '',
      `When:    ${toLocalTime(contact.receivedAt)}`,
      `Request: ${contact.id}`,
      link === null ? `Token:   ${tokenWords(contact)}` : `Through: your link for ${toVisible(link.name)}`,
      '',
      "What follows are the sender's words:",
      '',
      `> Name:    ${name}`,
      `> E-mail:  ${email}`,
      `> Company: ${company}`,
      '>',
      ...quote(contact.message),
    ),
    replyTo: contact.email,
    visitor: contact.subject ?? byAddress(contact.email),
    visitorName: contact.name,
  };
}

const tokenWords = ({ subject }: Contact): string =>
  subject === null ? 'none, sent from your own machine' : `issued to ${toVisible(toVisitorText(subject))}`;

/** Returns the e-mail with a reply to a contact request, whose message is quoted below it. */
export const toReplyNotice = (
  contact: Pick<Contact, 'id' | 'name' | 'email' | 'message' | 'receivedAt'>,
  text: string,
): Notice => ({
  kind: 'reply',
  about: contact.id,
  recipient: contact.email,
  line: '',
  subject: 'Re: your message',
  text: linesOf(
    text,
    '',
    `${cut(toVisible(contact.name))} wrote on ${toLocalTime(contact.receivedAt)}:`,
    '',
    ...quote(contact.message.trim()),
  ),
  replyTo: null,
});

const maxNameLength = 60;

function cut(name: string): string {
  const characters = [...name];
  return characters.length <= maxNameLength ? name : `${characters.slice(0, maxNameLength - 1).join('')}…`;
}

const quote = (message: string): readonly string[] => message.split(/\r?\n/).map((line) => `> ${toVisible(line)}`);

export const toSignInNotice = ({ hash, expiresAt }: StoredSecret, url: string): Notice => ({
  kind: 'sign_in',
  about: hash,
  line: '',
  subject: 'Sign in to your desk',
  text: linesOf(
    'Open this link, and confirm that you sign in:',
    '',
    url,
    '',
    `It works once, until ${toLocalTime(expiresAt)}.`,
    'Nobody can sign in without it. If you have not asked for it, delete this e-mail.',
  ),
  replyTo: null,
});

interface CodeNotice {
  readonly requestId: string;
  readonly recipient: string;
  readonly code: string;
  readonly expiresAt: Date;
  readonly clientName: string;
  /** Undefined if it is not public. */
  readonly candidateName: string | undefined;
}

/** Returns the e-mail with a visitor's code. It has no link, because programs that check mail open links. */
export function toCodeNotice({ requestId, recipient, code, expiresAt, clientName, candidateName }: CodeNotice): Notice {
  const profile = candidateName === undefined ? 'a profile' : `the profile of ${toVisible(candidateName)}`;
  return {
    kind: 'verification_code',
    about: requestId,
    recipient,
    line: '',
    subject: `Your code for ${profile}`,
    text: linesOf(
      `A program asks to connect to ${profile}, with your e-mail address. Your code:`,
      '',
      code,
      '',
      `Enter it on the page that asks for it. It works once, until ${toLocalTime(expiresAt)}.`,
      `The program calls itself: ${withoutLinks(clientName) || '(no letter or digit)'}.`,
      '',
      'If you have not asked for it, ignore this e-mail: without the code, nothing happens.',
      'Give the code to nobody: it connects their program in your name.',
    ),
    replyTo: null,
  };
}

/** Leaves only letters, digits and spaces of a text by others, so that no mail program makes a link of it. */
const withoutLinks = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();

interface Sender {
  readonly baseUrl: string;
  /** Empty if it is not written. */
  readonly candidateName: string;
  readerIdOf(visitor: VisitorKey): string;
}

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

/** Returns an e-mail for a server that refused these notices: only letters and digits of visitors, so nothing to refuse. */
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
    text: linesOf(
      'Your mail server refused this e-mail with what visitors wrote in it. At your desk you can read that:',
      '',
      ...lines,
    ),
    replyTo: null,
    ...(candidate !== '' && { fromName: fromNameOf({}, candidate) }),
  };
}

const readerIdOf = ({ visitor }: Notice, sender: Sender): string | undefined =>
  visitor && sender.readerIdOf(visitorKeyOf(visitor));

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

const listed = (heading: string, notices: readonly Notice[]): readonly string[] =>
  notices.length === 0 ? [] : [heading, '', ...notices.map(({ line }) => `- ${line}`), ''];
