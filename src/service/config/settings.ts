import { BlockList, isIP } from 'node:net';
import { EmailAddress } from 'resume-profile/email-address';
import { papers, themes } from 'resume-profile/resume-design';
import { z } from 'zod';
import { looksLikeAddress, readAddress } from '../../adapters/profile/profile-source.ts';
import { readKeySet } from '../../adapters/tokens/private-jwks.ts';

const themeNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(themes);

const secondsOf = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** A duration such as 15m, in seconds. */
export const Duration = z
  .string()
  .regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a duration such as 15m, 24h or 30d')
  .transform((text) => Number(text.slice(0, -1)) * secondsOf[text.at(-1) as keyof typeof secondsOf]);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

const onOff = (initial: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .prefault(initial)
    .transform((text) => text === 'on');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number, 0 to 65535');

/** A list of the items that `read` returns; if it returns null, the whole list is a fault. */
const listOf = <Item>(read: (text: string) => Item | null, message: string) =>
  z.string().transform((text, context) => {
    const items = text.split(/[\s,]+/).filter((item) => item !== '');
    const values = items.map(read).filter((value) => value !== null);
    if (values.length === items.length) return values;
    context.addIssue({ code: 'custom', message: `must be a list of ${message}` });
    return z.NEVER;
  });

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => new URL(text));

const profile = z.string().transform((text, context) => {
  if (!looksLikeAddress(text)) return text;
  const address = readAddress(text);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: 'must be a file, or an address that begins with https://' });
  return z.NEVER;
});

const networks = listOf((item) => {
  const [address = '', prefix] = item.split('/');
  const family = isIP(address);
  const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
  const isValid = family !== 0 && /^\d+$/.test(prefix ?? '0') && bits <= (family === 6 ? 128 : 32);
  return isValid ? ([address, bits, family === 6 ? 'ipv6' : 'ipv4'] as const) : null;
}, 'addresses or CIDRs such as 10.0.0.0/8').transform((subnets) => {
  const blocks = new BlockList();
  for (const subnet of subnets) blocks.addSubnet(...subnet);
  return blocks;
});

const multiplier = z
  .string()
  .regex(/^(off|\d{1,9}(\.\d{1,9})?)$/, 'must be a number above 0, or off')
  .transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text)))
  .refine((number) => number > 0, 'must be a number above 0, or off');

const signingKey = z.string().refine((text) => {
  try {
    readKeySet(text);
    return true;
  } catch {
    return false;
  }
}, 'must hold an Ed25519 private key as a JWK, or a JWK Set of such keys');

const hosts = listOf(
  (item) => (/^[^\s/?#@]+$/.test(item) ? (URL.parse(`http://${item}`)?.host ?? null) : null),
  'host names such as profile.example.org',
);

const origins = listOf((item) => {
  const url = URL.parse(item);
  return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : null;
}, 'origins such as https://app.example.org');

export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\//i.test(url);

export const DatabaseUrl = z
  .string()
  .refine(
    (url) => !/^[a-z][\w+.-]*:\/\//i.test(url) || isPostgresUrl(url),
    'must be a file path, or an address such as postgres://USER:PASSWORD@HOST/DATABASE',
  )
  // Such an @ ends an unencoded password; the text before it would be shown as host, path or parameter.
  .refine(
    (url) => !isPostgresUrl(url) || !/^[^:]*:\/\/[^/?#]*[/?#].*@/s.test(url),
    'has an @ after a / ? or #: in a password or parameter, write @ / ? # % as %40 %2F %3F %23 %25',
  );

const percentForms = { '#': '%23', '/': '%2F', '?': '%3F', '@': '%40', '%': '%25' };
const listed = new Intl.ListFormat('en-GB');

const smtpUrl = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  // If one of these signs is not encoded, the parser takes the text before it as the host, or finds none.
  const [, beforeHost = ''] = /^smtps?:\/\/(.*)@/is.exec(text) ?? [];
  if (/[#/?]/.test(beforeHost)) {
    const signs = Object.entries(percentForms).filter(([sign]) =>
      sign === '%' ? /%(?![\da-f]{2})/i.test(beforeHost) : beforeHost.includes(sign),
    );
    const names = listed.format(signs.map(([sign]) => sign));
    const written = listed.format(signs.map(([sign, form]) => `${sign} as ${form}`));
    const message = `has ${names} in its user name or password: write ${written}, or set SMTP_USER and SMTP_PASSWORD in their place`;
    context.addIssue({ code: 'custom', message });
  } else if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    context.addIssue({ code: 'custom', message: 'must be an smtp:// or smtps:// URL' });
  }
});

/** The settings as environment variables, with their defaults and meanings (interface, Environment). */
export const Settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: port.prefault('3000').describe('Port to listen on; 0 takes a free one and prints it'),
  BASE_URL: origin
    .refine(
      (url) => !url.search && !url.hash && !url.username && !url.password,
      'must be a plain address without query, fragment or credentials',
    )
    .optional()
    .meta({
      shown: 'http://127.0.0.1:PORT',
      description: 'Public address, used for every absolute URL; https unless loopback',
    }),
  ALLOW_INSECURE_HTTP: flag.prefault('false').describe('Accept a BASE_URL that is neither https nor loopback'),
  TLS_CERT: z
    .string()
    .optional()
    .describe('PEM file of the certificate, to serve HTTPS directly; read again each 30 s'),
  TLS_KEY: z.string().optional().describe('PEM file of the private key, to serve HTTPS directly'),
  PROFILE: profile.optional().meta({
    shown: 'profile.yaml, else the sample',
    description:
      'The profile document, a file or an https address; the sample is served on loopback only, unless ALLOW_SAMPLE is set',
  }),
  SETUP_CODE: z
    .string()
    .trim()
    .min(16, 'must have 16 characters or more, so that nobody can guess it; to make one: openssl rand -hex 16')
    .optional()
    .describe(
      'Lets the service start without a profile, and signs in at the desk until the first one is published there; 16 characters or more',
    ),
  ALLOW_SAMPLE: flag
    .prefault('false')
    .describe(
      'Start at an address that others can open with the sample, with an owner address at an example domain, or without a name',
    ),
  DATA_DIR: z.string().default('./data').describe('Database, keys and mail files; created, private to the user'),
  DATABASE_URL: DatabaseUrl.optional().meta({
    shown: 'DATA_DIR/candidate-profile.db',
    description: 'File path of the SQLite database, or postgres://USER:PASSWORD@HOST/DATABASE for several replicas',
  }),
  OWNER_EMAIL: EmailAddress.optional().meta({ shown: "the profile's owner_email", description: 'Where notices go' }),
  SMTP_URL: smtpUrl.optional().describe('Mail server; without it each message becomes a file in DATA_DIR/mail'),
  SMTP_USER: z.string().optional().describe('User name at the mail server, unless SMTP_URL has it'),
  SMTP_PASSWORD: z.string().optional().describe('Password at the mail server, as it is, unless SMTP_URL has it'),
  MAIL_FROM: EmailAddress.optional().meta({
    shown: 'the user name at the mail server if it is an address, otherwise candidate-profile@HOST OF BASE_URL',
    description: 'Sender address of notices',
  }),
  TOKEN_TTL: Duration.prefault('30d').describe('How long a token is valid, such as 15m, 24h or 30d'),
  PDF_LINK_TTL: Duration.prefault('30d').describe('How long a link to the resume PDF is valid'),
  PDF_THEME: z
    .enum(themes, `must be ${themeNames}`)
    .default('classic')
    .describe(`How the resume PDF looks unless the profile says it: ${themeNames} ([all of them](pdf.md))`),
  PDF_PAPER: z
    .enum(papers, 'must be a4 or us-letter')
    .default('a4')
    .describe('Its paper size unless the profile says it: a4 or us-letter'),
  PDF_TEMPLATE: z
    .string()
    .optional()
    .describe(
      'A Typst file of your own instead of a theme, unless the profile names one; it may read what is in its folder',
    ),
  FONT_DIR: z.string().optional().describe('Folder of more fonts, for [scripts that the PDF lacks](pdf.md#fonts)'),
  SIGNING_KEY: signingKey.optional().meta({
    shown: 'generated, kept in DATA_DIR',
    description: 'Private Ed25519 JWK or JWK Set: the first signs, all verify; required with PostgreSQL',
  }),
  MCP_MUTATIONS: flag
    .prefault('false')
    .describe('Offer the tools over MCP, too, that create a token or a contact request'),
  ALLOWED_HOSTS: hosts.prefault('').meta({
    shown: 'that of BASE_URL',
    description: 'More Host names accepted on /mcp and by the forms of pages, separated by commas',
  }),
  ALLOWED_ORIGINS: origins.prefault('').meta({
    shown: 'all if BASE_URL is https and public, otherwise that of BASE_URL, and of this machine if that is loopback',
    description: 'More Origins accepted on /mcp, separated by commas',
  }),
  TRUST_PROXY: networks
    .prefault('')
    .meta({ shown: 'none', description: 'CIDRs of proxies whose X-Forwarded-For is trusted' }),
  LIMITS: multiplier
    .prefault('1')
    .describe('Multiplies every quota and the sockets per address; off removes these limits and the digest of mail'),
  METRICS_PORT: port.optional().describe('Port that serves Prometheus metrics, on loopback only'),
  KEEP_CONTACTS: Duration.optional().describe('How long contact requests are kept; without it until they are erased'),
  KEEP_MAIL: Duration.prefault('7d').describe('How long e-mails are kept once sent, those written to files included'),
  KEEP_AUDIT: Duration.prefault('90d').describe('How long the audit log is kept'),
  READER_RECORD: onOff('on').describe(
    'Whether it is recorded who read what ([privacy](privacy.md)); off records nothing',
  ),
  KEEP_READS: Duration.prefault('90d').describe(
    'How long it is kept who read what, and your note of a visitor after they were last seen',
  ),
  KEEP_HISTORY: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a number of versions, 0 to 99999')
    .transform(Number)
    .prefault('200')
    .describe('How many versions of the profile document are kept, 5 MB at most; 0 keeps none'),
  OAUTH: onOff('on').describe('Whether clients can connect by the address alone, with OAuth; off hides all of it'),
  OAUTH_CLIENT_DOCUMENTS: onOff('on').describe(
    'Whether clients with OAuth may describe themselves by a document at an https address, which the service fetches; off lets them register instead',
  ),
  VERIFY_EMAIL: onOff('off').describe(
    'Whether visitors who connect a client with OAuth must enter a code that is sent to their address; needs SMTP_URL',
  ),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info')
    .describe('The least severe level that is logged on stderr'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'text'], 'must be auto, json or text')
    .default('auto')
    .describe('How log lines are written; auto is text on a terminal, otherwise JSON'),
});
export type Settings = z.infer<typeof Settings>;
