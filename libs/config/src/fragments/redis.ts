import { z } from 'zod';
import { orWords } from '../values';

/** One server as an address, or some nodes of a cluster: `redis+cluster://user:password@one:6379,two:6379`. */
export const redisUrl = z.union(
  [z.url({ protocol: /^rediss?$/ }), z.string().regex(/^rediss?\+cluster:\/\/(?:[^@/\s]*@)?[^@/?#,\s]+(?:,[^@/?#,\s]+)*\/?$/)],
  orWords('must be an address, as redis://:password@host:6379, or nodes of a cluster, as redis+cluster://host:port,host:port'),
);

export const redisEnv = z.object({ REDIS_URL: redisUrl });
