/** Where a Redis is. Of a cluster some of its nodes, from which a client learns the others. */
export type RedisAddress =
  | { readonly kind: 'single'; readonly url: string }
  | { readonly kind: 'cluster'; readonly nodes: readonly ClusterAddress[]; readonly access: ClusterAccess };

type ClusterAddress = { readonly host: string; readonly port: number };

type ClusterAccess = {
  readonly username?: string;
  readonly password?: string;
  readonly isTls: boolean;
};

const CLUSTER = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/?#]+)\/?$/;
const NODE = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const USUAL_PORT = 6379;
const PORT_MAX = 65_535;

/**
 * Reads `redis://…` or `rediss://…` as one server, and `redis+cluster://[user:password@]host[:port],host[:port]` or
 * `rediss+cluster://…` as a cluster. Throws `RangeError`, without the password in its text.
 */
export function readRedisUrl(text: string): RedisAddress {
  const [, scheme, credentials, listed] = CLUSTER.exec(text) ?? [];
  if (listed === undefined) {
    if (!/^rediss?:\/\//.test(text))
      throw new RangeError('an address of Redis begins with redis://, rediss://, redis+cluster:// or rediss+cluster://');
    return { kind: 'single', url: text };
  }
  return {
    kind: 'cluster',
    nodes: listed.split(',').map(readNode),
    access: { ...readCredentials(credentials), isTls: scheme === 'rediss' },
  };
}

function readNode(text: string): ClusterAddress {
  const [, host, digits] = NODE.exec(text) ?? [];
  const port = digits === undefined ? USUAL_PORT : Number(digits);
  if (host === undefined || port < 1 || port > PORT_MAX) throw new RangeError(`${text} is no node of a cluster: give host:port`);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

function readCredentials(text: string | undefined): Pick<ClusterAccess, 'username' | 'password'> {
  if (text === undefined || text === '') return {};
  const at = text.indexOf(':');
  const username = decodeURIComponent(at < 0 ? text : text.slice(0, at));
  const password = at < 0 ? undefined : decodeURIComponent(text.slice(at + 1));
  return { ...(username === '' ? {} : { username }), ...(password === undefined ? {} : { password }) };
}
