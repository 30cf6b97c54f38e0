import { toVcard } from 'resume-documents/vcard';
import type { Profile } from 'resume-profile/profile-document';
import type { SignedLinks } from '../adapters/tokens/signatures.ts';
import { Failure } from '../model/failure.ts';
import type { PrintFormat } from '../model/profile/print-state.ts';
import type { IssuedToken } from '../model/token.ts';
import { limitDownload } from '../operations/quotas.ts';
import { prefersHtml } from '../surfaces/request.ts';
import { type PublicHandler, publicHandler } from '../surfaces/rest/documents.ts';
import {
  contactPath,
  docxPath,
  fileNameOf,
  fileResponse,
  photoPath,
  resumePath,
  type ServedFile,
} from '../surfaces/rest/files.ts';
import { linkFaultResponse, type Unprinted, unprintedResponse } from '../surfaces/web/fault-page.ts';
import type { Site } from '../surfaces/web/page.ts';
import type { VisitorFiles } from '../surfaces/web/visitor/profile-page.ts';
import type { OpenServices } from './services.ts';

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

export function openFiles(opened: OpenServices, site: Site) {
  const { services, editions, links, prints, photoOf, waitMilliseconds, log } = opened;
  const offersDocx = ({ resume }: Profile) => resume.downloads?.includes('docx') === true;

  /** Serves the result of `read` for the profile of a link, under a file name that begins with the candidate's name. */
  const signedFile = (path: string, { findView }: SignedLinks, read: Read): PublicHandler =>
    publicHandler(async (request, { address }) => {
      try {
        const view = findView(new URL(request.url), editions.names(), services.now());
        if (view === undefined) {
          log.info({ path }, 'link refused: altered or expired');
          throw new Failure('NOT_FOUND');
        }
        // A refused link is not charged, because it is cheap, and visitors in one network may all follow an expired one.
        const refusal = limitDownload(path, address, services);
        if (refusal !== null) throw refusal;
        const file = await read(view);
        if ('failure' in file) {
          if (!prefersHtml(request)) throw file.failure;
          return unprintedResponse(file, site);
        }
        return fileResponse({ ...file, name: fileNameOf(file.candidate.name, file.name) }, request);
      } catch (error) {
        if (!(error instanceof Failure) || !prefersHtml(request)) throw error;
        return linkFaultResponse(error, site);
      }
    });
  const toPath = (link: string) => link.slice(new URL(link).origin.length);

  /** Returns the current print of a view: waits for the newest text, even if it changes meanwhile. */
  async function printOf(view: string | null, format: PrintFormat) {
    const end = performance.now() + waitMilliseconds;
    for (;;) {
      const { profile: served } = editions.ofView(view);
      if (format === 'docx' && !offersDocx(served)) throw new Failure('NOT_FOUND');
      await prints.get(served, format, Math.max(0, end - performance.now()));
      if (editions.ofView(view).profile === served)
        return { candidate: served.candidate, ...prints.stateOf(served, format) };
    }
  }

  const printedFile = (path: string, link: SignedLinks, format: PrintFormat, type: string): PublicHandler =>
    signedFile(path, link, async (view) => {
      const { printed, candidate, fault, retrySeconds } = await printOf(view, format);
      if (printed !== null)
        return { bytes: 'pdf' in printed ? printed.pdf : printed.docx, candidate, type, name: `resume.${format}` };
      const isFaulty = fault !== null;
      const message = isFaulty ? 'The resume cannot be printed at the moment.' : 'The resume is being printed.';
      const retryAfterSeconds = Math.max(retrySeconds, lookAgainSeconds);
      return { isFaulty, failure: new Failure('UNAVAILABLE', message, { retryAfterSeconds }) };
    });

  return {
    linksFor(token: IssuedToken): VisitorFiles {
      const [view, served] = [services.viewOf(token), services.edition(token).profile];
      const linkTo = (link: SignedLinks) => toPath(link.at(services.now(), view));
      return {
        docx: offersDocx(served) ? linkTo(links.docx) : null,
        contact: linkTo(links.contact),
        photo: photoOf(served) === null ? null : linkTo(links.photo),
      };
    },
    /** Returns the number of pages of the PDF; null if it is not printed, or a template does not report it. */
    pdfPages: () => prints.publishedPdf()?.printed?.pages ?? null,
    handlers: {
      [resumePath]: printedFile(resumePath, links.resume, 'pdf', 'application/pdf'),
      [docxPath]: printedFile(docxPath, links.docx, 'docx', docxType),
      [contactPath]: signedFile(contactPath, links.contact, async (view) => {
        const { profile: served } = editions.ofView(view);
        const bytes = new TextEncoder().encode(toVcard(served, photoOf(served)));
        return { bytes, candidate: served.candidate, type: 'text/vcard; charset=utf-8', name: 'contact.vcf' };
      }),
      [photoPath]: signedFile(photoPath, links.photo, async (view) => {
        const { profile: served } = editions.ofView(view);
        const photo = photoOf(served);
        if (photo === null) throw new Failure('NOT_FOUND');
        const type = photo.format === 'jpg' ? 'image/jpeg' : 'image/png';
        return { bytes: new Uint8Array(photo.bytes), candidate: served.candidate, type, name: `photo.${photo.format}` };
      }),
    } satisfies Record<string, PublicHandler>,
  };
}

/** Returns a file of the profile in a view; a null view is the whole profile. */
type Read = (view: string | null) => Promise<(ServedFile & Pick<Profile, 'candidate'>) | Unprinted>;

/** The seconds after which a client should ask again for a running print. */
const lookAgainSeconds = 5;
