import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { createSignInLink } from '../../src/operations/owner/sign-in.ts';
import { samplePath } from '../../src/service/config/config.ts';
import { type Cleanup, newFolder } from './files.ts';
import { openTestService } from './in-process.ts';

type Service = Pick<Awaited<ReturnType<typeof openTestService>>, 'ask' | 'baseUrl' | 'opened'>;

/** Returns the form token of a page; the test fails if the page has none. */
export function formTokenOf(page: string): string {
  const [, token] = /name="form_token" value="([^"]+)"/.exec(page) ?? assert.fail(`no form: ${page}`);
  return token!;
}

/** Returns a request that a browser sends for a form of a page of ours. */
export const formPost = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
  body: new URLSearchParams(fields).toString(),
  redirect: 'manual',
});

/** Makes a link to a page of the desk, as the command `desk` does. */
export const printLink = ({ owner }: Service['opened'], path = '/desk') =>
  invokerFor(owner)(createSignInLink, { path });

/** Confirms a link to sign in, as a browser does; returns the Cookie header of the session. */
export async function confirmLink(
  url: string,
  ask: (url: string, init?: RequestInit) => Promise<Response> = fetch,
): Promise<string> {
  const link = new URL(url).searchParams.get('link') ?? assert.fail(url);
  const form_token = formTokenOf(await (await ask(url)).text());
  const confirmed = await ask(new URL('sign-in/confirm', url).href, formPost({ form_token, link }));
  assert.equal(confirmed.status, 303);
  return confirmed.headers.getSetCookie()[0]!.split(';')[0]!;
}

/** Signs the owner in at a service with a new link. */
export async function signIn({ ask, baseUrl, opened }: Service) {
  const { url } = await printLink(opened);
  const cookie = await confirmLink(url, (address, init) => ask(address.slice(baseUrl.length), init));

  const get = (path: string, headers: Record<string, string> = {}) => ask(path, { headers: { cookie, ...headers } });
  return {
    /** The Cookie header of the session. */
    cookie,
    /** Requests a page of the desk. */
    get,
    /** Posts a form with the token of a page, `/desk` unless another one is given. */
    async post(path: string, fields: Record<string, string> = {}, page = '/desk') {
      const token = formTokenOf(await (await get(page)).text());
      return ask(path, formPost({ form_token: token, ...fields }, { cookie }));
    },
  };
}

/** The text of the sample. */
export const sample = readFileSync(samplePath, 'utf8');

/** Opens a service with a profile file of its own, the sample unless another text is given, and signs its owner in. */
export async function openOwnDesk(
  t: Cleanup,
  text = sample,
  env: Record<string, string> = {},
  options: Parameters<typeof openTestService>[1] = {},
) {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, text);
  const service = await openTestService({ PROFILE: file, ...env }, options);
  t.after(service.close);
  const owner = await signIn(service);
  return {
    ...service,
    ...owner,
    file,
    /** Returns a page of the desk as text. */
    page: async (path: string) => (await owner.get(path)).text(),
    /** Returns the text of the file. */
    now: () => readFileSync(file, 'utf8'),
  };
}
