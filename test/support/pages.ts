import type { openTestService } from './in-process.ts';

/** A service in this process or another. */
type Service = Pick<Awaited<ReturnType<typeof openTestService>>, 'ask'>;

/** What a browser sends with a navigation. */
const browser = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'same-origin' };

/** Returns the value of a hidden field of a page. */
export function hiddenField(page: string, name: string): string {
  const [, value] = page.match(new RegExp(`name="${name}" value="([^"]*)"`)) ?? [];
  if (value === undefined) throw new Error(`the page has no field ${name}`);
  return unescaped(value);
}

/** Returns the text of an element by its id, as a selection copies it. */
export function snippetOf(page: string, id: string): string {
  const [, content] = page.match(new RegExp(`<(?:pre|code)[^>]* id="${id}"[^>]*>(.*?)</(?:pre|code)>`, 's')) ?? [];
  if (content === undefined) throw new Error(`the page has no snippet ${id}`);
  return unescaped(content.replace(/<[^>]+>/g, ''));
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Opens a page as a browser does. */
export const openPage = (service: Service, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.ask(path, { headers: { ...browser, ...headers } });

/** Sends a form of the first page, with its form token, as a browser does. */
export async function postForm(
  service: Service,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const page = await (await openPage(service, '/')).text();
  const body = new URLSearchParams({ form_token: hiddenField(page, 'form_token'), ...fields });
  return service.ask(path, { method: 'POST', headers: { ...browser, ...headers }, body });
}

/** Returns what a person reads of a piece of HTML: its text, white space collapsed, without titles and closed details. */
export const textOf = (html: string): string =>
  html
    .replace(/^.*<main/s, '<main')
    .replaceAll(/<title>.*?<\/title>/gs, '')
    .replaceAll(/<\/?(q|bdi|strong|a|span|time|code|sup)\b[^>]*>/g, (tag) =>
      tag.startsWith('<q') ? '“' : tag === '</q>' ? '”' : '',
    )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
