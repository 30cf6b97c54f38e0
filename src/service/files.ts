import type { LatestPdf } from '../adapters/pdf/latest-pdf.ts';
import type { SignedLinks } from '../adapters/tokens/expiring-signatures.ts';
import { toVcard } from '../formats/export/vcard.ts';
import { Failure } from '../model/failure.ts';
import type { Profile } from '../model/profile/profile-document.ts';
import type { IssuedToken } from '../model/token.ts';
import { limitDownload } from '../operations/quotas.ts';
import { resumeJsonOf } from '../operations/resume.ts';
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
import { linkFaultResponse } from '../surfaces/web/fault-page.ts';
import type { Site } from '../surfaces/web/page.ts';
import type { VisitorFiles } from '../surfaces/web/visitor/profile-page.ts';
import type { Log } from './log.ts';
import type { OpenServices } from './services.ts';

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Serves the files of the profile and of its views by signed links. */
export function openFiles(opened: OpenServices, site: Site, log: Log) {
  const { services, profile, editions, links, pdf } = opened;
  let hasRendered = false;
  async function renderPdf(): Promise<void> {
    hasRendered = true;
    try {
      await pdf.render(profile.current(), resumeJsonOf(profile.current()));
    } catch (error) {
      log.error({ err: error }, 'resume PDF not rendered');
    }
  }
  /** Renders the first PDF if that has not begun. */
  function renderFirstPdf(): void {
    if (!hasRendered && profile.isPresent()) void renderPdf();
  }
  /** Returns the PDF of a profile, whose rendering has begun: the one that is served, or of one of its views. */
  function pdfOf(served: Profile): LatestPdf {
    if (served !== profile.current()) return opened.pdfOfView(served, resumeJsonOf);
    renderFirstPdf();
    return pdf;
  }
  /** The photo in the PDF of a profile; null if the profile names none. */
  async function photoOf(served: Profile) {
    if (served.resume.photo === undefined) return null;
    const print = pdfOf(served);
    await print.current();
    return print.photo();
  }
  const offersDocx = ({ resume }: Profile) => resume.downloads?.includes('docx') === true;

  /** Serves what `read` returns of the profile that a link is to, under a name that begins with the candidate's. */
  const signedFile = (
    path: string,
    { findView }: SignedLinks,
    read: (served: Profile) => Promise<ServedFile>,
  ): PublicHandler =>
    publicHandler(async (request, { address }) => {
      try {
        const view = findView(new URL(request.url), editions.names(), services.now());
        if (view === undefined) {
          log.info({ path }, 'link refused: altered or expired');
          throw new Failure('NOT_FOUND');
        }
        // A refused link is not charged: it costs little, and visitors in one network may all follow an expired one.
        const refusal = limitDownload(path, address, services);
        if (refusal !== null) throw refusal;
        const { profile: served } = editions.ofView(view);
        const file = await read(served);
        return fileResponse({ ...file, name: fileNameOf(served.candidate.name, file.name) }, request);
      } catch (error) {
        if (!(error instanceof Failure) || !prefersHtml(request)) throw error;
        return linkFaultResponse(error, site);
      }
    });
  const toPath = (link: string) => link.slice(new URL(link).origin.length);

  return {
    renderPdf,
    renderFirstPdf,
    /** Returns the links to files of the profile as a token reads it now. */
    async linksFor(token: IssuedToken): Promise<VisitorFiles> {
      const [view, served] = [services.viewOf(token), services.edition(token).profile];
      const linkTo = (link: SignedLinks) => toPath(link.at(services.now(), view));
      return {
        docx: offersDocx(served) ? linkTo(links.docx) : null,
        contact: linkTo(links.contact),
        photo: (await photoOf(served)) === null ? null : linkTo(links.photo),
      };
    },
    handlers: {
      [resumePath]: signedFile(resumePath, links.resume, async (served) => {
        const bytes = await pdfOf(served).current();
        if (bytes === null) throw new Failure('UNAVAILABLE', 'The resume cannot be printed.');
        return { bytes, type: 'application/pdf', name: 'resume.pdf' };
      }),
      [docxPath]: signedFile(docxPath, links.docx, async (served) => {
        if (!offersDocx(served)) throw new Failure('NOT_FOUND');
        const bytes = await (served === profile.current() ? opened.docx : opened.docxOfView)(served);
        if (bytes === null) throw new Failure('UNAVAILABLE', 'The resume cannot be printed.');
        return { bytes, type: docxType, name: 'resume.docx' };
      }),
      [contactPath]: signedFile(contactPath, links.contact, async (served) => {
        const bytes = new TextEncoder().encode(toVcard(served, await photoOf(served)));
        return { bytes, type: 'text/vcard; charset=utf-8', name: 'contact.vcf' };
      }),
      [photoPath]: signedFile(photoPath, links.photo, async (served) => {
        const photo = await photoOf(served);
        if (photo === null) throw new Failure('NOT_FOUND');
        const type = photo.format === 'jpg' ? 'image/jpeg' : 'image/png';
        return { bytes: new Uint8Array(photo.bytes), type, name: `photo.${photo.format}` };
      }),
    } satisfies Record<string, PublicHandler>,
  };
}
