import { Hono } from 'hono';
import type { SignIn } from '../../../operations/sign-in.ts';
import type { Connection } from '../../request.ts';
import { type FormGuard, formTokenField, noSession } from '../form.ts';
import { redirectTo, type Site } from '../page.ts';
import { addAvailabilityTo, type StatusFile } from './availability.ts';
import { addInboxTo, type Inbox } from './inbox/inbox.ts';
import { addMailTo, type OwnerMail } from './mail.ts';
import { addProfileTo, type ProfileState } from './profile.ts';
import type { Readers } from './readers/ports.ts';
import { addReadersTo } from './readers/readers.ts';
import { openDeskRouter } from './router.ts';
import { sessionCookieOf } from './session-cookie.ts';
import { openSignIn, toDeskPath } from './sign-in.ts';
import { askPage, type LinkWays } from './sign-in-pages.ts';
import { addTodayTo, type Today } from './today.ts';

/** What the sections of the desk use. */
export interface DeskPorts {
  readonly signIn: SignIn;
  readonly linkWays: (request: Request) => LinkWays;
  readonly today: Today;
  readonly readers: Readers;
  readonly inbox: Inbox;
  readonly statusFile: StatusFile;
  readonly profile: ProfileState;
  readonly mail: OwnerMail;
  now(): Date;
}

interface Options extends DeskPorts {
  readonly site: Site;
  readonly guard: FormGuard;
}

/** Opens the owner's desk: its six sections, and signing in. */
export function openDesk(options: Options): Hono<{ Bindings: Connection }> {
  const { site, guard, signIn, linkWays, inbox, mail } = options;
  const cookie = sessionCookieOf(site.baseUrl);
  const desk = openDeskRouter({
    site,
    guard,
    async sessionOf(request) {
      const secret = cookie.read(request);
      const id = secret === null ? null : await signIn.sessionOf(secret);
      return id === null ? null : { id };
    },
    askToSignIn: async (request) => {
      const { pathname, search } = new URL(request.url);
      return askPage({
        site,
        ways: linkWays(request),
        token: formTokenField(guard, noSession),
        path: toDeskPath(pathname + search),
        status: 403,
      });
    },
    pending: async () => ({ Inbox: await inbox.countUnread(), Mail: await mail.countDeadLetters() }),
  });
  addTodayTo(desk, options);
  addReadersTo(desk, options);
  addInboxTo(desk, options);
  addAvailabilityTo(desk, options);
  addProfileTo(desk, options);
  addMailTo(desk, options);

  desk.action('/desk/sign-out', async ({ session }) => {
    await signIn.signOut(session.id);
    return signedOut('here');
  });
  desk.action('/desk/sign-out-everywhere', async () => {
    await signIn.signOutEverywhere();
    return signedOut('everywhere');
  });
  const signedOut = (where: 'here' | 'everywhere') =>
    redirectTo(site.path(`/desk/sign-in?ended=${where}`), { 'set-cookie': cookie.clear() });

  const http = new Hono<{ Bindings: Connection }>({ strict: false });
  http.route('/', openSignIn({ site, guard, signIn, linkWays, cookie }));
  http.route('/', desk.http);
  return http;
}
