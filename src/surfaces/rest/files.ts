import { Failure } from '../../model/failure.ts';
import { etagOf } from './documents.ts';
import { anyOrigin, failureResponse, matchesEtag } from './responses.ts';

/** The paths of signed links: to the resume as a PDF and for Word, to the contact as a vCard, and to the photo. */
export const resumePath = '/files/resume.pdf';
export const docxPath = '/files/resume.docx';
export const contactPath = '/files/contact.vcf';
export const photoPath = '/files/photo';

/** Returns a file name such as `Lena-Vasquez-resume.pdf`, in letters, digits and hyphens for every file system. */
export function fileNameOf(candidateName: string, name: string): string {
  const words = candidateName.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...Array.from(words.join('-')).slice(0, 60), ...(words.length > 0 ? '-' : ''), name].join('');
}

/** A file to serve; `name` is the file name for browsers, in letters and digits of any script, `.`, `-` and `_`. */
export interface ServedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly name: string;
}

/** Responds to GET and HEAD of a file: 304 if the client has it, 206 or 416 for a range (RFC 9110, section 14). */
export function fileResponse({ bytes, type, name }: ServedFile, request: Request): Response {
  const etag = etagOf(bytes);
  const headers = {
    // Anybody with the link may read the file, also a page of another site.
    ...anyOrigin,
    'access-control-expose-headers': 'Accept-Ranges, Content-Disposition, Content-Range, ETag, X-Request-Id',
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    // No restriction on what is loaded: browsers' PDF viewers are pages themselves.
    'content-security-policy': "base-uri 'none'; frame-ancestors 'none'",
  };
  if (matchesEtag(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  const range = rangeOf(request, etag, bytes.length);
  if (range === 'unsatisfiable') {
    const refusal = failureResponse(new Failure('RANGE_NOT_SATISFIABLE'), request);
    refusal.headers.set('content-range', `bytes */${bytes.length}`);
    return refusal;
  }
  const { first, last } = range ?? { first: 0, last: bytes.length - 1 };
  return new Response(bytes.subarray(first, last + 1), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-type': type,
      'content-disposition': dispositionOf(name),
      'content-length': String(last + 1 - first),
      ...(range ? { 'content-range': `bytes ${first}-${last}/${bytes.length}` } : {}),
    },
  });
}

/** Returns the requested range; null for the whole file, also if the header is invalid or has several ranges. */
function rangeOf({ method, headers }: Request, etag: string, length: number) {
  const condition = headers.get('if-range');
  const [, first, last] = headers.get('range')?.match(/^bytes=(\d{0,15})-(\d{0,15})$/i) ?? [];
  if (method !== 'GET' || (condition !== null && condition !== etag) || first === undefined) return null;
  if (first === '') {
    if (last === '') return null;
    return Number(last) === 0 ? 'unsatisfiable' : { first: Math.max(0, length - Number(last)), last: length - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= length) return 'unsatisfiable';
  return { first: Number(first), last: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}

/** Content-Disposition inline, with the name in ASCII too, for clients without `filename*` (RFC 6266). */
function dispositionOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\w.-]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-/, '');
  return `inline; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`}`;
}
