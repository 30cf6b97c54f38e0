import { readFileSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { openHttpServer } from '../../src/adapters/http/server.ts';
import type { App } from '../../src/service/app.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { rowsOf } from '../support/database.ts';
import { type Cleanup, newFolder } from '../support/files.ts';
import { openTestService } from '../support/in-process.ts';
import { openInbox } from '../support/inbox.ts';
import { postJson } from '../support/post-json.ts';

interface ServedOptions extends Pick<NonNullable<Parameters<typeof openTestService>[1]>, 'openPrinter'> {
  readonly env?: Record<string, string>;
  /** The text of the profile; null if its file does not exist. */
  readonly document?: string | null;
  /** The port; any that is free unless given. */
  readonly port?: number;
  /** As `openInbox` takes it. */
  answer?(email: Email): Promise<void>;
}

/** Serves the whole service from this process, with a mail server and the sample in a file of its own, unless another text is given. */
export async function openServed(
  t: Cleanup,
  {
    env = {},
    document = readFileSync(samplePath, 'utf8'),
    port = 0,
    answer = async () => {},
    ...printing
  }: ServedOptions = {},
) {
  const { promise: opened, resolve: setOpened } = Promise.withResolvers<App>();
  // The port comes first: it is part of every address.
  const server = await openHttpServer(
    {
      ...{ host: '127.0.0.1', port, tls: undefined, isHttps: false, trustProxy: new BlockList() },
      ...{ socketsPerAddress: 1_000, onRefused() {}, onMalformed() {} },
    },
    async (request, connection) => (await opened).fetch(request, connection),
  );
  const url = `http://127.0.0.1:${server.port}`;
  const inbox = await openInbox(t, { answer });
  const profile = join(newFolder(t), 'profile.yaml');
  if (document !== null) writeFileSync(profile, document);
  const mail = { OWNER_EMAIL: 'owner@example.net', SMTP_URL: inbox.url, MAIL_FROM: 'site@example.net' };
  const service = await openTestService({ BASE_URL: url, PROFILE: profile, ...mail, ...env }, printing);
  setOpened(service.app);
  t.after(async () => {
    await server.close(0);
    await service.close();
  });
  const database = join(service.folder, 'candidate-profile.db');
  return {
    ...{ url, inbox, profile, database, opened: service.opened },
    /** The text of the file. */
    text: () => readFileSync(profile, 'utf8'),
    token: async (email = 'visitor@example.org') =>
      ((await (await fetch(`${url}/auth/token`, postJson({ email }))).json()) as { access_token: string }).access_token,
    rows: (query: string) => rowsOf(database, query),
  };
}

export type Served = Awaited<ReturnType<typeof openServed>>;
