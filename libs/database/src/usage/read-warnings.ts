import type { UsageWarning } from '@weir/contracts';
import { OTHER_VALUE, SERIES_LIMITS, periodKey, type UsageQuery } from '@weir/usage';
import type { Queryable } from '../tenancy/organization-database';

const READ_BOUNDS = {
  name: 'weir-read-bounds-met',
  text: `SELECT extract(epoch FROM day)::bigint::text AS day_seconds, bound, field FROM usage_bound_met
    WHERE org_id = $1 AND day > to_timestamp($2::double precision) - interval '1 day' AND day < to_timestamp($3::double precision)
    ORDER BY day, bound, field LIMIT 1000`,
};

type Row = { readonly day_seconds: string; readonly bound: 'fields' | 'values' | 'series'; readonly field: string };

const EXPLANATIONS: Readonly<Record<Row['bound'], (field: string) => string>> = {
  fields: () => `Usage is kept by the first ${SERIES_LIMITS.extraFieldsMax} extra fields; others are not kept apart.`,
  values: (field) =>
    `"${field}" had more than ${SERIES_LIMITS.extraValuesPerDayMax} different values on this day; those that came later count under "${OTHER_VALUE}".`,
  series: () =>
    `More than ${SERIES_LIMITS.seriesPerHourMax} combinations were used within an hour; free text of later ones counts under "${OTHER_VALUE}".`,
};

/** On which days of the range free text was too varied to be kept apart. Totals are exact all the same. */
export async function readWarnings(source: Queryable, { organizationId, startMs, endMs }: UsageQuery): Promise<UsageWarning[]> {
  const { rows } = await source.query<Row>({ ...READ_BOUNDS, values: [organizationId, startMs / 1000, endMs / 1000] });
  return rows.map(({ day_seconds, bound, field }) => ({
    day: periodKey(Number(day_seconds) * 1000),
    bound,
    ...(field === '' ? {} : { field: `extra.${field}` }),
    message: EXPLANATIONS[bound](field),
  }));
}
