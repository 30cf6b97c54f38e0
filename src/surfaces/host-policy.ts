/** The Host and Origin headers that `/mcp` and the forms of the pages accept; `isLocal` tells whether a host name always means this machine. */
export interface HostPolicy {
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  isLocal(hostname: string): boolean;
}

/** Returns the policy that accepts the host and origin of the base URL, and those that the owner adds. */
export function hostPolicyOf(
  baseUrl: string,
  hosts: readonly string[],
  origins: readonly string[],
  isLocal: HostPolicy['isLocal'],
): HostPolicy {
  const { host, origin } = new URL(baseUrl);
  return { hosts: [host, ...hosts], origins: [origin, ...origins], isLocal };
}

/** Whether a host name, with or without its port, is accepted. */
export const acceptsHost = ({ hosts, isLocal }: HostPolicy, { host, hostname }: URL): boolean =>
  isLocal(hostname) || hosts.includes(host) || hosts.includes(hostname);

/** Whether an Origin header is accepted, or absent. A local page is accepted if the service is local, too. */
export function acceptsOrigin({ origins, isLocal }: HostPolicy, origin: string | null): boolean {
  if (origin === null || origins.includes(origin)) return true;
  const isServedLocally = isLocal(new URL(origins[0]!).hostname);
  return isServedLocally && URL.canParse(origin) && isLocal(new URL(origin).hostname);
}
