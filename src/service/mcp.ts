import { scaledCount } from '../model/quota.ts';
import { operations } from '../operations/index.ts';
import type { McpHttp } from '../surfaces/mcp/http.ts';
import type { HostPolicy } from '../surfaces/request.ts';
import { keepLatest, type PublicHandler } from '../surfaces/rest/documents.ts';
import { version } from '../version.ts';
import type { OpenServices } from './services.ts';

/** Opens `/mcp`. The SDK is loaded at the first request: it would take a tenth of a start. */
export function openMcp({ config, baseUrl, services, log, ...opened }: OpenServices, policy: HostPolicy) {
  let http: McpHttp | undefined;
  let isDraining = false;
  async function open(): Promise<PublicHandler> {
    const { guard, openMcpHttp, subscriptionLimits } = await import('../surfaces/mcp/http.ts');
    const { perSubject, perBlock, total } = subscriptionLimits;
    const { limits, mcpMutations: mutations } = config;
    http = openMcpHttp({
      ...{ operations, services, mutations, baseUrl, version, log },
      subscriptionLimits: {
        perSubject: scaledCount(perSubject, limits),
        perBlock: scaledCount(perBlock, limits),
        total: scaledCount(total, limits),
      },
    });
    if (isDraining) await http.endSubscriptions();
    const serve = http.answer;
    return (request, connection) => guard(request, connection, { policy, services, serve });
  }
  const latest = keepLatest<PublicHandler>();
  opened.onTokensRefreshed(() => http?.endUnauthorized());
  opened.onChanges((changes) => http?.notify(changes));
  const respond: PublicHandler = async (...request) => (await latest('', open))(...request);
  return {
    respond,
    async drain(): Promise<void> {
      isDraining = true;
      await http?.endSubscriptions();
    },
  };
}
