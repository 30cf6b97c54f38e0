import type { Hono } from 'hono';
import { Failure } from '../../../model/failure.ts';
import { operations } from '../../../operations/index.ts';
import { invoke, toInput } from '../../../operations/invoke.ts';
import { offeredIn } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import { toTool } from '../../mcp/catalogue.ts';
import type { Connection } from '../../request.ts';
import { failureResponse } from '../../rest/responses.ts';
import type { VisitorSession, VisitorSessions } from './visitor-sessions.ts';

/** Where the page of the profile finds the tools that it registers in a browser with WebMCP. */
export const toolsPath = '/profile/tools';

/**
 * Routes the list of the tools that read, and their calls, for the script of the page. The session of the page is the
 * credential, because the REST API ignores cookies; so pages of other sites are refused.
 */
export function addToolsTo(
  http: Hono<{ Bindings: Connection }>,
  { services, browsers }: { readonly services: Services; readonly browsers: VisitorSessions },
): void {
  const readsOffered = ({ visitor }: VisitorSession) =>
    offeredIn(operations, services.edition(visitor.token).profile).filter(({ kind }) => kind === 'read');

  async function respond(
    request: Request,
    connection: Connection,
    answer: (visit: VisitorSession) => Promise<object> | object,
  ): Promise<Response> {
    try {
      if (request.headers.get('sec-fetch-site') !== 'same-origin') throw new Failure('FORBIDDEN');
      const visit = await browsers.find(request, connection);
      if (visit === null) throw new Failure('UNAUTHORIZED');
      return Response.json(await answer(visit), { headers: { 'cache-control': 'no-store', vary: 'Cookie' } });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return failureResponse(error, request);
    }
  }

  http.get(toolsPath, ({ req, env }) =>
    respond(req.raw, env, (visit) =>
      readsOffered(visit)
        .map(toTool)
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    ),
  );

  http.get(`${toolsPath}/:name`, ({ req, env }) =>
    respond(req.raw, env, async (visit) => {
      const operation = readsOffered(visit).find(({ name }) => name === req.param('name'));
      if (operation === undefined) throw new Failure('NOT_FOUND');
      const input = () => toInput(operation.input, (field) => req.queries(field) ?? []);
      const { data, pretty } = await invoke(operation, { surface: 'webmcp', caller: visit.visitor, input }, services);
      return { content: [{ type: 'text', text: pretty }], structuredContent: { data } };
    }),
  );
}
