import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, describeFailure, totalCost, type Outcome } from '@weir/exchange';
import { isBelievable, isOutputBelievable } from '@weir/limits';
import type { PricedUsage } from '@weir/wire-formats';
import { estimateUsage } from './estimate-tokens';
import type { OpenExchange } from './open-exchange';

/**
 * Settles an exchange exactly once: prices the usage and journals the event. Later calls answer the first result, so
 * whichever end of a reply comes first decides.
 */
export type Settlement = {
  /** `usage` null: nobody told, so it is estimated from what was seen. */
  settle(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The same for an answer that its provider bills whole and that was not read to its end: the most it may come to. */
  settleAtMost(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The attempt failed and nothing of it was passed on: `told` is what its provider said it had used all the same. */
  drop(told: Usage | null, error: unknown): void;
  /**
   * The same of a stream that failed before its first event: that is no answer either. But its head is out, so that nobody
   * else can be asked: the request ends with it.
   */
  dropLast(told: Usage, failure: GatewayError): void;
  isSettled(): boolean;
  /** Output seen so far, in tokens as well as can be told; kept in the journal while a stream runs. */
  progress(outputTokens: number): void;
};

export function createSettlement(exchange: OpenExchange): Settlement {
  let outputTokens = 0;
  let settled: PricedUsage | undefined;
  const mostOutput = (): number => Math.max(outputTokens, Math.min(exchange.most.output() ?? 0, exchange.heldOutput ?? Infinity));
  /** In place of a count that cannot be: the prompt as far as we know it, and the answer as told, or the most that it can have. */
  const replaceUsage = (told: Usage): Usage => {
    const most = isOutputBelievable(told, exchange.most) ? (exchange.heldOutput ?? Infinity) : mostOutput();
    return estimateUsage(exchange.promptEstimate, Math.min(told.output, most));
  };
  /** Of what was told in part: the rest is as far as we know it. */
  const completeUsage = ({ isDoubtful: _isDoubtful, ...told }: Usage): Usage => ({
    ...told,
    inputUncached: promptTokens(told) === 0 ? exchange.promptEstimate : told.inputUncached,
    output: told.output === 0 ? outputTokens : told.output,
    source: 'estimate',
  });
  /** What is charged, and what was told where that cannot be. */
  const believe = (told: Usage): { readonly usage: Usage; readonly doubted?: { readonly usage: Usage } } => {
    const isPossible = isBelievable(told, exchange.most);
    if (isPossible && told.isDoubtful !== true) return { usage: tellUnpriced(told, exchange) };
    return { usage: isPossible ? completeUsage(told) : replaceUsage(told), doubted: { usage: told } };
  };
  const settle = (told: Usage | null, outcome: Outcome): PricedUsage => {
    if (settled !== undefined) return settled;
    const charged = told === null ? { usage: estimateUsage(exchange.promptEstimate, outputTokens) } : believe(told);
    const receipt = exchange.till.close({ ...charged, isLogical: true, ...outcome });
    settled = { usage: charged.usage, costUsd: totalCost(exchange.charges, receipt) };
    return settled;
  };
  const drop = (told: Usage | null, error: unknown, isLast: (error: unknown) => boolean): void => {
    if (settled !== undefined) return;
    // What a guardrail refuses has been answered, and its provider is paid.
    if (error instanceof GatewayError && error.code === 'guardrail_blocked') return void settle(told, describeFailure(error));
    const { till, charges } = exchange;
    const charged = believe(told ?? NO_USAGE);
    const facts = { isUncharged: !charges.chargesFailures, isLogical: isLast(error), ...describeFailure(error) };
    const { costPico, costUsd } = till.close({ ...charged, ...facts });
    charges.earlierPico += costPico;
    settled = { usage: charged.usage, costUsd };
  };
  return {
    settle,
    drop: (told, error) => drop(told, error, (failure) => exchange.turn.endsWith(failure)),
    dropLast: (told, failure) => drop(told, failure, () => true),
    settleAtMost: (told, outcome) => {
      const usage = told ?? estimateUsage(exchange.promptEstimate, outputTokens);
      return settle({ ...usage, output: Math.max(usage.output, mostOutput()), source: 'estimate' }, outcome);
    },
    isSettled: () => settled !== undefined,
    progress: (tokens) => {
      outputTokens = Math.min(tokens, exchange.heldOutput ?? Infinity);
      exchange.till.progress(outputTokens);
    },
  };
}

/** Searches have a fee of which not every price sheet tells: where it does not, the cost is not all there is to pay. */
function tellUnpriced(told: Usage, { turn }: OpenExchange): Usage {
  if (told.searches === 0) return told;
  const { prices } = turn.attempt;
  return prices.kind === 'chat' && prices.search === undefined ? { ...told, source: 'estimate' } : told;
}

/** Settles a stream that its caller does not read to the end: `usage` is what is known of it. */
export function settleAbandoned(settlement: Settlement, usage: Usage | null, isBilledWhole: boolean): void {
  if (isBilledWhole) settlement.settleAtMost(usage, CLIENT_CLOSED);
  else settlement.settle(usage, CLIENT_CLOSED);
}
