import type { Usage } from '@weir/canonical';
import type { UsageStatus } from '@weir/contracts';
import type { PricedUsage } from '@weir/wire-formats';
import { estimateUsage } from './estimate-tokens';
import type { OpenExchange } from './open-exchange';

export type Outcome = {
  readonly status: UsageStatus;
  readonly httpStatus: number | null;
  readonly errorOrigin: 'router' | 'provider' | null;
};

export const OK: Outcome = { status: 'ok', httpStatus: 200, errorOrigin: null };

/**
 * Settles an exchange exactly once: prices the usage and journals the event. Later calls answer the first result, so
 * whichever end of a reply comes first decides.
 */
export type Settlement = {
  /** `usage` null: nobody told, so it is estimated from what was seen. */
  settle(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The same for an answer that its provider bills whole and that was not read to its end: the most it may come to. */
  settleAtMost(usage: Usage | null, outcome: Outcome): PricedUsage;
  isSettled(): boolean;
  /** Output seen so far, in tokens as well as can be told; kept in the journal while a stream runs. */
  progress(outputTokens: number): void;
};

export function createSettlement(exchange: OpenExchange): Settlement {
  let outputTokens = 0;
  let settled: PricedUsage | undefined;
  const settle = (told: Usage | null, outcome: Outcome): PricedUsage => {
    if (settled !== undefined) return settled;
    const usage = told ?? estimateUsage(exchange.promptEstimate, outputTokens);
    const { costUsd } = exchange.till.close({ usage, isLogical: true, ...outcome });
    settled = { usage, costUsd };
    return settled;
  };
  return {
    settle,
    settleAtMost: (told, outcome) => {
      const usage = told ?? estimateUsage(exchange.promptEstimate, outputTokens);
      const most = Math.min(exchange.outputMax() ?? 0, exchange.heldOutput ?? Infinity);
      return settle({ ...usage, output: Math.max(usage.output, outputTokens, most), source: 'estimate' }, outcome);
    },
    isSettled: () => settled !== undefined,
    progress: (tokens) => {
      outputTokens = Math.min(tokens, exchange.heldOutput ?? Infinity);
      exchange.till.progress(outputTokens);
    },
  };
}
