import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, describeFailure, totalCost, type Outcome } from '@weir/exchange';
import { boundChatUsage, boundWholeOutput } from '@weir/limits';
import type { PricedUsage } from '@weir/wire-formats';
import { estimateUsage } from './estimate-tokens';
import type { OpenExchange } from './open-exchange';
import { createSeenReply } from './seen-reply';

/**
 * Settles an exchange exactly once: prices the usage and journals the event. Later calls answer the first result, so
 * whichever end of a reply comes first decides.
 */
export type Settlement = {
  /** `usage` null: no one told, so it is estimated from what was seen. */
  settle(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The same for an answer that its provider bills whole and that was not read to its end: the most it may come to. */
  settleAtMost(usage: Usage | null, outcome: Outcome): PricedUsage;
  /** The attempt failed and nothing of it was passed on: `told` is what its provider said it had used all the same. */
  drop(reported: Usage | null, error: unknown): void;
  /**
   * The same of a stream that failed before its first event: that is no answer either. But its head is out, so that no one
   * else can be asked: the request ends with it.
   */
  dropLast(reported: Usage, failure: GatewayError): void;
  isSettled(): boolean;
  /** The best estimate of the output that came so far. */
  estimateOutput(): number;
  /** Output seen so far, in tokens as well as can be told; kept in the journal while a stream runs. */
  progress(outputTokens: number): void;
  /** A piece of the reply came. `isWithheld`, asked only in doubt: output was made and billed that is not in it. */
  receive(chunk: Uint8Array, isWithheld?: () => boolean): void;
};

export function createSettlement(exchange: OpenExchange): Settlement {
  let outputTokens = 0;
  let settled: PricedUsage | undefined;
  const seen = createSeenReply(() => ({ codec: exchange.lane.provider.codec, target: exchange.lane.target }));
  let isWithheld: (() => boolean) | undefined;
  const mostOutput = (): number => Math.max(outputTokens, Math.min(boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity));
  const estimateOutput = (): number =>
    Math.min(seen.estimateOutput() ?? outputTokens, boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity);
  /** Of what was told in part: the rest is as far as we know it. */
  const completeUsage = ({ isDoubtful: _isDoubtful, ...reported }: Usage): Usage => ({
    ...reported,
    inputUncached: promptTokens(reported) === 0 ? exchange.estimatePrompt() : reported.inputUncached,
    output: reported.output === 0 ? estimateOutput() : reported.output,
    source: 'estimate',
  });
  /** What is charged, and what was reported where that cannot be. Of a reply that was cut, more may be billed than came. */
  const believe = (reported: Usage, isWhole: boolean): { readonly usage: Usage; readonly doubted?: { readonly usage: Usage } } => {
    const possible = reported.isDoubtful === true ? completeUsage(reported) : reported;
    let usage = boundChatUsage(possible, exchange.most, isWhole ? seen.bytes() : Infinity);
    if (usage !== possible && isWithheld?.() === true) usage = boundChatUsage(possible, exchange.most, Infinity);
    return usage === reported ? { usage: reportUnpriced(reported, exchange) } : { usage, doubted: { usage: reported } };
  };
  const settle = (reported: Usage | null, outcome: Outcome, isWhole = outcome.status === 'ok'): PricedUsage => {
    if (settled !== undefined) return settled;
    const charged = reported === null ? { usage: estimateUsage(exchange.estimatePrompt(), estimateOutput()) } : believe(reported, isWhole);
    const receipt = exchange.meter.close({ ...charged, isLogical: true, ...outcome });
    settled = { usage: charged.usage, costUsd: totalCost(exchange.charges, receipt, charged.usage) };
    return settled;
  };
  const drop = (reported: Usage | null, error: unknown, isLast: (error: unknown) => boolean): void => {
    if (settled !== undefined) return;
    // What a guardrail refuses has been answered, and its provider is paid.
    if (error instanceof GatewayError && error.code === 'guardrail_blocked') return void settle(reported, describeFailure(error));
    const { meter, charges } = exchange;
    const charged = believe(reported ?? NO_USAGE, false);
    const facts = { isUncharged: !charges.chargesFailures, isLogical: isLast(error), ...describeFailure(error) };
    const { costPico, costUsd } = meter.close({ ...charged, ...facts });
    charges.earlierPico += costPico;
    settled = { usage: charged.usage, costUsd };
  };
  return {
    settle: (reported, outcome) => settle(reported, outcome),
    drop: (reported, error) => drop(reported, error, (failure) => exchange.turn.endsWith(failure)),
    dropLast: (reported, failure) => drop(reported, failure, () => true),
    settleAtMost: (reported, outcome) => {
      const usage = reported ?? estimateUsage(exchange.estimatePrompt(), estimateOutput());
      return settle({ ...usage, output: Math.max(usage.output, mostOutput()), source: 'estimate' }, outcome);
    },
    isSettled: () => settled !== undefined,
    estimateOutput,
    progress: (tokens) => {
      outputTokens = Math.min(tokens, exchange.heldOutput ?? Infinity);
      exchange.meter.progress(outputTokens);
    },
    receive: (chunk, withholds) => {
      seen.receive(chunk);
      isWithheld = withholds;
    },
  };
}

/** What providers write where they made an answer and do not hand it out. */
const WITHHELD = /content_filter|SAFETY|RECITATION|PROHIBITED|BLOCKLIST|SPII|MALFORMED|guardrail_intervened|refusal/;

export function isWithheld(reply: string): boolean {
  return WITHHELD.test(reply);
}

/** Searches have a fee of which not every price sheet tells: where it does not, the cost is not all there is to pay. */
function reportUnpriced(reported: Usage, { turn }: OpenExchange): Usage {
  if (reported.searches === 0) return reported;
  const { prices } = turn.attempt;
  return prices.kind === 'chat' && prices.search === undefined ? { ...reported, source: 'estimate' } : reported;
}

/** Settles a stream that its caller does not read to the end: `usage` is what is known of it. */
export function settleAbandoned(settlement: Settlement, usage: Usage | null, isBilledWhole: boolean): void {
  if (isBilledWhole) settlement.settleAtMost(usage, CLIENT_CLOSED);
  else settlement.settle(usage, CLIENT_CLOSED);
}
