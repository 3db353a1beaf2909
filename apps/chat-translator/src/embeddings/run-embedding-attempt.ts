import { NO_USAGE, type EmbeddingRequest, type Usage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { describeFailure, OK, totalCost } from '@weir/exchange';
import { boundEmbeddingTokens, measurePrompt } from '@weir/limits';
import { estimateTextTokens, type WholeReply } from '@weir/providers';
import type { AttemptTurn } from '@weir/routing';
import { openAttempt, watchVerdict, type ClosingFacts } from '@weir/usage-journal';
import type { ExchangeParts } from '../chat/open-exchange';
import { chooseEmbeddingLane, type ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';
import { readReplies, sumReported } from './read-replies';
import { sendCalls } from './send-calls';

export type FinishedAttempt = { readonly lane: ChosenLane; readonly text: string; readonly costUsd: string; readonly usage: Usage };

/**
 * Makes one attempt from its first call to its price. However many calls it takes, it is one usage event, begun before
 * the first of them; a failure settles it for nothing, because the caller gets nothing, unless their organization pays for
 * failures too: then for what was told of its use.
 */
export async function runEmbeddingAttempt(
  session: EmbeddingSession,
  turn: AttemptTurn,
  parts: Omit<ExchangeParts, 'inlineMedia'>,
): Promise<FinishedAttempt> {
  const { attempt, index } = turn;
  const lane = chooseEmbeddingLane(session, attempt, parts);
  const { passport } = session.forwarded;
  const meter = watchVerdict(openAttempt(parts.meter, passport, { index, promptEstimate: session.promptEstimate }), session.guard);
  turn.noteSent();
  let reported: number | null = null;
  const received: WholeReply[] = [];
  try {
    const replies = await sendCalls(session, lane, { ...parts, onReply: (reply) => received.push(reply) });
    meter.noteFirstByte();
    turn.noteFirstByte();
    const answer = readReplies(session, { lane, replies, report: (tokens) => (reported = tokens) });
    const { usage, ...doubted } = believe(session, attempt, answer.promptTokens);
    const promptTokens = usage.inputUncached;
    const receipt = meter.close({ usage, measured: { input_token: promptTokens }, isLogical: true, ...OK, ...doubted });
    const costUsd = totalCost(session.charges, receipt, usage);
    return { lane, text: answer.encode({ promptTokens, costUsd, isEstimated: usage.source === 'estimate' }), costUsd, usage };
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    const isLogical = turn.endsWith(error);
    session.charges.earlierPico += meter.close({
      ...describeFailed(session, attempt, reported ?? sumReported(lane, received)),
      isLogical,
      ...describeFailure(error),
    }).costPico;
    throw error;
  }
}

/** What an attempt used that no one got an answer from: as its provider told, where that can be. */
function describeFailed(
  session: EmbeddingSession,
  attempt: Attempt,
  reported: number | null,
): Pick<ClosingFacts, 'usage' | 'measured' | 'doubted' | 'isUncharged'> {
  if (reported === null) return { usage: NO_USAGE };
  const { usage, ...doubted } = believe(session, attempt, reported);
  return { usage, measured: { input_token: usage.inputUncached }, isUncharged: !session.charges.chargesFailures, ...doubted };
}

/** What is charged: what was reported as far as the request explains it, else our own count or guess. */
function believe(session: EmbeddingSession, { upstreamModel }: Attempt, reported: number | null): Charged {
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

type Charged = Pick<ClosingFacts, 'usage' | 'doubted'>;
