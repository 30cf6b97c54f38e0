import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openUntilEnd } from '../support/pages.ts';

// The checks of the open scanner PromptMention/isitagentready (November 2026), by its names: the same requests, and at
// least its conditions.

const service = await openUntilEnd({ after }, { OAUTH: 'on' });
const withoutOauth = await openUntilEnd({ after }, { OAUTH: 'off' });

type Ask = typeof service.ask;

/** As `fetch` of Node asks: the scanner gives Accept for Markdown alone. */
const get = (ask: Ask, path: string, accept = '*/*') => ask(path, { headers: { accept } });

const isFound = (path: string, type: string) => async (ask: Ask) => {
  const { status, headers } = await get(ask, path);
  return status === 200 && headers.get('content-type')!.startsWith(type);
};

const isAnyFound = async (ask: Ask, paths: readonly string[]) =>
  (await Promise.all(paths.map((path) => isFound(path, 'application/json')(ask)))).includes(true);

const checks: Record<string, (ask: Ask) => Promise<boolean>> = {
  'robots-txt': async (ask) => {
    const robots = await get(ask, '/robots.txt');
    const isText = robots.headers.get('content-type')!.startsWith('text/plain');
    return robots.status === 200 && isText && /^user-agent:/im.test(await robots.text());
  },
  sitemap: async (ask) => {
    const [, address] = /^sitemap:\s*(\S+)$/im.exec(await (await get(ask, '/robots.txt')).text()) ?? [];
    const sitemap = await get(ask, address!.replace(service.baseUrl, ''));
    return (
      sitemap.status === 200 && (await sitemap.text()).startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<urlset ')
    );
  },
  'link-headers': async (ask) => (await get(ask, '/')).headers.has('link'),
  'markdown-negotiation': async (ask) => {
    const { status, headers } = await get(ask, '/', 'text/markdown');
    return status === 200 && headers.get('content-type')!.includes('text/markdown');
  },
  'api-catalog': isFound('/.well-known/api-catalog', 'application/linkset+json'),
  'oauth-authorization-server': (ask) =>
    isAnyFound(ask, ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']),
  'oauth-protected-resource': isFound('/.well-known/oauth-protected-resource', 'application/json'),
  'mcp-server-card': isFound('/.well-known/mcp/server-card.json', 'application/mcp-server-card+json'),
  'agent-skills-index': isFound('/.well-known/agent-skills/index.json', 'application/json'),
};

const passed = async (ask: Ask) => {
  const results = await Promise.all(Object.entries(checks).map(async ([id, run]) => [id, await run(ask)] as const));
  return results.flatMap(([id, hasPassed]) => (hasPassed ? [id] : []));
};

test('each check of the open scanner passes that applies to a profile', async () => {
  assert.deepEqual(await passed(service.ask), Object.keys(checks));
});

test('with OAUTH=off exactly the checks of OAuth do not apply', async () => {
  const others = Object.keys(checks).filter((id) => !id.startsWith('oauth-'));
  assert.deepEqual(await passed(withoutOauth.ask), others);
});
