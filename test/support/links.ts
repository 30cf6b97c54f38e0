import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLink } from '../../src/operations/owner/links.ts';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { rowsOf } from './database.ts';
import { type Cleanup, fixture, newFolder } from './files.ts';
import { openTestService } from './in-process.ts';
import { openVisitor } from './pages.ts';

/** A message as the form of a page sends it. */
export const message = { name: 'Ada King', email: 'ada@example.com', company: 'Engines', message: 'Shall we talk?' };

/** Writes a profile with the view `systems`, which has another title and no projects; returns its path. */
export function writeViewed(t: Cleanup): string {
  const file = join(newFolder(t), 'profile.yaml');
  const text = readFileSync(fixture('profile.yaml'), 'utf8');
  writeFileSync(file, `${text}\nviews:\n  systems:\n    title: Staff Engineer, Storage\n    hide: [projects]\n`);
  return file;
}

/** Opens a service whose owner makes links, and whose visitors open them. */
export async function openLinks(t: Cleanup, env: Record<string, string> = {}) {
  const service = await openTestService(env);
  t.after(service.close);
  const run = invokerFor(service.opened.owner);
  return {
    ...service,
    run,
    /** Makes a link that may write, to the whole profile. */
    async make(changes: Partial<Parameters<typeof makeLink.handle>[0]> = {}) {
      const asked = { name: 'Acme, staff engineer', view: 'all', until: null, may_write: true, ...changes };
      const { link, address } = await run(makeLink, asked);
      return { id: link.id, address, path: address.slice(service.baseUrl.length), code: address.slice(-22) };
    },
    /** Opens a link in a browser of its own; returns the browser, and the page that it gets to. */
    async openLink(path: string) {
      const visitor = openVisitor(service);
      const response = await visitor.post(path, {}, path);
      return { visitor, response, page: await response.text() };
    },
    query: (sql: string) => rowsOf(join(service.folder, 'candidate-profile.db'), sql),
    /** Reads a path with a token. */
    read: (token: string, path: string) => service.ask(path, { headers: { authorization: `Bearer ${token}` } }),
  };
}

/** The path of the signed link of a service's PDF, with its query. */
export async function signedLinkOf(service: Awaited<ReturnType<typeof openTestService>>): Promise<string> {
  const { url } = (await (await service.get('/resume?format=pdf')).json()) as { url: string };
  return url.slice(service.baseUrl.length);
}
