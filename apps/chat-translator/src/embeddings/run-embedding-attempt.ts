import { NO_USAGE, type Usage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { endsRequest } from '@weir/routing';
import { describeFailure, type ExchangeParts } from '../chat/open-exchange';
import { OK } from '../chat/settlement';
import { openAttempt } from '../till/open-attempt';
import { chooseEmbeddingLane, type ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';
import { readReplies } from './read-replies';
import { sendCalls } from './send-calls';

export type FinishedAttempt = { readonly lane: ChosenLane; readonly text: string; readonly costUsd: string };

type Place = { readonly attempt: Attempt; readonly index: number };

/**
 * Makes one attempt from its first call to its price. However many calls it takes, it is one usage event, begun before
 * the first of them; a failure settles it for nothing, because the caller gets nothing.
 */
export async function runEmbeddingAttempt(
  session: EmbeddingSession,
  { attempt, index }: Place,
  parts: Omit<ExchangeParts, 'inlineMedia'>,
): Promise<FinishedAttempt> {
  const lane = chooseEmbeddingLane(session, attempt, parts);
  const { passport } = session.work;
  const till = openAttempt(parts.till, passport, { index, promptEstimate: session.promptEstimate });
  try {
    const replies = await sendCalls(session, lane, parts);
    till.noteFirstByte();
    const answer = readReplies(session, lane, replies);
    const usage = toUsage(session, answer.promptTokens);
    const promptTokens = usage.inputUncached;
    const { costUsd } = till.close({ usage, measured: { input_token: promptTokens }, isLogical: true, ...OK });
    return { lane, text: answer.encode({ promptTokens, costUsd }), costUsd };
  } catch (thrown) {
    // Cut by our own deadline, a body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    till.close({ usage: NO_USAGE, isLogical: endsRequest(error, { index, count: passport.attempts.length }), ...describeFailure(error) });
    throw error;
  }
}

function toUsage(session: EmbeddingSession, told: number | null): Usage {
  if (told !== null) return { ...NO_USAGE, inputUncached: told };
  return { ...NO_USAGE, inputUncached: session.promptEstimate, source: session.isPromptCounted ? 'tokenizer' : 'estimate' };
}
