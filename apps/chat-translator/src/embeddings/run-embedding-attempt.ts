import { NO_USAGE, type EmbeddingRequest, type Usage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { describeFailure, OK, totalCost } from '@weir/exchange';
import { boundEmbeddingTokens, fitUsage, measurePrompt } from '@weir/limits';
import { estimateTextTokens, type ServedModel, type WholeReply } from '@weir/providers';
import type { AttemptPlace } from '@weir/routing';
import type { ClosingFacts } from '@weir/meter';
import type { ExchangeParts } from '../exchange/open-exchange';
import { chooseEmbeddingLane, type ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';
import { readReplies, sumReported } from './read-replies';
import { sendCalls } from './send-calls';

type FinishedAttempt = {
  readonly lane: ChosenLane;
  readonly served: ServedModel | undefined;
  readonly text: string;
  readonly costUsd: string;
  readonly usage: Usage;
};

/**
 * Makes one attempt from its first call to its cost. However many calls it takes, it is one usage event, begun before the
 * first of them. A failure is settled at no cost, because the caller gets nothing; an organization that pays for failures
 * is charged the reported usage.
 */
export async function runEmbeddingAttempt(
  session: EmbeddingSession,
  place: AttemptPlace,
  parts: Omit<ExchangeParts, 'inlineMedia'>,
): Promise<FinishedAttempt> {
  const { attempt: planned, index } = place;
  const lane = chooseEmbeddingLane(session, planned, parts);
  const attempt = session.openAttempt(index, session.promptEstimate);
  place.noteSent();
  let reported: number | null = null;
  const received: WholeReply[] = [];
  try {
    const noteHead: AttemptPlace['noteReply'] = (reply) => place.noteReply(reply);
    const replies = await sendCalls(session, lane, { ...parts, onReply: (reply) => received.push(reply), noteHead });
    attempt.noteFirstByte();
    place.noteFirstByte();
    const reply = readReplies(session, { lane, replies, noteReported: (tokens) => (reported = tokens) });
    const served = findServed(lane, reply.model, parts);
    const { usage, ...doubted } = coverServed(session, chooseCharged(session, planned, reply.promptTokens), { attempt: planned, served });
    const promptTokens = usage.inputUncached;
    const receipt = attempt.close({ usage, measured: { input_token: promptTokens }, isLogical: true, ...OK, ...doubted });
    const costUsd = totalCost(session.charges, receipt, usage);
    return { lane, served, text: reply.encode({ promptTokens, costUsd, isEstimated: usage.source === 'estimate' }), costUsd, usage };
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    const isLogical = place.endsWith(error);
    session.charges.earlierPico += attempt.close({
      ...describeFailed(session, planned, reported ?? sumReported(lane, received)),
      isLogical,
      ...describeFailure(error),
    }).costPico;
    throw error;
  }
}

/** The usage of a failed attempt: as its provider reported it, where that is plausible. */
function describeFailed(
  session: EmbeddingSession,
  attempt: Attempt,
  reported: number | null,
): Pick<ClosingFacts, 'usage' | 'measured' | 'doubted' | 'isUncharged'> {
  if (reported === null) return { usage: NO_USAGE };
  const { usage, ...doubted } = chooseCharged(session, attempt, reported);
  return { usage, measured: { input_token: usage.inputUncached }, isUncharged: !session.charges.chargesFailures, ...doubted };
}

/** The usage that is charged: as reported where that is plausible for the request, else our own count or estimate. */
function chooseCharged(session: EmbeddingSession, { upstreamModel }: Attempt, reported: number | null): Charged {
  const { promptEstimate, isPromptCounted, asked, body, forwarded } = session;
  if (reported === null) {
    if (isPromptCounted) return { usage: { ...NO_USAGE, inputUncached: promptEstimate, source: 'tokenizer' } };
    return { usage: { ...NO_USAGE, inputUncached: estimateInputs(asked, upstreamModel), source: 'estimate' } };
  }
  const usage: Usage = { ...NO_USAGE, inputUncached: reported };
  const inputUncached = boundEmbeddingTokens(reported, measurePrompt(body.json, forwarded.body.length));
  if (inputUncached === reported) return { usage };
  return { usage: { ...usage, inputUncached, source: 'estimate' }, doubted: { usage } };
}

function estimateInputs({ inputs }: EmbeddingRequest, model: string): number {
  return inputs.kind === 'tokens' ? 0 : estimateTextTokens(inputs.items.join('\n'), model);
}

type Charged = Pick<ClosingFacts, 'usage' | 'doubted' | 'served'>;

type Parts = Pick<ExchangeParts, 'findServed'>;

/** The model that a reply names, where that is another one of its provider. */
function findServed({ provider, target }: ChosenLane, reported: unknown, parts: Parts): ServedModel | undefined {
  const { attempt } = target;
  if (typeof reported !== 'string' || reported === attempt.upstreamModel || provider.namesDeployments === true) return undefined;
  return parts.findServed?.(attempt, reported);
}

type Serving = { readonly attempt: Attempt; readonly served: ServedModel | undefined };

/** At the prices of the model that replied, as far as the hold covers that. */
function coverServed({ forwarded, charges }: EmbeddingSession, charged: Charged, { attempt, served }: Serving): Charged {
  if (served === undefined) return charged;
  const { hold } = forwarded.passport;
  if (hold === null || attempt.isByok) return { ...charged, served };
  const { usage } = charged;
  const covered = fitUsage(usage, served.prices, BigInt(hold.reservedPico) - charges.earlierPico);
  return covered === usage ? { ...charged, served } : { usage: covered, doubted: charged.doubted ?? { usage }, served };
}
