import { Hono } from 'hono';
import { Failure } from '../../../model/failure.ts';
import { countPending } from '../../../operations/owner/desk.ts';
import { invokerFor } from '../../../operations/owner/operation.ts';
import type { DeskServices } from '../../../operations/owner/services.ts';
import { signOut, signOutEverywhere } from '../../../operations/owner/sign-in.ts';
import type { SignIn } from '../../../operations/sign-in.ts';
import type { Connection } from '../../request.ts';
import type { FormGuard } from '../form.ts';
import { redirectTo, type Site } from '../page.ts';
import { sessionCookieOf } from '../session-cookie.ts';
import { addChangesTo } from './editor/changes.ts';
import { addHistoryTo } from './editor/history.ts';
import { addImportTo } from './editor/import.ts';
import { addPhotoTo } from './editor/photo.ts';
import { addPreviewTo } from './editor/preview.ts';
import { addProposalsTo } from './editor/proposals.ts';
import { addYamlTo } from './editor/yaml.ts';
import { addInboxTo } from './inbox.ts';
import { addMailTo } from './mail.ts';
import { addPrintsTo } from './prints.ts';
import { addProfileTo } from './profile.ts';
import { addReadersTo } from './readers.ts';
import { type Desk, openDeskRouter } from './router.ts';
import { addShareTo } from './share.ts';
import { askPage, type LinkWays, openSignIn, toDeskPath } from './sign-in.ts';
import { addTodayTo } from './today.ts';

export interface DeskPorts extends Pick<Desk, 'commands'> {
  readonly services: DeskServices;
  readonly signIn: SignIn;
  readonly linkWays: (request: Request) => LinkWays;
  /** Whether there is a profile; until then, the desk has only the pages that make one. */
  readonly hasProfile: () => boolean;
}

export interface DeskOptions extends DeskPorts {
  readonly site: Site;
  readonly guard: FormGuard;
  /** Responds to a request that no page answers. */
  readonly fail: (failure: Failure, request: Request) => Response | Promise<Response>;
}

/** Opens the owner's desk: its six sections, and signing in. */
export function openDesk(options: DeskOptions) {
  const { site, guard, fail, services, signIn, hasProfile, commands } = options;
  const cookie = sessionCookieOf(site.baseUrl, 'desk');
  const run = invokerFor(services);
  async function sessionOf(request: Request) {
    const secret = cookie.read(request);
    return secret === null ? null : signIn.sessionOf(secret);
  }
  const desk = openDeskRouter({
    site,
    guard,
    now: services.now,
    sessionOf,
    hasProfile,
    askToSignIn(request) {
      const { pathname, search } = new URL(request.url);
      return askPage(options, request, toDeskPath(pathname + search), { status: 403 });
    },
    async pending() {
      const { unread, dead_letters } = await run(countPending, {});
      return { Inbox: unread, Mail: dead_letters };
    },
  });
  const shared: Desk = { site, run, commands, waitMilliseconds: services.waitMilliseconds, imports: new Map() };
  const sections = [addTodayTo, addReadersTo, addInboxTo, addShareTo, addProfileTo, addMailTo];
  const editor = [
    addChangesTo,
    addPreviewTo,
    addPrintsTo,
    addYamlTo,
    addHistoryTo,
    addProposalsTo,
    addImportTo,
    addPhotoTo,
  ];
  for (const addTo of [...sections, ...editor]) addTo(desk, shared);

  desk.early.action('/desk/sign-out', async ({ session }) => {
    await run(signOut, { session: session.id });
    return signedOut('here');
  });
  desk.early.action('/desk/sign-out-everywhere', async () => {
    await run(signOutEverywhere, {});
    return signedOut('everywhere');
  });
  const signedOut = (where: 'here' | 'everywhere') =>
    redirectTo(site.path(`/desk/sign-in?ended=${where}`), { 'set-cookie': cookie.clear() });

  const http = new Hono<{ Bindings: Connection }>({ strict: false });
  http.route('/', openSignIn(options, cookie));
  http.route('/', desk.http);
  http.notFound(async ({ req }) => fail(new Failure('NOT_FOUND'), req.raw));
  // The service logs it, and responds.
  http.onError((error) => {
    throw error;
  });
  return http;
}
