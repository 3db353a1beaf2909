import type { EndpointRow } from '@weir/contracts';
import type { RequestPriority } from './load-shedder';

/** Asked by those who decide what is sent here at all: they get their answer whatever happens. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/v1/auth/check']);

/**
 * How important a request is as far as its first line tells; null for what is never refused. Who pays for an inference
 * request is known only when its key is: until then it counts as the most important one.
 */
export function findRequestPriority(path: string, method: string | undefined, endpoint: EndpointRow | undefined): RequestPriority | null {
  if (endpoint !== undefined) return 'paid';
  if (ALWAYS_ANSWERED.has(path)) return null;
  return method === 'GET' || method === 'HEAD' ? 'reading' : 'paid';
}
