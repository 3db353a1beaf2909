import type { EndpointRow } from '@weir/contracts';

/** Priorities under load, the first to be refused first: free models, lists and reports, those who never paid, those who do. */
export const REQUEST_PRIORITIES = ['free', 'reading', 'unpaid', 'paid'] as const;
export type RequestPriority = (typeof REQUEST_PRIORITIES)[number];

/** Whose a request is, as far as load is concerned. */
export type KnownCaller = {
  readonly priority: RequestPriority;
  /** Undefined where it is not known. */
  readonly id: string | undefined;
};

/** Load balancers and probes ask here: they are never refused. */
const NEVER_REFUSED = new Set(['/healthz', '/readyz', '/v1/auth/check']);

/**
 * The priority of a request by its first line; null for what is never refused. Who pays for an inference
 * request is known only when its key is: until then it counts as `paid`.
 */
export function findRequestPriority(path: string, method: string | undefined, endpoint: EndpointRow | undefined): RequestPriority | null {
  if (endpoint !== undefined) return 'paid';
  if (NEVER_REFUSED.has(path)) return null;
  return method === 'GET' || method === 'HEAD' ? 'reading' : 'paid';
}
