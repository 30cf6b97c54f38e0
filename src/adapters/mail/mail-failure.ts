/**
 * The failure to deliver a message. Its text is a code, with the SMTP reply code if there is one, and no address, so that it
 * can be logged; the cause has the details.
 */
export class MailFailure extends Error {
  /** True if the server refused this message permanently (5xx), false if a retry may succeed. */
  readonly isPermanent: boolean;
  /** True if the server refused the content, after it had accepted sender and recipient. */
  readonly isAboutContent: boolean;

  constructor(message: string, { isPermanent = false, isAboutContent = false, cause }: Partial<MailFailure> = {}) {
    super(message, { cause });
    this.name = 'MailFailure';
    this.isPermanent = isPermanent;
    this.isAboutContent = isAboutContent;
  }
}

/** An error of nodemailer, or of the file system. */
interface DeliveryError extends NodeJS.ErrnoException {
  readonly responseCode?: number;
  readonly response?: string;
}

/** Classifies an error of nodemailer or of the file system. */
export function toMailFailure(error: DeliveryError): MailFailure {
  const { code = error.name, responseCode = 0, response = '' } = error;
  // The reply's text may contain addresses, so only its codes are kept (RFC 3463).
  const reply = /^[245]\d\d([ -][245]\.\d{1,3}\.\d{1,3}\b)?/.exec(response)?.[0];
  // A refused login or greeting is not about the message: it can be sent once the settings are corrected.
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  return new MailFailure(reply === undefined ? code : `${code} ${reply}`, {
    isPermanent: isAboutMessage && responseCode >= 500,
    isAboutContent: code === 'EMESSAGE' && responseCode >= 400,
    cause: error,
  });
}
