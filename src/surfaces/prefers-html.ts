import { parseAccept } from 'hono/utils/accept';

/** Whether a request comes from a browser that shows pages: `text/html` is named, and JSON not preferred to it (RFC 9110, section 12.5.1). */
export function prefersHtml(request: Request): boolean {
  const accepted = parseAccept(request.headers.get('accept') ?? '');
  const weightOf = (type: string) => accepted.find((one) => one.type.toLowerCase() === type)?.q ?? 0;
  const html = Math.max(weightOf('text/html'), weightOf('application/xhtml+xml'));
  return html > 0 && html >= weightOf('application/json');
}
