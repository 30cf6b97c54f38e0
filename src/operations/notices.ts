import { toVisible } from '../model/visible-text.ts';
import type { Contact, Email, IssuedToken, Notice, Services } from './ports.ts';

/** Returns the notice of an issued token; `from` is the network address, null if the owner's own machine asked. */
export function toAccessNotice(token: IssuedToken, from: string | null): Notice {
  const visitor = toVisible(token.subject);
  const place = from ?? 'your own machine';
  return {
    kind: 'auth_request',
    about: token.jti,
    line: `${visitor} asked for access on ${token.issuedAt.toISOString()} from ${place},\n  token ${token.jti}`,
    messageHash: null,
    subject: `${visitor} asked for access to your profile`,
    text: [
      `${visitor} asked for access to your profile and was given a token.`,
      '',
      `When:        ${token.issuedAt.toISOString()}`,
      `From:        ${place}`,
      `Valid until: ${token.expiresAt.toISOString()}`,
      `Token id:    ${token.jti}`,
      '',
      'The address was typed in by the visitor and has not been verified.',
      '',
    ].join('\n'),
    replyTo: null,
  };
}

/** Returns the notice of a contact request, with the message quoted and labelled as the sender's. */
export function toContactNotice(contact: Contact, hash: Services['hash']): Notice {
  const [name, company, email] = [contact.name, contact.company, contact.email].map(toVisible);
  return {
    kind: 'contact_request',
    about: contact.id,
    line: `${name} (${company}, ${email}) wrote on ${contact.receivedAt.toISOString()},\n  request ${contact.id}`,
    messageHash: hash(toComparable(contact.message)),
    subject: `Contact request from ${name} (${company})`,
    text: [
      'A visitor sent you a message through your profile. Answers go to the address that they gave.',
      '',
      `When:    ${contact.receivedAt.toISOString()}`,
      `Request: ${contact.id}`,
      `Token:   ${contact.subject === null ? 'none, sent from your own machine' : `issued to ${toVisible(contact.subject)}`}`,
      '',
      "What follows are the sender's words:",
      '',
      `> Name:    ${name}`,
      `> E-mail:  ${email}`,
      `> Company: ${company}`,
      '>',
      ...contact.message.split(/\r?\n/).map((line) => `> ${toVisible(line)}`),
      '',
    ].join('\n'),
    replyTo: contact.email,
  };
}

/** Normalizes white space and case, by which messages are compared. */
const toComparable = (message: string): string => message.trim().replace(/\s+/g, ' ').toLowerCase();

/** Combines notices into one e-mail, which lists each of them and quotes equal messages once. */
export function toEmail(notices: readonly Notice[]): Email {
  const [first, ...others] = notices as readonly [Notice, ...Notice[]];
  if (others.length === 0) return first;
  const groups = [...Map.groupBy(notices, ({ messageHash, about }) => messageHash ?? about).values()];
  if (groups.length === 1)
    return {
      subject: `${first.subject} and ${others.length} more with the same text`,
      text: [`This message was sent ${notices.length} times.`, '', sectionOf(notices)].join('\n'),
      replyTo: null,
    };
  const [accesses, messages] = [
    notices.filter(({ kind }) => kind === 'auth_request'),
    groups.filter(([{ kind } = first]) => kind === 'contact_request'),
  ];
  return {
    subject: `${notices.length} notices from your profile`,
    text: [
      'These notices come in one e-mail, because there were many within an hour.',
      '',
      ...(accesses.length === 0
        ? []
        : [
            'Access was requested with these addresses, which were typed in and have not been verified:',
            '',
            ...accesses.map(({ line }) => `- ${line}`),
            '',
          ]),
      ...messages.flatMap((group) => ['-'.repeat(60), '', sectionOf(group)]),
    ].join('\n'),
    replyTo: null,
  };
}

/** The message of equal notices, after the list of them if there are several. */
const sectionOf = (equal: readonly Notice[]): string =>
  [...(equal.length === 1 ? [] : [...equal.map(({ line }) => `- ${line}`), '']), equal[0]!.text].join('\n');
