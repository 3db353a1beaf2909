import type { LimitDocument, LimitMeasure } from '@weir/contracts';
import { readLimitFill, type AskedLimit, type LimitFill, type Prisma } from '@weir/database';
import { amountOf, findWindow } from '@weir/limits';
import { formatUsd } from '@weir/pricing';
import type { RouteParts } from '../route/management-parts';
import { findPartitionNames, isApart, type DescribedPartition } from './limit-partitions';
import { timeZoneOf } from './organization';
import { describeRule, type RuleRow } from './rules';

/** Of a limit that holds for each apart, so many of the fullest are shown. */
export const FULLEST_MAX = 5;

type Period = { readonly startMs: number; readonly endMs: number };

/** What was counted of a limit, for callers. */
export type DescribedFill = {
  readonly of: DescribedPartition | null;
  readonly used: string;
  readonly share: number;
  readonly window_start: string | null;
  readonly window_end: string | null;
};

/** Limits with how full each of them is. */
export async function describeLimits(parts: RouteParts, organizationId: string, limits: readonly RuleRow[]): Promise<object[]> {
  const own = parts.database.asOrganization(organizationId);
  const timeZone = await own.transact(async (tx) => timeZoneOf(await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })));
  const filled = limits.map((limit) => ({ limit, period: periodOf(limit, { atMs: parts.now(), timeZone }) }));
  const fills = await readLimitFill(own, organizationId, { asked: filled.flatMap(askFor), most: FULLEST_MAX });
  return own.transact(async (tx) => {
    const described: object[] = [];
    for (const { limit, period } of filled) {
      const usage = await describeFills(tx, { limit, period, fills: fills.get(limit.id) ?? [] });
      described.push({ ...describeRule(limit), usage });
    }
    return described;
  });
}

type FilledLimit = { readonly limit: RuleRow; readonly period: WindowPeriod | null };
/** From the first start that counts to the end of the one that runs. */
type WindowPeriod = Period & { readonly lastStartMs: number };

async function describeFills(
  tx: Prisma.TransactionClient,
  { limit, period, fills }: FilledLimit & { readonly fills: readonly LimitFill[] },
): Promise<DescribedFill[]> {
  const document = readDocument(limit);
  const isOfEach = isApart(document);
  const partitions = isOfEach ? fills.map(({ partition }) => partition) : [];
  const names = await findPartitionNames(tx, { organizationId: limit.organizationId, document, partitions });
  return fills.map(({ partition, used }) => ({
    of: isOfEach ? { scope: document.scope, id: partition, name: names.get(partition) ?? null } : null,
    ...describeUsed(document, used),
    ...describePeriod(period),
  }));
}

function readDocument({ document }: RuleRow): LimitDocument {
  return document as unknown as LimitDocument;
}

/** Null where a limit has no windows. */
function periodOf(limit: RuleRow, { atMs, timeZone }: { readonly atMs: number; readonly timeZone: string }): WindowPeriod | null {
  const { window } = readDocument(limit);
  const place = window === undefined ? null : findWindow(window, atMs, timeZone);
  if (place === null) return null;
  const stepMs = place.endMs - place.startMs;
  const firstMs = place.pastStartsMs.findLast((startMs) => startMs + stepMs > limit.createdAt.getTime()) ?? place.startMs;
  return { startMs: Math.min(firstMs, place.startMs), endMs: place.endMs, lastStartMs: place.startMs };
}

/** What runs at a moment is in no table: `GET /v1/limits` asks the counters. */
function askFor({ limit, period }: FilledLimit): AskedLimit[] {
  const document = readDocument(limit);
  const { measure, window } = document;
  if (window === undefined) return [];
  const starts = period === null ? null : { firstMs: period.startMs, lastMs: period.lastStartMs };
  return [{ limitId: limit.id, measure, window, isApart: isApart(document), starts }];
}

export function describeUsed(
  { measure, amount }: Pick<LimitDocument, 'measure' | 'amount'>,
  used: bigint,
): { used: string; share: number } {
  const share = Number(used) / Number(amountOf(measure, amount));
  return { used: formatAmount(measure, used), share: Math.round(share * 1e6) / 1e6 };
}

/** In the unit of a measure, as limits are written. */
export function formatAmount(measure: LimitMeasure, value: bigint): string {
  return measure === 'usd' ? formatUsd(value) : String(value);
}

export function describePeriod(period: Period | null): { window_start: string | null; window_end: string | null } {
  const encode = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());
  return { window_start: encode(period?.startMs), window_end: encode(period?.endMs) };
}
