import assert from 'node:assert/strict';
import { invokerFor } from '../../src/operations/owner/operation.ts';
import { createSignInLink } from '../../src/operations/owner/sign-in.ts';
import type { openTestService } from './in-process.ts';

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

/** Signs the owner in at a service with a new link, as a browser does. */
export async function signIn({ ask, baseUrl, opened }: Service) {
  const link = new URL((await printLink(opened)).url);
  const path = link.href.slice(baseUrl.length);
  const form_token = formTokenOf(await (await ask(path)).text());
  const confirmed = await ask('/desk/sign-in/confirm', formPost({ form_token, link: link.searchParams.get('link')! }));
  const [cookie = ''] = confirmed.headers.getSetCookie().map((one) => one.split(';')[0]!);
  assert.notEqual(cookie, '', 'not signed in');

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
