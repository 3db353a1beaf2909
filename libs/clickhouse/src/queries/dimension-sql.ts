import { invariant } from '@weir/errors';
import { findDimension, type DimensionRequest } from '@weir/usage';
import { textLiteral } from '../connection/literals';
import { SERIES_COLUMNS } from '../schema/columns';

/** A dimension of a question; its name was checked when the question was read. */
export function requestOf(name: string): DimensionRequest {
  const request = findDimension(name);
  invariant(request !== undefined, `${name} was checked to be a dimension`);
  return request;
}

/** The value of a dimension as text, null where there is none. Of what Postgres has the names of: the id. */
export function valueSql({ dimension, field }: DimensionRequest): string {
  const column = dimension.of;
  const { type } = SERIES_COLUMNS[column];
  if (type.startsWith('Map'))
    return `if(mapContains(${column}, ${textLiteral(field ?? '')}), ${column}[${textLiteral(field ?? '')}], NULL)`;
  if (type === 'Bool') return `if(${column}, 'true', 'false')`;
  return type.includes('UUID') ? `toString(${column})` : `toNullable(toString(${column}))`;
}

/** Whether a value is one of some; of usage without a value, whether `missing` is among them. */
export function isOneOfSql(request: DimensionRequest, values: readonly string[]): string {
  const value = valueSql(request);
  const isListed = values.length === 0 ? '0' : `${value} IN (${values.map(textLiteral).join(', ')})`;
  // What a value is missing under is also a text that a caller may have written: both are counted under it.
  return values.includes(request.dimension.missing) ? `(${isListed} OR (${value}) IS NULL)` : `ifNull(${isListed}, 0)`;
}
