import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { confirmLink, formPost, formTokenOf, printLink } from './desk.ts';
import { openTab } from './editor-desk.ts';
import { newFolder } from './files.ts';
import { openTestService } from './in-process.ts';

export const setupCode = 'seven swift otters 41';

/** Opens a service without a profile, as a container with an empty volume does; its file would be `file`. */
export async function openSetup(t: TestContext, env: Record<string, string> = {}) {
  const file = join(newFolder(t), 'profile.yaml');
  const settings = { PROFILE: file, OWNER_EMAIL: 'owner@example.net', SETUP_CODE: setupCode, ...env };
  const service = await openTestService(settings);
  t.after(service.close);
  const { app, ask, baseUrl } = service;

  /** Enters a code at the desk, from a network address; returns the response. */
  async function enter(code: string, address = '192.0.2.1'): Promise<Response> {
    const form_token = formTokenOf(await (await ask('/desk')).text());
    const request = new Request(`${baseUrl}/desk/sign-in/code`, formPost({ form_token, code }));
    return app.fetch(request, { address, requestId: null });
  }

  const browserOf = (cookie: string) => {
    const get = (path: string) => ask(path, { headers: { cookie }, redirect: 'manual' });
    /** Writes a text as the whole profile; returns a function that publishes it. */
    async function prepare(text: string) {
      const page = await (await get('/desk/profile/yaml')).text();
      const [, revision = ''] = /name="revision" value="([^"]*)"/.exec(page)!;
      const fields = { form_token: formTokenOf(page), revision, text };
      await ask('/desk/profile/yaml/save', formPost(fields, { cookie }));
      const tab = openTab({ ask }, { cookie });
      const { revision: written } = await tab.copy();
      return () => tab.send('publish', 'POST', { revision: written });
    }
    return {
      cookie,
      get,
      async post(path: string, fields: Record<string, string>, page: string) {
        const form_token = formTokenOf(await (await get(page)).text());
        return ask(path, formPost({ form_token, ...fields }, { cookie }));
      },
      prepare,
      /** Publishes a text as the whole profile; returns the answer. */
      publish: async (text: string) => (await prepare(text))(),
    };
  };

  return {
    ...service,
    file,
    settings,
    enter,
    /** Signs in with the code, in a browser of its own. */
    async signInByCode() {
      const response = await enter(setupCode);
      return browserOf(response.headers.getSetCookie()[0]!.split(';')[0]!);
    },
    /** Signs in with a link, in a browser of its own. */
    async signInByLink() {
      const { url } = await printLink(service.opened);
      return browserOf(await confirmLink(url, (address, init) => ask(address.slice(baseUrl.length), init)));
    },
  };
}
