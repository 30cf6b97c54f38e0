import { Failure } from '../../model/failure.ts';
import { fileResponse } from './file-response.ts';
import { failureResponse } from './responses.ts';

/** Where the resume PDF is downloaded with a signed link. */
export const resumePath = '/files/resume.pdf';

/** The printed resume and whose it is; null where it could never be printed. */
interface Printed {
  readonly candidateName: string;
  pdf(): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The answer to a request for the resume PDF: 404 where the link is expired or tampered with, 503 where there is no PDF. */
export async function resumeResponse(request: Request, isLinkValid: boolean, printed: Printed): Promise<Response> {
  if (!isLinkValid) return expired(request);
  const bytes = await printed.pdf();
  if (bytes === null) return failureResponse(new Failure('UNAVAILABLE', 'The resume cannot be printed.'), request);
  return fileResponse({ bytes, type: 'application/pdf', name: fileNameOf(printed.candidateName) }, request);
}

/** Such as `Lena-Vasquez-resume.pdf`; nothing but letters, digits and hyphens of the name, which no system refuses. */
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
<p>Links to the resume work for a limited time. Ask whoever sent you this one for a fresh link, or get one yourself:
<code>GET /resume?format=pdf</code> with your token answers with a new one.</p>
</html>
`;
