import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type LookupFunction, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type AddressesOf = (hostname: string) => Promise<readonly LookupAddress[]>;

/** How long a connection waits for a name server if the host had addresses before. */
const patienceMilliseconds = 200;

/**
 * Returns a function that resolves one host as `resolve` does, which it asks for each connection, but not again while that is not
 * answered. If the answer takes longer than 200 ms, or is an error, it returns the latest addresses that are known, if any: a database
 * is reached while a name server is silent, and at its new addresses once a name server tells them.
 */
export function remembering(resolve: AddressesOf): AddressesOf {
  let known: readonly LookupAddress[] | undefined;
  let asked: { readonly answer: Promise<readonly LookupAddress[]>; readonly patience: Promise<void> } | undefined;

  async function ask(hostname: string): Promise<readonly LookupAddress[]> {
    try {
      known = await resolve(hostname);
      return known;
    } finally {
      asked = undefined;
    }
  }

  return async (hostname) => {
    asked ??= { answer: ask(hostname), patience: pause(patienceMilliseconds, undefined, { ref: false }) };
    const { answer, patience } = asked;
    const latest = known;
    if (latest === undefined) return answer;
    return Promise.race([answer.catch(() => latest), patience.then(() => latest)]);
  };
}

/** Returns a function that makes a socket for `pg`, which connects it to a port of the host, or to the path of a Unix socket. */
export function socketsOfHost(addressesOf: AddressesOf = remembering((hostname) => lookup(hostname, { all: true }))) {
  const lookUp: LookupFunction = (hostname, _options, callback) =>
    void addressesOf(hostname).then(
      (addresses) => callback(null, [...addresses]),
      (error) => callback(error, []),
    );
  return (): Socket => {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    const connectTo = (port: number | string, host?: string) =>
      // Of several addresses each is tried. The name itself goes to TLS, which verifies the certificate by it.
      host === undefined
        ? connect(String(port))
        : connect({ port: Number(port), host, lookup: lookUp, autoSelectFamily: true });
    return Object.assign(socket, { connect: connectTo });
  };
}
