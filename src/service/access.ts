import { hmac, newSecret } from '../adapters/node-crypto.ts';
import type { openReaderRecord } from '../adapters/reader-record.ts';
import { formTokensOf, readLinkCode, signedLinksOf } from '../adapters/tokens/signatures.ts';
import { linkOpeningsOf } from '../operations/link-openings.ts';
import { sessionsOf } from '../operations/page-sessions.ts';
import type { Services } from '../operations/ports.ts';
import { contactPath, docxPath, photoPath, resumePath } from '../surfaces/rest/files.ts';
import type { Core } from './profile.ts';

/** Opens the kinds of access without a bearer token: signed links to files, sessions of the page, links of the owner. */
export function openAccess(
  { config, baseUrl, keys, store, tokens, hashVisitor, now }: Core,
  services: Services & { readonly reads: Pick<ReturnType<typeof openReaderRecord>, 'storeNow'> },
) {
  const { reads, audit } = services;
  const secretsFor = (purpose: string) => () => keys.secretsFor(purpose);
  const linksTo = (path: string) =>
    signedLinksOf({ baseUrl, path, secrets: secretsFor('resume link'), ttlSeconds: config.pdfLinkTtlSeconds });
  return {
    links: {
      resume: linksTo(resumePath),
      docx: linksTo(docxPath),
      contact: linksTo(contactPath),
      photo: linksTo(photoPath),
    },
    formTokens: formTokensOf({ secrets: secretsFor('form'), now }),
    pageSessions: sessionsOf({
      ...{ store, reads, tokens, now, newSecret, audit },
      // Keyed, so that dropping a key also ends the sessions of its tokens.
      idsOf: (secret) => keys.secretsFor('page session').map((key) => hmac(key, secret)),
    }),
    openings: linkOpeningsOf({ services, hashVisitor, idOf: (code) => readLinkCode(code, keys.linkSecret) }),
  };
}
