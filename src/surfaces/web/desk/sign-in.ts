import { Hono } from 'hono';
import type { SignIn } from '../../../operations/sign-in.ts';
import type { Connection } from '../../request.ts';
import { type FormGuard, formTokenField, type KeptFields, noSession, takeForm } from '../form.ts';
import { redirectTo, type Site } from '../page.ts';
import type { sessionCookieOf } from './session-cookie.ts';
import { askPage, confirmPage, type LinkWays, linkFaultPage, sentPage } from './sign-in-pages.ts';

interface Options {
  readonly site: Site;
  readonly guard: FormGuard;
  readonly signIn: SignIn;
  readonly linkWays: (request: Request) => LinkWays;
  readonly cookie: ReturnType<typeof sessionCookieOf>;
}

/** Opens the pages that lead to a session: ask for a link, confirm it. */
export function openSignIn({ site, guard, signIn, linkWays, cookie }: Options): Hono<{ Bindings: Connection }> {
  const http = new Hono<{ Bindings: Connection }>({ strict: false });
  const token = () => formTokenField(guard, noSession);

  // GET and HEAD use nothing: mail scanners open every link.
  http.get('/desk/sign-in', async ({ req }) => {
    const secret = req.query('link');
    if (secret === undefined) {
      const done = ended.get(req.query('ended') ?? '');
      return askPage({ site, ways: linkWays(req.raw), token: token(), path: toDeskPath(req.query('to')), done });
    }
    const state = await signIn.check(secret);
    return state === 'valid' ? confirmPage({ site, token: token(), secret }) : linkFaultPage({ site, fault: state });
  });

  const onForm = (path: string, act: (fields: URLSearchParams, from: string | null) => Promise<Response>) =>
    http.post(path, ({ req, env }) =>
      takeForm(req.raw, env.address, { site, guard, kept }, (fields) => act(fields, env.address)),
    );

  onForm('/desk/sign-in', async (fields, from) => {
    await signIn.mailLink(toDeskPath(fields.get('to')), from);
    return redirectTo(site.path('/desk/sign-in/sent'));
  });

  http.get('/desk/sign-in/sent', ({ req }) => sentPage(site, linkWays(req.raw)));

  // The secret is in a field: no address of a request that does something has it.
  onForm('/desk/sign-in/confirm', async (fields, from) => {
    const confirmed = await signIn.confirm(fields.get('link') ?? '', from);
    if (typeof confirmed === 'string') return linkFaultPage({ site, fault: confirmed });
    // A new secret at each sign-in: a cookie that someone else has set is never taken over.
    return redirectTo(site.path(confirmed.path), { 'set-cookie': cookie.write(confirmed.session) });
  });
  return http;
}

/** What the page says after signing out, by the query parameter `ended`. */
const ended: ReadonlyMap<string, string> = new Map([
  ['here', 'You are signed out in this browser.'],
  ['everywhere', 'You are signed out, in this browser and in all others.'],
]);

const maxPathLength = 500;

const kept: KeptFields = {
  to: { limit: maxPathLength, isHidden: true },
  link: { limit: 100, isHidden: true },
};

/** Returns the page of the desk to go on to, the first one unless the text is the path of another. */
export function toDeskPath(text: string | null | undefined): string {
  const base = 'http://desk';
  if (text == null || text.length > maxPathLength || !URL.canParse(text, base)) return '/desk';
  const { pathname, search } = new URL(text, base);
  return /^\/desk(\/(?!sign-)|$)/.test(pathname) ? pathname + search : '/desk';
}
