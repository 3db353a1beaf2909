import type { UsageEvent } from '@weir/contracts';
import { createLikes } from './create-likes';
import { foldFreeText, seriesDimensions, seriesIdentity, type SeriesDimensions } from './dimensions';
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

/** How much of callers' free text is kept apart. */
export type SeriesBounds = {
  /** The same pairs with what goes beyond the bounds of the day left out or folded. */
  boundExtra(organizationId: string, admittedAtMs: number, extra: SeriesDimensions['extra']): SeriesDimensions['extra'];
  /** True when the hour is below its bound of series, or has this one already. */
  hasCapacity(organizationId: string, hourMs: number, identity: string): boolean;
};

const NO_BOUNDS: SeriesBounds = { boundExtra: (_organizationId, _admittedAtMs, extra) => extra, hasCapacity: () => true };

/** Adds events up per series and period, so that a batch costs the store one change per row it touches. */
export function foldBatch(events: readonly TimedUsageEvent[], bounds: SeriesBounds = NO_BOUNDS): FoldedBatch {
  const series = new Map<string, SeriesDimensions>();
  const hours: Periods = new Map();
  const likes = createLikes<RollupIncrement>();
  for (const timed of events) {
    const { event } = timed;
    const periodStartMs = periodStart('hour', timed.admittedAtMs);
    const like = likes.find(event, periodStartMs);
    if (like !== undefined) {
      addMeasures(like.measures, measureEvent(event));
      continue;
    }
    const hour = periodOf(hours, periodStartMs);
    let dimensions = boundDimensions(timed, bounds);
    let identity = seriesIdentity(dimensions);
    if (!hour.has(identity)) {
      if (!bounds.hasCapacity(event.org_id, periodStartMs, identity)) {
        dimensions = foldFreeText(dimensions);
        identity = seriesIdentity(dimensions);
      }
      if (!series.has(identity)) series.set(identity, dimensions);
    }
    const increment = addIncrement(hour, {
      series: identity,
      organizationId: event.org_id,
      periodStartMs,
      measures: measureEvent(event),
    });
    likes.note(event, increment);
  }
  const days = foldPeriods(hours, 'day');
  const months = foldPeriods(days, 'month');
  return {
    series,
    hours: listIncrements(hours),
    days: listIncrements(days),
    months: listIncrements(months),
    spend: foldSpend(listIncrements(months), series),
    billed: foldBilled(listIncrements(hours)),
  };
}

/** By start of the period, then by identity: identities are long, and joining them to something for a key would cost more than all else. */
type Periods = Map<number, Map<string, RollupIncrement>>;

function boundDimensions({ event, admittedAtMs }: TimedUsageEvent, bounds: SeriesBounds): SeriesDimensions {
  const dimensions = seriesDimensions(event);
  if (dimensions.extra.length === 0) return dimensions;
  return { ...dimensions, extra: bounds.boundExtra(event.org_id, admittedAtMs, dimensions.extra) };
}

/** The series that an event counts under, by bounds that were decided before. */
export function seriesOfEvent(timed: TimedUsageEvent, bounds: SeriesBounds): SeriesDimensions {
  const dimensions = boundDimensions(timed, bounds);
  const hourMs = periodStart('hour', timed.admittedAtMs);
  return bounds.hasCapacity(dimensions.organizationId, hourMs, seriesIdentity(dimensions)) ? dimensions : foldFreeText(dimensions);
}

function periodOf(periods: Periods, startMs: number): Map<string, RollupIncrement> {
  let period = periods.get(startMs);
  if (period === undefined) periods.set(startMs, (period = new Map()));
  return period;
}

/** Returns the increment that has it now. */
function addIncrement(period: Map<string, RollupIncrement>, increment: RollupIncrement): RollupIncrement {
  const present = period.get(increment.series);
  if (present === undefined) {
    period.set(increment.series, increment);
    return increment;
  }
  addMeasures(present.measures, increment.measures);
  return present;
}

function listIncrements(periods: Periods): RollupIncrement[] {
  return [...periods.values()].flatMap((period) => [...period.values()]);
}

function foldPeriods(finer: Periods, resolution: 'day' | 'month'): Periods {
  const coarser: Periods = new Map();
  for (const increment of listIncrements(finer)) {
    const periodStartMs = periodStart(resolution, increment.periodStartMs);
    addIncrement(periodOf(coarser, periodStartMs), { ...increment, periodStartMs, measures: { ...increment.measures } });
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
