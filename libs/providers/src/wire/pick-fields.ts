import type { LossReport } from '@weir/canonical';
import type { JsonRecord } from './json-value';

type WithFurtherFields = { readonly unmapped?: Readonly<Record<string, unknown>>; readonly endUserId?: string };

/**
 * The caller's further fields that a provider knows, under the provider's own names; `known` is the caller's name → the
 * provider's. All others are lost, and reported.
 */
export function pickFields(request: WithFurtherFields, known: Readonly<Record<string, string>>, losses: LossReport): JsonRecord {
  const picked: JsonRecord = {};
  for (const [name, value] of Object.entries(request.unmapped ?? {})) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) losses.dropped.add(name);
    else picked[field] = value;
  }
  if (request.endUserId !== undefined) losses.dropped.add('user');
  return picked;
}
