import {
  isConcurrent,
  isLimitScope,
  limitScopeExpiry,
  parseLimitScope,
  spendOfEvent,
  spentInScopes,
  type LimitScopeParts,
} from '@weir/limits';
import type { TimedUsageEvent } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral, nullableArrayLiteral } from '../../postgres/array-literal';
import type { DatabaseLog } from '../../postgres/database-log';

const ADD = {
  name: 'weir-add-limit-usage',
  text: `INSERT INTO limit_usage (org_id, scope, limit_id, used, version, window_start, expires_at)
    SELECT org_id, scope, limit_id, used, 1, to_timestamp(start_seconds), to_timestamp(expiry_seconds)
    FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::numeric[], $5::bigint[], $6::bigint[])
      AS t(org_id, scope, limit_id, used, start_seconds, expiry_seconds)
    ON CONFLICT (org_id, scope) DO UPDATE SET used = limit_usage.used + excluded.used, version = limit_usage.version + 1, updated_at = now()`,
};

type Parts = { readonly now: () => number; readonly log: DatabaseLog };
type LimitIncrement = { readonly organizationId: string; readonly scope: string; readonly of: LimitScopeParts; used: bigint };

/** Adds a batch to what limits have counted. Without limits, nothing is sent. */
export async function writeLimitUsage(client: PoolClient, events: readonly TimedUsageEvent[], { now, log }: Parts): Promise<void> {
  const { increments, unknown } = foldLimitUsage(events, now());
  if (unknown.size > 0) {
    const scopes = [...unknown].slice(0, 10);
    log.warn({ count: unknown.size, scopes }, 'usage counts in limits that this version does not know; they do not count it');
  }
  if (increments.length === 0) return;
  await client.query({
    ...ADD,
    values: [
      arrayLiteral(increments.map(({ organizationId }) => organizationId)),
      increments.map(({ scope }) => scope),
      arrayLiteral(increments.map(({ of }) => of.limitId)),
      arrayLiteral(increments.map(({ used }) => used)),
      nullableArrayLiteral(increments.map(({ of }) => inSeconds(of.startMs))),
      nullableArrayLiteral(increments.map(({ of }) => inSeconds(limitScopeExpiry(of)))),
    ],
  });
}

function inSeconds(ms: number | null): string | null {
  return ms === null ? null : String(Math.floor(ms / 1000));
}

type FoldedLimits = { readonly increments: readonly LimitIncrement[]; readonly unknown: ReadonlySet<string> };

/** In the order of the primary key: concurrent batches take the same rows in the same order and cannot deadlock. */
function foldLimitUsage(events: readonly TimedUsageEvent[], nowMs: number): FoldedLimits {
  const found = new Map<string, LimitIncrement | null>();
  const unknown = new Set<string>();
  const open = (organizationId: string, scope: string): LimitIncrement | null => {
    const key = `${organizationId} ${scope}`;
    let increment = found.get(key);
    if (increment === undefined) {
      const of = parseLimitScope(scope);
      if (of === undefined) unknown.add(scope);
      increment = of === undefined || !isCounted(of, nowMs) ? null : { organizationId, scope, of, used: 0n };
      found.set(key, increment);
    }
    return increment;
  };
  for (const { event } of events) {
    const { org_id: organizationId, hold_scopes: scopes } = event;
    if (!scopes.some(isLimitScope)) continue;
    for (const [at, spent] of spentInScopes(scopes, spendOfEvent(event), event.hold_uncounted).entries()) {
      const scope = scopes[at] as string;
      if (!isLimitScope(scope)) continue;
      const increment = open(organizationId, scope);
      if (increment !== null) increment.used += spent;
    }
  }
  const counted = [...found].filter((entry): entry is [string, LimitIncrement] => entry[1] !== null && entry[1].used !== 0n);
  return { increments: counted.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, increment]) => increment), unknown };
}

/** What runs at a moment is never spent, and after its window a limit is not asked for any more. */
function isCounted(of: LimitScopeParts, nowMs: number): boolean {
  return !isConcurrent(of.measure) && (limitScopeExpiry(of) ?? Infinity) > nowMs;
}
