import { Failure } from '../../model/failure.ts';
import { prefersHtml } from '../prefers-html.ts';
import { fileResponse } from './file-response.ts';
import { failureResponse } from './responses.ts';

/** The path of signed links to the resume PDF. */
export const resumePath = '/files/resume.pdf';

/** The printed resume. */
interface PrintedResume {
  readonly candidateName: string;
  /** Null if no profile could be printed yet. */
  pdf(): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The page for browsers that follow a link that has expired or was altered. */
  expiredPage(): Promise<Response>;
}

/** Responds to a request for the resume PDF: 404 if the link has expired or was altered, 503 without a PDF. */
export async function resumeResponse(
  request: Request,
  isLinkValid: boolean,
  printed: PrintedResume,
): Promise<Response> {
  if (!isLinkValid)
    return prefersHtml(request) ? printed.expiredPage() : failureResponse(new Failure('NOT_FOUND'), request);
  const bytes = await printed.pdf();
  if (bytes === null) return failureResponse(new Failure('UNAVAILABLE', 'The resume cannot be printed.'), request);
  return fileResponse({ bytes, type: 'application/pdf', name: fileNameOf(printed.candidateName) }, request);
}

/** Such as `Lena-Vasquez-resume.pdf`; only letters, digits and hyphens, which every file system accepts. */
function fileNameOf(candidateName: string): string {
  const words = candidateName.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...Array.from(words.join('-')).slice(0, 60), ...(words.length > 0 ? '-' : ''), 'resume.pdf'].join('');
}
