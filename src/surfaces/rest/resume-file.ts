import { Failure } from '../../model/failure.ts';
import { fileResponse } from './file-response.ts';
import { failureResponse } from './responses.ts';

/** The path of signed links to the resume PDF. */
export const resumePath = '/files/resume.pdf';

/** The printed resume. */
interface PrintedResume {
  readonly candidateName: string;
  /** Null if no profile could be printed yet. */
  pdf(): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Responds to a request for the resume PDF: 404 if the link has expired or was altered, 503 without a PDF. */
export async function resumeResponse(
  request: Request,
  isLinkValid: boolean,
  printed: PrintedResume,
): Promise<Response> {
  if (!isLinkValid) return expired(request);
  const bytes = await printed.pdf();
  if (bytes === null) return failureResponse(new Failure('UNAVAILABLE', 'The resume cannot be printed.'), request);
  return fileResponse({ bytes, type: 'application/pdf', name: fileNameOf(printed.candidateName) }, request);
}

/** Such as `Lena-Vasquez-resume.pdf`; only letters, digits and hyphens, which every file system accepts. */
function fileNameOf(candidateName: string): string {
  const words = candidateName.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...Array.from(words.join('-')).slice(0, 60), ...(words.length > 0 ? '-' : ''), 'resume.pdf'].join('');
}

function expired(request: Request): Response {
  if (!(request.headers.get('accept') ?? '').includes('text/html'))
    return failureResponse(new Failure('NOT_FOUND'), request);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(expiredPage, { status: 404, headers });
}

const expiredPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>This link is no longer valid</title>
<h1>This link is no longer valid</h1>
<p>Links to the resume work for a limited time. Ask the person who sent you this one for a new link, or get one yourself:
<code>GET /resume?format=pdf</code> with your token answers with a new one.</p>
</html>
`;
