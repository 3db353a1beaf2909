import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, describeFailure, totalCost, type Outcome } from '@weir/exchange';
import { boundChatUsage, boundWholeOutput } from '@weir/limits';
import type { PricedUsage } from '@weir/wire-formats';
import { estimateUsage } from '../session/estimate-tokens';
import type { OpenExchange } from '../exchange/open-exchange';
import { SeenReply } from './seen-reply';

/**
 * Settles an exchange exactly once: prices the usage and journals the event. Later calls return the first result, so the
 * first call decides.
 */
export type Settlement = {
  /** `usage` null: the provider reported none, so it is estimated from the part of the reply that arrived. */
  settle(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The same for a reply that its provider bills whole and that was not read to its end: charged as the most it may come to. */
  settleAtMost(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The attempt failed and nothing of it was passed on; `reported` is the usage that its provider reported all the same. */
  drop(reported: Usage | null, error: unknown): void;
  /**
   * The same for a stream that failed before its first event. Its head has been sent, so no further attempt is possible: the
   * request ends with it.
   */
  dropLast(reported: Usage, failure: GatewayError): void;
  isSettled(): boolean;
  /** The best estimate of the output that has arrived so far. */
  estimateOutput(): number;
  /** Output so far, as the best known number of tokens; kept in the journal while a stream runs. */
  progress(outputTokens: number): void;
  /** A piece of the reply arrived. `isWithheld` is called only in doubt: true when output was made and billed that is not in the reply. */
  receive(chunk: Uint8Array, isWithheld?: () => boolean): void;
};

export function createSettlement(exchange: OpenExchange): Settlement {
  let outputTokens = 0;
  let settled: PricedUsage | undefined;
  const seen = new SeenReply(() => ({ codec: exchange.lane.provider.codec, target: exchange.lane.target }));
  let isWithheld: (() => boolean) | undefined;
  const mostOutput = (): number => Math.max(outputTokens, Math.min(boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity));
  const estimateOutput = (): number =>
    Math.min(seen.estimateOutput() ?? outputTokens, boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity);
  /** Replaces the counts that a provider did not report by estimates. */
  const completeUsage = ({ isDoubtful: _isDoubtful, ...reported }: Usage): Usage => ({
    ...reported,
    inputUncached: promptTokens(reported) === 0 ? exchange.estimatePrompt() : reported.inputUncached,
    output: reported.output === 0 ? estimateOutput() : reported.output,
    source: 'estimate',
  });
  /** The usage that is charged, and the reported usage where that is not plausible. Of a reply that was cut, more may be billed than arrived. */
  const chooseCharged = (reported: Usage, isWhole: boolean): { readonly usage: Usage; readonly doubted?: { readonly usage: Usage } } => {
    const possible = reported.isDoubtful === true ? completeUsage(reported) : reported;
    let usage = boundChatUsage(possible, exchange.most, isWhole ? seen.bytes() : Infinity);
    if (usage !== possible && isWithheld?.() === true) usage = boundChatUsage(possible, exchange.most, Infinity);
    return usage === reported ? { usage: markUnpriced(reported, exchange) } : { usage, doubted: { usage: reported } };
  };
  const settle = (reported: Usage | null, outcome: Outcome, isWhole = outcome.status === 'ok'): PricedUsage => {
    if (settled !== undefined) return settled;
    const charged =
      reported === null ? { usage: estimateUsage(exchange.estimatePrompt(), estimateOutput()) } : chooseCharged(reported, isWhole);
    const receipt = exchange.attempt.close({ ...charged, isLogical: true, ...outcome });
    settled = { usage: charged.usage, costUsd: totalCost(exchange.charges, receipt, charged.usage) };
    return settled;
  };
  const drop = (reported: Usage | null, error: unknown, isLast: (error: unknown) => boolean): void => {
    if (settled !== undefined) return;
    // The provider has replied to a request whose reply a guardrail refuses, and bills it.
    if (error instanceof GatewayError && error.code === 'guardrail_blocked') return void settle(reported, describeFailure(error));
    const { attempt, charges } = exchange;
    const charged = chooseCharged(reported ?? NO_USAGE, false);
    const facts = { isUncharged: !charges.chargesFailures, isLogical: isLast(error), ...describeFailure(error) };
    const { costPico, costUsd } = attempt.close({ ...charged, ...facts });
    charges.earlierPico += costPico;
    settled = { usage: charged.usage, costUsd };
  };
  return {
    settle: (reported, outcome) => settle(reported, outcome),
    drop: (reported, error) => drop(reported, error, (failure) => exchange.place.endsWith(failure)),
    dropLast: (reported, failure) => drop(reported, failure, () => true),
    settleAtMost: (reported, outcome) => {
      const usage = reported ?? estimateUsage(exchange.estimatePrompt(), estimateOutput());
      return settle({ ...usage, output: Math.max(usage.output, mostOutput()), source: 'estimate' }, outcome);
    },
    isSettled: () => settled !== undefined,
    estimateOutput,
    progress: (tokens) => {
      outputTokens = Math.min(tokens, exchange.heldOutput ?? Infinity);
      exchange.attempt.progress(outputTokens);
    },
    receive: (chunk, withholds) => {
      seen.receive(chunk);
      isWithheld = withholds;
    },
  };
}

/** What providers write where they made a reply and withhold it. */
const WITHHELD = /content_filter|SAFETY|RECITATION|PROHIBITED|BLOCKLIST|SPII|MALFORMED|guardrail_intervened|refusal/;

export function isWithheld(reply: string): boolean {
  return WITHHELD.test(reply);
}

/** Not every price sheet has the fee of searches: where it is missing, the cost is incomplete, so the usage is marked as an estimate. */
function markUnpriced(reported: Usage, { place }: OpenExchange): Usage {
  if (reported.searches === 0) return reported;
  const { prices } = place.attempt;
  return prices.kind === 'chat' && prices.search === undefined ? { ...reported, source: 'estimate' } : reported;
}

/** Settles a stream that its caller does not read to the end: `usage` is what is known of it. */
export function settleAbandoned(settlement: Settlement, usage: Usage | null, isBilledWhole: boolean): void {
  if (isBilledWhole) settlement.settleAtMost(usage, CLIENT_CLOSED);
  else settlement.settle(usage, CLIENT_CLOSED);
}
