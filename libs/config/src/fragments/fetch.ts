import { z } from 'zod';
import { port } from '../values';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Calling addresses that callers name: files to be read, webhooks. */
export const fetchEnv = z.object({
  FETCH_PORTS: list.pipe(z.array(port).min(1)).default([80, 443]),
  /** Networks (`10.1.0.0/16,fd00:1::/64`) that may be called although they are not public. */
  FETCH_PRIVATE_NETWORKS: list.default([]),
});
