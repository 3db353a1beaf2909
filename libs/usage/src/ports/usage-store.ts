import type { PerformanceResponse, SequencedUsageEvent, UsageResponse } from '@weir/contracts';
import type { UsageQuery } from '../usage-query';

/** Where a batch came from on the bus; null when it came straight from a journal. */
export type BatchSource = { readonly topic: string; readonly partition: number; readonly nextOffset: bigint };

/** An event whose money was set aside before. */
export type HeldUsage = {
  readonly organizationId: string;
  readonly holdId: string;
  /** What the hold counted towards. */
  readonly scopes: readonly string[];
  /** False of an attempt that was followed by another one, which the hold is left to. */
  readonly isLast: boolean;
};

export type AppliedBatch = {
  readonly applied: number;
  readonly duplicates: number;
  readonly deadLettered: number;
  /** Of all events of the batch, those seen before and those that became dead letters included. */
  readonly holds: readonly HeldUsage[];
  /** Per writer of the batch: the highest sequence below which nothing is missing. */
  readonly watermarks: ReadonlyMap<string, bigint>;
};

export type UsageStore = {
  /**
   * Folds a batch into rollups, monthly spend and `seen` in one transaction. Safe to repeat with the same events, in
   * any order, from several processes at once: what was seen before changes nothing.
   */
  applyBatch(events: readonly SequencedUsageEvent[], source: BatchSource | null): Promise<AppliedBatch>;
  /** Usage of one organization, optionally of one key, by period and group. */
  readUsage(query: UsageQuery): Promise<UsageResponse>;
  /** Of the same requests: how many failed, and how long they took. */
  readPerformance(query: UsageQuery): Promise<PerformanceResponse>;
};
