import type { UsageWarning } from '@weir/contracts';
import { OTHER_VALUE, SERIES_LIMITS, periodKey, type UsageQuery } from '@weir/usage';
import type { Queryable } from '../../tenancy/organization-database';

const READ_BOUNDS = {
  name: 'weir-read-bounds-met',
  text: `SELECT extract(epoch FROM day)::bigint::text AS day_seconds, bound, field FROM usage_bound_met
    WHERE org_id = $1 AND day > to_timestamp($2::double precision) - interval '1 day' AND day < to_timestamp($3::double precision)
    ORDER BY day, bound, field LIMIT 1000`,
};

type Row = { readonly day_seconds: string; readonly bound: 'fields' | 'values' | 'series'; readonly field: string };

const EXPLANATIONS: Readonly<Record<Row['bound'], (named: string) => string>> = {
  fields: () => `Usage is kept by the first ${SERIES_LIMITS.extraFieldsMax} extra fields; others are not kept apart.`,
  values: (named) =>
    `${named} had more than ${SERIES_LIMITS.extraValuesPerDayMax} different values on this day; those that came later count under "${OTHER_VALUE}".`,
  series: () =>
    `More than ${SERIES_LIMITS.seriesPerHourMax} combinations were used within an hour; free text of later ones counts under "${OTHER_VALUE}".`,
};

/**
 * On which days of the range free text was too varied to be kept apart. Totals are exact all the same. Which fields others in
 * the organization use is not for a caller who sees a part of it: fields that they did not ask about stay unnamed.
 */
export async function readWarnings(source: Queryable, query: UsageQuery): Promise<UsageWarning[]> {
  const { organizationId, startMs, endMs } = query;
  const { rows } = await source.query<Row>({ ...READ_BOUNDS, values: [organizationId, startMs / 1000, endMs / 1000] });
  const unnamed = new Set<string>();
  return rows.flatMap(({ day_seconds, bound, field }) => {
    const at = { day: periodKey(Number(day_seconds) * 1000), bound };
    if (field === '') return [{ ...at, message: EXPLANATIONS[bound]('') }];
    if (mayName(query, `extra.${field}`)) return [{ ...at, field: `extra.${field}`, message: EXPLANATIONS[bound](`"${field}"`) }];
    const isFirst = unnamed.size < unnamed.add(`${at.day} ${bound}`).size;
    return isFirst ? [{ ...at, message: EXPLANATIONS[bound]('A field') }] : [];
  });
}

function mayName({ reach, groupBy, filters = [] }: UsageQuery, dimension: string): boolean {
  return reach === undefined || groupBy.includes(dimension) || filters.some(({ name }) => name === dimension);
}
