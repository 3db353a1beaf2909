import { Redis } from 'ioredis';

/** The part of a logger that this library needs. */
export type RedisLog = {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
};

export type { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 3_000;
const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_MS_MAX = 2_000;

/**
 * A connection that comes back by itself. While Redis is away a command fails within two seconds, so that nothing piles
 * up in memory: everything kept here has a slower way round.
 */
export function createRedis(url: string, log: RedisLog): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
    // Not the client's own gathering of commands: it costs a lone one more than the write it saves, and no less under load.
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(RETRY_MS_MAX, 50 * 2 ** Math.min(attempt, 6)),
    reconnectOnError: (error) => error.message.startsWith('READONLY'), // a failover left us with the old primary
  });
  let isAway = false;
  redis.on('error', (error: Error) => {
    // One line for each outage, not for each attempt.
    if (!isAway) log.warn({ error }, 'redis cannot be reached');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({}, 'redis is back');
    isAway = false;
  });
  return redis;
}
