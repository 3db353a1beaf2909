import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, describeFailure, totalCost, type Outcome } from '@weir/exchange';
import { boundChatUsage, boundWholeOutput, fitUsage } from '@weir/limits';
import type { ClosingFacts } from '@weir/meter';
import type { ServedModel } from '@weir/providers';
import type { PricedUsage } from '@weir/wire-formats';
import { estimateTokens, estimateUsage } from '../session/estimate-tokens';
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
  /** The reply names its model: where that is another one of its provider, it is priced and shown. Before the exchange is settled. */
  noteModel(reported: unknown): void;
  /** The best estimate of the output that has arrived so far. */
  estimateOutput(): number;
  /** Output so far, as the best known number of tokens; kept in the journal while a stream runs. */
  progress(outputTokens: number): void;
  /** A piece of the reply arrived. `isWithheld` is called only in doubt: true when output was made and billed that is not in the reply. */
  receive(chunk: Uint8Array, isWithheld?: () => boolean): void;
  /**
   * A whole reply arrived. Its output is noted as `reported` (0: not reported, then it is estimated), so that a process that dies
   * before it settles leaves what its provider bills.
   */
  receiveWhole(reply: Uint8Array, reported: number, isWithheld: () => boolean): void;
};

export function createSettlement(exchange: OpenExchange): Settlement {
  return new ExchangeSettlement(exchange);
}

/** The usage that is charged, and the reported usage where that is not plausible. */
type Charged = { readonly usage: Usage; readonly doubted?: { readonly usage: Usage }; readonly served?: ServedModel };

class ExchangeSettlement implements Settlement {
  private outputTokens = 0;
  private settled: PricedUsage | undefined;
  private readonly seen: SeenReply;
  private isWithheld: (() => boolean) | undefined;

  constructor(private readonly exchange: OpenExchange) {
    this.seen = new SeenReply(exchange.lane);
  }

  settle(reported: Usage | null, outcome: Outcome): PricedUsage {
    if (this.settled !== undefined) return this.settled;
    const { exchange } = this;
    const planned: Charged = reported === null ? { usage: this.estimate() } : this.chooseCharged(reported, outcome.status === 'ok');
    const charged = exchange.served === undefined ? planned : this.coverServed(planned, exchange.served);
    const receipt = exchange.attempt.close(describeSettled(charged, outcome));
    this.settled = { usage: charged.usage, costUsd: totalCost(exchange.charges, receipt, charged.usage) };
    return this.settled;
  }

  settleAtMost(reported: Usage | null, outcome: Outcome): PricedUsage {
    const usage = reported ?? this.estimate();
    return this.settle({ ...usage, output: Math.max(usage.output, this.mostOutput()), source: 'estimate' }, outcome);
  }

  drop(reported: Usage | null, error: unknown): void {
    this.dropAs(reported, error, null);
  }

  dropLast(reported: Usage, failure: GatewayError): void {
    this.dropAs(reported, failure, true);
  }

  isSettled(): boolean {
    return this.settled !== undefined;
  }

  noteModel(reported: unknown): void {
    const { exchange } = this;
    const { attempt } = exchange.lane.target;
    if (reported === attempt.upstreamModel || typeof reported !== 'string' || this.settled !== undefined) return;
    if (exchange.lane.provider.namesDeployments !== true) exchange.served = exchange.findServed?.(attempt, reported);
  }

  estimateOutput(): number {
    const { exchange, seen, outputTokens } = this;
    return Math.min(seen.estimateOutput() ?? outputTokens, boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity);
  }

  progress(tokens: number): void {
    this.outputTokens = Math.min(tokens, this.exchange.heldOutput ?? Infinity);
    this.exchange.attempt.progress(this.outputTokens);
  }

  receive(chunk: Uint8Array, isWithheld?: () => boolean): void {
    this.seen.receive(chunk);
    this.isWithheld = isWithheld;
  }

  receiveWhole(reply: Uint8Array, reported: number, isWithheld: () => boolean): void {
    this.receive(reply, isWithheld);
    this.progress(reported > 0 ? reported : (this.seen.estimateOutput() ?? estimateTokens(reply.length)));
  }

  private estimate(): Usage {
    return estimateUsage(this.exchange.estimatePrompt(), this.estimateOutput());
  }

  private mostOutput(): number {
    const { exchange, outputTokens } = this;
    return Math.max(outputTokens, Math.min(boundWholeOutput(exchange.most), exchange.heldOutput ?? Infinity));
  }

  /** Replaces the counts that a provider did not report by estimates; what it read from a cache is a part of the prompt. */
  private completeUsage({ isDoubtful: _isDoubtful, ...reported }: Usage): Usage {
    const { inputUncached } = reported;
    return {
      ...reported,
      inputUncached: inputUncached === 0 ? Math.max(0, this.exchange.estimatePrompt() - promptTokens(reported)) : inputUncached,
      output: reported.output === 0 ? this.estimateOutput() : reported.output,
      source: 'estimate',
    };
  }

  /** At the prices of the model that replied, as far as the hold covers that: nothing was held for a dearer one. */
  private coverServed({ usage, doubted }: Charged, served: ServedModel): Charged {
    const { place, charges, reservedPico } = this.exchange;
    if (reservedPico === undefined || place.attempt.isByok) return { usage, ...(doubted === undefined ? {} : { doubted }), served };
    const covered = fitUsage(usage, served.prices, BigInt(reservedPico) - charges.earlierPico);
    if (covered === usage) return { usage, ...(doubted === undefined ? {} : { doubted }), served };
    return { usage: covered, doubted: doubted ?? { usage }, served };
  }

  /** Of a reply that was cut, more may be billed than arrived. */
  private chooseCharged(reported: Usage, isWhole: boolean): Charged {
    const { exchange, seen } = this;
    const possible = reported.isDoubtful === true ? this.completeUsage(reported) : reported;
    let usage = boundChatUsage(possible, exchange.most, isWhole ? seen.bytes() : Infinity);
    if (usage !== possible && this.isWithheld?.() === true) usage = boundChatUsage(possible, exchange.most, Infinity);
    return usage === reported ? { usage: markUnpriced(reported, exchange) } : { usage, doubted: { usage: reported } };
  }

  /** `isLast` null: the runner of the attempts knows whether the request ends with this one. */
  private dropAs(reported: Usage | null, error: unknown, isLast: true | null): void {
    if (this.settled !== undefined) return;
    // The provider has replied to a request whose reply a guardrail refuses, and bills it.
    if (error instanceof GatewayError && error.code === 'guardrail_blocked') return void this.settle(reported, describeFailure(error));
    const { attempt, charges, place } = this.exchange;
    const charged = this.chooseCharged(reported ?? NO_USAGE, false);
    const facts = { isUncharged: !charges.chargesFailures, isLogical: isLast ?? place.endsWith(error), ...describeFailure(error) };
    const { costPico, costUsd } = attempt.close({ ...charged, ...facts });
    charges.earlierPico += costPico;
    this.settled = { usage: charged.usage, costUsd };
  }
}

/** Member by member where nothing is unusual: a spread behind another member copies by names, at ten times the cost. */
function describeSettled(charged: Charged, outcome: Outcome): ClosingFacts {
  if (charged.doubted !== undefined || charged.served !== undefined || outcome.errorCode !== undefined)
    return { ...charged, isLogical: true, ...outcome };
  const { status, httpStatus, errorOrigin } = outcome;
  return { usage: charged.usage, isLogical: true, status, httpStatus, errorOrigin };
}

/** What providers write where they made a reply and withhold it. */
const WITHHELD = /content_filter|SAFETY|RECITATION|PROHIBITED|BLOCKLIST|SPII|MALFORMED|guardrail_intervened|refusal/;

export function isWithheld(reply: string): boolean {
  return WITHHELD.test(reply);
}

/** Not every price sheet has the fee of searches: where it is missing, the cost is incomplete, so the usage is marked as an estimate. */
function markUnpriced(reported: Usage, { place, served }: OpenExchange): Usage {
  if (reported.searches === 0) return reported;
  const { prices } = served ?? place.attempt;
  return prices.kind === 'chat' && prices.search === undefined ? { ...reported, source: 'estimate' } : reported;
}

/** Settles a stream that its caller does not read to the end: `usage` is what is known of it. */
export function settleAbandoned(settlement: Settlement, usage: Usage | null, isBilledWhole: boolean): void {
  if (isBilledWhole) settlement.settleAtMost(usage, CLIENT_CLOSED);
  else settlement.settle(usage, CLIENT_CLOSED);
}
