import type { DimensionRequest, NamedIds, UsageQuery, UsageReference } from '@weir/usage';

/** The value of each id that a dimension is found by. */
export type Names = ReadonlyMap<string, string>;

/** Looks up what ids of a dimension stand for today. */
export function findNames(
  reference: Pick<UsageReference, 'findNames'>,
  { organizationId }: Pick<UsageQuery, 'organizationId'>,
  { dimension, field }: DimensionRequest,
  ids: readonly string[],
): Promise<Names> {
  const joined = dimension.joined as NamedIds['joined'];
  return reference.findNames({ organizationId, joined, field, ids });
}
