import { z } from 'zod';
import { integer, port } from '../values';

/** Where a service listens, and how long it waits for running requests when it is told to stop. */
export function httpEnv(defaultPort: number) {
  return z.object({
    /** TCP port; 0 takes a free one. */
    PORT: port.default(defaultPort),
    /** Loopback unless set: exposing the service is a decision. */
    HOST: z.string().default('127.0.0.1'),
    /** Running requests get this long after SIGTERM; then they are cut. */
    DRAIN_TIMEOUT_MS: integer(0, 3_600_000).default(120_000),
  });
}

/** Limits on what a caller may send. */
export const bodyLimitEnv = z.object({
  JSON_BODY_BYTES_MAX: integer(1024, 1 << 30).default(20 * 1024 * 1024),
});
