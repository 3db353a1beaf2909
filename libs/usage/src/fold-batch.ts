import type { UsageEvent } from '@weir/contracts';
import { seriesDimensions, seriesIdentity, type SeriesDimensions } from './dimensions';
import { addMeasures, measureEvent, type Measures } from './measures';
import { periodStart } from './period-key';

/** An event and the instant that decides its periods: its admission, unless its clock ran ahead. */
export type TimedUsageEvent = { readonly event: UsageEvent; readonly admittedAtMs: number };

/** What to add to one row of a rollup. */
export type RollupIncrement = {
  readonly organizationId: string;
  readonly periodStartMs: number;
  /** Identity of the series, see `series`. */
  readonly series: string;
  readonly measures: Measures;
};

export type SpendScope = 'key' | 'member' | 'group' | 'group_member' | 'organization';

export type SpendIncrement = {
  readonly scope: SpendScope;
  readonly scopeId: string;
  readonly monthMs: number;
  costPico: bigint;
  requests: number;
};

/** What one organization owes for one hour. */
export type BilledHour = { readonly organizationId: string; readonly hourMs: number; billedPico: bigint };

export type FoldedBatch = {
  readonly series: ReadonlyMap<string, SeriesDimensions>;
  readonly hours: readonly RollupIncrement[];
  readonly days: readonly RollupIncrement[];
  readonly months: readonly RollupIncrement[];
  readonly spend: readonly SpendIncrement[];
  readonly billed: readonly BilledHour[];
};

/** Adds events up per series and period, so that a batch costs the store one change per row it touches. */
export function foldBatch(events: readonly TimedUsageEvent[]): FoldedBatch {
  const series = new Map<string, SeriesDimensions>();
  const hours = new Map<string, RollupIncrement>();
  for (const { event, admittedAtMs } of events) {
    const dimensions = seriesDimensions(event);
    const identity = seriesIdentity(dimensions);
    if (!series.has(identity)) series.set(identity, dimensions);
    addIncrement(hours, {
      series: identity,
      organizationId: event.org_id,
      periodStartMs: periodStart('hour', admittedAtMs),
      measures: measureEvent(event),
    });
  }
  const days = foldPeriods(hours.values(), 'day');
  const months = foldPeriods(days.values(), 'month');
  return {
    series,
    hours: [...hours.values()],
    days: [...days.values()],
    months: [...months.values()],
    spend: foldSpend(months.values(), series),
    billed: foldBilled(hours.values()),
  };
}

function addIncrement(into: Map<string, RollupIncrement>, increment: RollupIncrement): void {
  const key = `${increment.periodStartMs} ${increment.series}`;
  const present = into.get(key);
  if (present === undefined) into.set(key, increment);
  else addMeasures(present.measures, increment.measures);
}

function foldPeriods(finer: Iterable<RollupIncrement>, resolution: 'day' | 'month'): Map<string, RollupIncrement> {
  const coarser = new Map<string, RollupIncrement>();
  for (const increment of finer) {
    const periodStartMs = periodStart(resolution, increment.periodStartMs);
    addIncrement(coarser, { ...increment, periodStartMs, measures: { ...increment.measures } });
  }
  return coarser;
}

function foldSpend(months: Iterable<RollupIncrement>, series: ReadonlyMap<string, SeriesDimensions>): SpendIncrement[] {
  const spend = new Map<string, SpendIncrement>();
  for (const { series: identity, periodStartMs, measures } of months) {
    const dimensions = series.get(identity);
    if (dimensions === undefined) continue;
    for (const [scope, scopeId] of spendScopes(dimensions)) {
      const key = `${scope} ${scopeId} ${periodStartMs}`;
      const present = spend.get(key);
      if (present === undefined) {
        spend.set(key, { scope, scopeId, monthMs: periodStartMs, costPico: measures.costPico, requests: measures.requests });
      } else {
        present.costPico += measures.costPico;
        present.requests += measures.requests;
      }
    }
  }
  return [...spend.values()];
}

function spendScopes({ apiKeyId, userId, groupId, organizationId }: SeriesDimensions): [SpendScope, string][] {
  const scopes: [SpendScope, string][] = [
    ['key', apiKeyId],
    ['organization', organizationId],
  ];
  if (userId !== null) scopes.push(['member', userId]);
  if (groupId !== null) scopes.push(['group', groupId]);
  if (userId !== null && groupId !== null) scopes.push(['group_member', groupMemberScopeId(groupId, userId)]);
  return scopes;
}

/** A member's budget is counted per group: one person may be in several. */
export function groupMemberScopeId(groupId: string, userId: string): string {
  return `${groupId}/${userId}`;
}

function foldBilled(hours: Iterable<RollupIncrement>): BilledHour[] {
  const billed = new Map<string, BilledHour>();
  for (const { organizationId, periodStartMs, measures } of hours) {
    if (measures.billedPico === 0n) continue;
    const key = `${organizationId} ${periodStartMs}`;
    const present = billed.get(key);
    if (present === undefined) billed.set(key, { organizationId, hourMs: periodStartMs, billedPico: measures.billedPico });
    else present.billedPico += measures.billedPico;
  }
  return [...billed.values()];
}
