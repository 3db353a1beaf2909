import { z } from 'zod';

export const redisUrl = z.url({ protocol: /^rediss?$/ });

export const redisEnv = z.object({ REDIS_URL: redisUrl });
