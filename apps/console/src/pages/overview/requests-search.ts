import { UNKNOWN } from './dimensions';
import type { Range } from './overview-range';
import type { Filter } from './overview-search';

/** How the list of requests calls what usage is cut by; it knows no others. */
const PARAMETERS: Readonly<Record<string, string>> = {
  model_used: 'model',
  model_requested: 'model_requested',
  provider_used: 'provider',
  api_key_id: 'api_key_id',
  group_id: 'group_id',
  member_id: 'user_id',
  user_id: 'end_user',
};
const LABEL = 'api_key_label.';

/** How the list of requests narrows to what a figure is made of. */
export type Narrowing = { readonly status?: readonly string[]; readonly min_ms?: string };

/** The statuses that count as errors: of a request whose caller left, no one says that it failed. */
const ERRORS = ['upstream_error', 'upstream_cut', 'timeout', 'refused_midstream', 'aborted_crash'];

export const ERRORS_ONLY: Narrowing = { status: ERRORS };

/** Requests that took that long or longer. */
export function asSlowAs(milliseconds: number): Narrowing {
  return { min_ms: String(milliseconds) };
}

/** The search of the list of requests for a range and filters; undefined where the list cannot express one of them. */
export function findRequestsSearch({ start, end }: Range, filters: readonly Filter[]): Record<string, string | string[]> | undefined {
  const search: Record<string, string[]> = {};
  for (const { dimension, value } of filters) {
    const isLabel = dimension.startsWith(LABEL);
    const name = isLabel ? 'label' : PARAMETERS[dimension];
    if (name === undefined || value === UNKNOWN) return undefined;
    search[name] = [...(search[name] ?? []), isLabel ? `${dimension.slice(LABEL.length)}=${value}` : value];
  }
  return { start: start.toISOString(), end: end.toISOString(), ...search };
}
