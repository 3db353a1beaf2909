import { z } from 'zod';

/** One server as an address, or some nodes of a cluster: `redis+cluster://user:password@one:6379,two:6379`. */
export const redisUrl = z.union([
  z.url({ protocol: /^rediss?$/ }),
  z.string().regex(/^rediss?\+cluster:\/\/(?:[^@/\s]*@)?[^@/?#,\s]+(?:,[^@/?#,\s]+)*\/?$/, 'give redis+cluster://host:port,host:port'),
]);

export const redisEnv = z.object({ REDIS_URL: redisUrl });
