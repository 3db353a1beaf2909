import { NO_USAGE, type Usage } from '@weir/canonical';
import { describeFailure, OK } from '@weir/exchange';
import { isEmbeddingBelievable } from '@weir/limits';
import type { AttemptTurn } from '@weir/routing';
import { openAttempt, watchVerdict, type ClosingFacts } from '@weir/usage-journal';
import type { ExchangeParts } from '../chat/open-exchange';
import { chooseEmbeddingLane, type ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';
import { readReplies } from './read-replies';
import { sendCalls } from './send-calls';

export type FinishedAttempt = { readonly lane: ChosenLane; readonly text: string; readonly costUsd: string };

/**
 * Makes one attempt from its first call to its price. However many calls it takes, it is one usage event, begun before
 * the first of them; a failure settles it for nothing, because the caller gets nothing.
 */
export async function runEmbeddingAttempt(
  session: EmbeddingSession,
  turn: AttemptTurn,
  parts: Omit<ExchangeParts, 'inlineMedia'>,
): Promise<FinishedAttempt> {
  const { attempt, index } = turn;
  const lane = chooseEmbeddingLane(session, attempt, parts);
  const { passport } = session.work;
  const till = watchVerdict(openAttempt(parts.till, passport, { index, promptEstimate: session.promptEstimate }), session.guard);
  turn.noteSent();
  try {
    const replies = await sendCalls(session, lane, parts);
    till.noteFirstByte();
    turn.noteFirstByte();
    const answer = readReplies(session, lane, replies);
    const { usage, ...doubted } = believe(session, answer.promptTokens);
    const promptTokens = usage.inputUncached;
    const { costUsd } = till.close({ usage, measured: { input_token: promptTokens }, isLogical: true, ...OK, ...doubted });
    return { lane, text: answer.encode({ promptTokens, costUsd }), costUsd };
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    till.close({ usage: NO_USAGE, isLogical: turn.endsWith(error), ...describeFailure(error) });
    throw error;
  }
}

/** What is charged: what was told where that can be, else our own count or guess. */
function believe(session: EmbeddingSession, told: number | null): Pick<ClosingFacts, 'usage' | 'doubted'> {
  const { promptEstimate, isPromptCounted, asked } = session;
  const toldUsage = { ...NO_USAGE, inputUncached: told ?? 0 };
  if (told !== null && isEmbeddingBelievable(told, { estimate: promptEstimate, inputs: asked.inputs.items.length }))
    return { usage: toldUsage };
  const usage: Usage = { ...NO_USAGE, inputUncached: promptEstimate, source: isPromptCounted ? 'tokenizer' : 'estimate' };
  return told === null ? { usage } : { usage, doubted: { usage: toldUsage } };
}
