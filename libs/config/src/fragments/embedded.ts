import { z } from 'zod';

/** Production: whatever a process would bring along itself in place of a store of its deployment stops the start. */
export const embeddedEnv = z.object({
  NO_EMBEDDED: z
    .enum(['1', '0', 'true', 'false'])
    .transform((text) => text === '1' || text === 'true')
    .default(false),
});
