import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cleanup, newFolder } from './files.ts';
import { openTestService } from './in-process.ts';

/** A service in this process or another. */
type Service = Pick<Awaited<ReturnType<typeof openTestService>>, 'ask'>;

/** Opens the service until a test ends. With a text, that is the profile which it serves. */
export async function openUntilEnd(
  t: Cleanup,
  env: Record<string, string> = {},
  profile?: string,
  options?: Parameters<typeof openTestService>[1],
) {
  const PROFILE = profile === undefined ? undefined : join(newFolder(t), 'profile.yaml');
  if (PROFILE !== undefined) writeFileSync(PROFILE, profile!);
  const service = await openTestService({ ...(PROFILE !== undefined && { PROFILE }), ...env }, options);
  t.after(service.close);
  return service;
}

/** The headers that a browser sends with a navigation. */
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

/** A text of HTML as a browser reads it. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Opens a page as a browser does. */
export const openPage = (service: Service, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  service.ask(path, { headers: { ...browser, ...headers } });

/** A browser without JavaScript: it keeps the cookies that it is given, and follows redirects. */
export function openVisitor(service: Service, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await service.ask(path, {
      redirect: 'manual',
      ...init,
      headers: { ...browser, ...headers, ...(cookie !== '' && { cookie }), ...(init.headers as object) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=');
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  async function follow(response: Response): Promise<Response> {
    const location = response.headers.get('location');
    if (response.status !== 303 || location === null) return response;
    return follow(await send(location));
  }
  const visitor = {
    cookies,
    /** Sends one request, and follows no redirect. */
    send,
    get: async (path: string) => follow(await send(path)),
    /** Sends a form with the form token of a page, `/` unless another one is given. */
    async post(path: string, fields: Record<string, string> = {}, page = '/'): Promise<Response> {
      const shown = await (await visitor.get(page)).text();
      const body = new URLSearchParams({ form_token: hiddenField(shown, 'form_token'), ...fields });
      return follow(await send(path, { method: 'POST', body }));
    },
    /** Enters an address on the first page, and returns the profile. */
    getAccess: (email = 'ada@example.com', fields: Record<string, string> = {}) =>
      visitor.post('/', { email, ...fields }),
    /** Asks to see the token, and returns it. */
    showToken: async () => snippetOf(await (await visitor.post('/profile/token')).text(), 'token'),
  };
  return visitor;
}

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
  unescaped(
    html
      .replace(/^.*<main/s, '<main')
      .replaceAll(/<title>.*?<\/title>/gs, '')
      .replaceAll(/<\/?(q|bdi|strong|em|a|span|time|code|sup)\b[^>]*>/g, (tag) =>
        tag.startsWith('<q') ? '“' : tag === '</q>' ? '”' : '',
      )
      .replaceAll(/<[^>]*>/g, ' '),
  )
    .replaceAll(/\s+/g, ' ')
    .trim();
