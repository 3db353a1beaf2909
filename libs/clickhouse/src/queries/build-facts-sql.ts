import type { Resolution, UsageQuery } from '@weir/usage';
import { instantLiteral, periodLiteral, periodOf, uuidLiteral } from '../connection/literals';
import type { BuiltPeriod, FactsPlan, FactsRange } from './plan-facts';

type FactsSql = {
  readonly query: UsageQuery;
  readonly plan: FactsPlan;
  /** Of both tables. */
  readonly columns: readonly string[];
  /** What rows must satisfy beside being of the organization. */
  readonly conditions: readonly string[];
};

/** Rows of all places that a plan names, with `bucket`, the start of the asked period in epoch seconds; undefined where there are none. */
export function buildFactsSql({ query, plan, columns, conditions }: FactsSql): string | undefined {
  const where = [`org_id = ${uuidLiteral(query.organizationId)}`, ...scopeConditions(query), ...conditions];
  const select = (column: string): string =>
    `SELECT toUnixTimestamp(${periodOf(query.resolution, column)}) AS bucket, ${columns.join(', ')}`;
  const parts: string[] = [];
  for (const resolution of ['month', 'day', 'hour'] as const) {
    const periods = plan.rollups[resolution];
    if (periods.length === 0) continue;
    parts.push(`${select('period')} FROM usage_rollup WHERE ${[...where, ...isInPeriods(resolution, periods)].join(' AND ')}`);
  }
  if (plan.events.length > 0) {
    const isWithin = plan.events.map(isInRange).join(' OR ');
    parts.push(`${select('admitted_at')} FROM usage_event FINAL WHERE ${[...where, `(${isWithin})`].join(' AND ')}`);
  }
  return parts.length === 0 ? undefined : parts.join(' UNION ALL ');
}

/** Of one key, and of what a member may see. */
function scopeConditions({ apiKeyId, reach }: UsageQuery): string[] {
  const ofKey = apiKeyId === undefined ? [] : [`api_key_id = ${uuidLiteral(apiKeyId)}`];
  if (reach === undefined) return ofKey;
  const ofGroups = reach.groupIds.length === 0 ? [] : [`group_id IN (${reach.groupIds.map(uuidLiteral).join(', ')})`];
  return [...ofKey, `(${[`user_id = ${uuidLiteral(reach.userId)}`, ...ofGroups].join(' OR ')})`];
}

/** By the bounds for the index, and by period and build for the sums that are valid. */
function isInPeriods(resolution: Resolution, periods: readonly BuiltPeriod[]): string[] {
  const starts = periods.map(({ startMs }) => startMs);
  return [
    `resolution = '${resolution}'`,
    `period >= ${periodLiteral(Math.min(...starts))}`,
    `period <= ${periodLiteral(Math.max(...starts))}`,
    `(period, build) IN (${periods.map(({ startMs, build }) => `(${periodLiteral(startMs)}, ${build})`).join(', ')})`,
  ];
}

function isInRange({ startMs, endMs }: FactsRange): string {
  return `(admitted_at >= ${instantLiteral(startMs)} AND admitted_at < ${instantLiteral(endMs)})`;
}
