import { NO_USAGE, type Usage } from '@weir/canonical';
import { describeFailure, OK } from '@weir/exchange';
import type { AttemptTurn } from '@weir/routing';
import { openAttempt, watchVerdict } from '@weir/usage-journal';
import { PROMPT_TOKENS_MAX } from '../chat/believe-usage';
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
    const usage = toUsage(session, answer.promptTokens);
    const promptTokens = usage.inputUncached;
    const doubted = isDoubted(answer.promptTokens) ? { doubted: { ...NO_USAGE, inputUncached: answer.promptTokens } } : {};
    const { costUsd } = till.close({ usage, measured: { input_token: promptTokens }, isLogical: true, ...OK, ...doubted });
    return { lane, text: answer.encode({ promptTokens, costUsd }), costUsd };
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    till.close({ usage: NO_USAGE, isLogical: turn.endsWith(error), ...describeFailure(error) });
    throw error;
  }
}

function toUsage(session: EmbeddingSession, told: number | null): Usage {
  if (told !== null && !isDoubted(told)) return { ...NO_USAGE, inputUncached: told };
  return { ...NO_USAGE, inputUncached: session.promptEstimate, source: session.isPromptCounted ? 'tokenizer' : 'estimate' };
}

function isDoubted(told: number | null): told is number {
  return told !== null && told > PROMPT_TOKENS_MAX;
}
