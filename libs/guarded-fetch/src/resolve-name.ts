import { Resolver } from 'node:dns/promises';

/** All IPv4 and IPv6 addresses of a name; empty when it has none. Never rejects. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

const ATTEMPT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers of this machine, or those given (`host:port`). Neither the machine's own list of hosts nor its
 * search domains are looked at: they name what is inside.
 */
export function createNameResolver(servers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const ask = (question: Promise<string[]>): Promise<string[]> => question.catch(() => []);
  return async (name) => {
    const [v4, v6] = await Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
    return [...v4, ...v6];
  };
}
