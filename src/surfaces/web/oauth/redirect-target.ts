/** Describes where a redirect leads: as shown, as a source of a Content-Security-Policy, and what is to be said of it. */
export function targetOf(redirectUri: string): { shown: string; source: string; warning: string | null } {
  const { protocol, hostname, host, origin } = new URL(redirectUri);
  if (protocol === 'http:')
    return {
      shown: `a program on this computer (${host})`,
      // A source of a policy can't be an IPv6 address (CSP Level 3, section 2.3.1): browsers would not follow the redirect.
      source: hostname.startsWith('[') ? protocol : origin,
      warning: `Only allow this if you have just connected a program on this computer yourself: any program here could answer at ${hostname}.`,
    };
  if (protocol === 'https:') return { shown: host, source: origin, warning: null };
  return {
    shown: `the program that opens ${protocol} links`,
    source: protocol,
    warning: 'Only allow this if you have just connected a program on this device yourself.',
  };
}
