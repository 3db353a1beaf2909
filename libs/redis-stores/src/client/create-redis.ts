import { Redis as SingleRedis } from 'ioredis';
import { readRedisUrl, type RedisAddress } from './read-redis-url';
import { RedisCluster } from './redis-cluster';

/** The part of a logger that this library needs. */
export type RedisLog = {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
};

/** A connection to one server, or to all nodes of a cluster. */
export type Redis = SingleRedis | RedisCluster;

/** Parts of it may be away by themselves. */
export function isCluster(redis: Redis): redis is RedisCluster {
  return redis instanceof RedisCluster;
}

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_MS_MAX = 2_000;
/** What moved to another node is learnt from the node that had it; nodes that are new or gone, from looking. */
const LOOK_AT_NODES_MS = 5_000;

/**
 * A connection that comes back by itself. While Redis is away a command fails within two seconds, so that nothing piles
 * up in memory: everything kept here has a slower way round. See `readRedisUrl` for what `url` may be.
 */
export function createRedis(url: string, log: RedisLog): Redis {
  const address = readRedisUrl(url);
  const redis = address.kind === 'single' ? createSingle(address.url) : createCluster(address);
  const name = `Redis at ${describeAddress(address)}`;
  let isAway = false;
  redis.on('error', (error: Error) => {
    // One line for each outage, not for each attempt.
    if (!isAway) log.warn({ error, waitingFor: 'redis' }, `waiting for ${name}: it cannot be reached`);
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({}, `${name} is there`);
    isAway = false;
  });
  return redis;
}

/** Without the user and the password. */
function describeAddress(address: RedisAddress): string {
  if (address.kind === 'cluster') return address.nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  const { hostname, port } = new URL(address.url);
  return `${hostname}:${port === '' ? '6379' : port}`;
}

/** A check of health: rejects while Redis cannot be asked. Of a cluster, one node is. */
export function createRedisCheck(redis: Redis): () => Promise<null> {
  return async () => {
    await redis.ping();
    return null;
  };
}

const retryDelay = (attempt: number): number => Math.min(RETRY_MS_MAX, 50 * 2 ** Math.min(attempt, 6));

function createSingle(url: string): SingleRedis {
  return new SingleRedis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    // Not the client's own gathering of commands: it costs a lone one more than the write it saves, and no less under load.
    keepAlive: 10_000,
    retryStrategy: retryDelay,
    reconnectOnError: (error) => error.message.startsWith('READONLY'), // a failover left us with the old primary
  });
}

function createCluster({ nodes, access: { isTls, ...access } }: Extract<RedisAddress, { kind: 'cluster' }>): RedisCluster {
  const options = {
    clusterRetryStrategy: retryDelay,
    slotsRefreshInterval: LOOK_AT_NODES_MS,
    // A tenth of a second apart where a node is gone or a slot is moving.
    maxRedirections: 6,
    // Names stay names, so that they are what certificates are checked for.
    dnsLookup: (name: string, found: (error: null, address: string) => void) => found(null, name),
    redisOptions: {
      ...access,
      ...(isTls ? { tls: {} } : {}),
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      keepAlive: 10_000,
    },
  };
  return new RedisCluster([...nodes], options, { commandTimeoutMs: COMMAND_TIMEOUT_MS });
}
