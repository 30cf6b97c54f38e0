import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { rowsOf } from './database.ts';
import { openTestService } from './in-process.ts';
import { postJson } from './post-json.ts';

/** A service with limits, to which requests come from any network address. */
export async function openLimited(t: TestContext, env: Record<string, string> = { LIMITS: '1' }) {
  const service = await openTestService(env);
  t.after(service.close);
  const from = (address: string, path: string, init?: RequestInit) =>
    service.app.fetch(new Request(service.baseUrl + path, init), { address, requestId: null });
  const askToken = (address: string, email = 'ada@example.org') => from(address, '/auth/token', postJson({ email }));
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  return {
    ...service,
    from,
    askToken,
    /** A visitor with a token, at a network address. */
    async visitor(email: string, address: string) {
      const answer = (await (await askToken(address, email)).json()) as { access_token: string };
      const headers = { authorization: `Bearer ${answer.access_token}` };
      return {
        token: answer.access_token,
        read: (path: string, more = {}) => from(address, path, { headers: { ...headers, ...more } }),
        head: (path: string) => from(address, path, { method: 'HEAD', headers }),
        write: (more: object = {}, key?: string) =>
          from(
            address,
            '/contact',
            postJson({ ...contact, ...more }, { ...headers, ...(key && { 'idempotency-key': key }) }),
          ),
        /** Begins a request; resolves once the service reads its body or has responded, with a function that sends the body and returns the response. */
        async begin(key: string) {
          const [reading, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<object>()];
          const body = new ReadableStream<Uint8Array>(
            {
              async pull(controller) {
                reading.resolve();
                controller.enqueue(new TextEncoder().encode(JSON.stringify({ ...contact, ...(await sent.promise) })));
                controller.close();
              },
            },
            { highWaterMark: 0 },
          );
          const init = postJson(null, { ...headers, 'idempotency-key': key });
          const answer = from(address, '/contact', { ...init, body, duplex: 'half' } as RequestInit);
          await Promise.race([reading.promise, answer]);
          return (more: object = {}) => {
            sent.resolve(more);
            return answer;
          };
        },
      };
    },
    count: (table: string) =>
      rowsOf(join(service.folder, 'candidate-profile.db'), `select count(*) as n from ${table}`)[0]?.n,
  };
}

/** Sends requests one after the other and counts the responses by status. */
export const statusesOf = async (times: number, ask: (n: number) => Promise<Response>) => {
  const statuses: Record<number, number> = {};
  for (let n = 0; n < times; n += 1) {
    const { status } = await ask(n);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
};
