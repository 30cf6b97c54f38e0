import type { Contact, Email, IssuedToken, Notice, Services } from './ports.ts';

// They look like nothing or like something else, or control the terminal; the two variation selectors of emoji do no harm.
const deceptive =
  /(?![\ufe0e\ufe0f\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns a text to be shown to a person: control characters but tab and newline, and those that hide or turn text, become `\u{…}`. */
export const toVisible = (text: string): string =>
  text.replace(deceptive, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Tells the owner who was given a token; `from` is the network address, null where the owner's own machine asked. */
export function authRequestNotice(token: IssuedToken, from: string | null): Notice {
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

/** Passes a visitor's message on to the owner, quoted and labelled as the sender's words. */
export function contactRequestNotice(contact: Contact, hash: Services['hash']): Notice {
  const [name, company, email] = [contact.name, contact.company, contact.email].map(toVisible);
  return {
    kind: 'contact_request',
    about: contact.id,
    line: `${name} (${company}, ${email}) wrote on ${contact.receivedAt.toISOString()},\n  request ${contact.id}`,
    messageHash: hash(toComparable(contact.message)),
    subject: `Contact request from ${name} (${company})`,
    text: [
      'Somebody left you a message through your profile, and an address to answer to.',
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

/** The message as it is compared: white space and case ignored. */
const toComparable = (message: string): string => message.trim().replace(/\s+/g, ' ').toLowerCase();

/** Combines notices into one e-mail that mentions each of them and quotes a message that several senders sent once. */
export function toEmail(notices: readonly Notice[]): Email {
  const [first, ...others] = notices as readonly [Notice, ...Notice[]];
  if (others.length === 0) return first;
  const groups = [...Map.groupBy(notices, ({ messageHash, about }) => messageHash ?? about).values()];
  if (groups.length === 1)
    return {
      subject: `${first.subject} and ${others.length} more with the same words`,
      text: [`The same message has come ${notices.length} times.`, '', sectionOf(notices)].join('\n'),
      replyTo: null,
    };
  const [accesses, messages] = [
    notices.filter(({ kind }) => kind === 'auth_request'),
    groups.filter(([{ kind } = first]) => kind === 'contact_request'),
  ];
  return {
    subject: `${notices.length} notices from your profile`,
    text: [
      'So much has happened within an hour that this comes in one e-mail.',
      '',
      ...(accesses.length === 0
        ? []
        : [
            'Asked for access, with addresses that were typed in and have not been verified:',
            '',
            ...accesses.map(({ line }) => `- ${line}`),
            '',
          ]),
      ...messages.flatMap((group) => ['-'.repeat(60), '', sectionOf(group)]),
    ].join('\n'),
    replyTo: null,
  };
}

/** Who sent a message, where it was more than one, and the message. */
const sectionOf = (alike: readonly Notice[]): string =>
  [...(alike.length === 1 ? [] : [...alike.map(({ line }) => `- ${line}`), '']), alike[0]!.text].join('\n');
