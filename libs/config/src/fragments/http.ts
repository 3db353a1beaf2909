import { z } from 'zod';
import { integer, port } from '../values';

const PRIVATE_NETWORKS = ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

const networkList = z
  .string()
  .transform((text) => (text === 'none' ? [] : text.split(',').map((network) => network.trim())))
  .pipe(z.array(z.string().regex(/^[0-9a-fA-F.:]+\/\d{1,3}$/, 'must be networks such as 10.1.0.0/16')));

/** Where a service listens, and how long it waits for running requests when it is asked to stop. */
export function httpEnv(defaultPort: number) {
  return z.object({
    /** TCP port; 0 takes a free one. */
    PORT: port.default(defaultPort),
    /** Loopback unless set: exposing the service is a decision. */
    HOST: z.string().default('127.0.0.1'),
    /** Where metrics are served, and health once more; 0 takes a free port. Without it, the service's usual one unless that is taken. */
    METRICS_PORT: port.optional(),
    /** Running requests get this long after SIGTERM; then they are cut. */
    DRAIN_TIMEOUT_MS: integer(0, 3_600_000).default(120_000),
    /** After SIGTERM a service says for so long that it is not ready, and still serves: until no balancer sends to it any more. */
    DRAIN_DELAY_MS: integer(0, 600_000).default(0),
    CONNECTIONS_MAX: integer(1, 1_000_000).default(50_000),
  });
}

/** From when on a service has more to do than it can, and refuses. */
export const sheddingEnv = z.object({
  /** Requests that may run at the same time. From 80 % of it on, the least important ones are refused. */
  IN_FLIGHT_MAX: integer(1, 1_000_000).default(16_000),
});

/** How a service that strangers reach protects itself. */
export const protectionEnv = z.object({
  ...sheddingEnv.shape,
  /** Connections from one address. */
  CONNECTIONS_PER_ADDRESS_MAX: integer(1, 1_000_000).default(200),
  /** Networks whose connections are other callers', such as an ingress: not counted by address. `none`: all are counted. */
  PROXY_NETWORKS: networkList.default(PRIVATE_NETWORKS),
});

/** Limits on what a caller may send. */
export const bodyLimitEnv = z.object({
  JSON_BODY_BYTES_MAX: integer(1024, 1 << 30).default(20 * 1024 * 1024),
});
