import type { Contact, IssuedToken, Notice } from './services.ts';

// Format, private-use, unassigned and separator characters look like nothing or like something else.
const deceptive = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text for human eyes: characters that hide or turn text are shown as `\u{…}`. */
export const toVisible = (text: string): string =>
  text.replace(deceptive, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** Tells the owner who was given a token; `from` is the network address, null where the owner's own machine asked. */
export function authRequestNotice(token: IssuedToken, from: string | null): Notice {
  const visitor = toVisible(token.subject);
  return {
    kind: 'auth_request',
    subject: `${visitor} asked for access to your profile`,
    text: [
      `${visitor} asked for access to your profile and was given a token.`,
      '',
      `When:        ${token.issuedAt.toISOString()}`,
      `From:        ${from ?? 'your own machine'}`,
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
export function contactRequestNotice(contact: Contact): Notice {
  const [name, company, email] = [contact.name, contact.company, contact.email].map(toVisible);
  return {
    kind: 'contact_request',
    subject: `Contact request from ${name} (${company})`,
    text: [
      'Somebody left you a message through your profile. Answering this e-mail writes to them.',
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
