import { NO_USAGE } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { ClientGone, describeFailure, type RequestCharges } from '@weir/exchange';
import type { ChatMost } from '@weir/limits';
import { dispatchCall, findTarget, isSuccess, readFailure, type CallTimeouts, type LaneMap } from '@weir/providers';
import { isLargeText, takeTurn } from '@weir/http-server';
import type { AttemptPlace } from '@weir/routing';
import type { UpstreamResponse } from '@weir/upstream-http';
import type { OpenAttempt } from '@weir/meter';
import type { ChatSession } from '../session/chat-session';
import { chooseLane, findExpressLane, type Lane } from '../calls/choose-lane';
import { describeMost } from '../session/describe-most';
import { estimatePromptTokens } from '../session/estimate-prompt';
import { estimateTokens } from '../session/estimate-tokens';
import type { InlineMedia } from './inline-media';

/** An exchange whose provider has begun to reply with success. The code that reads its reply must settle it. */
export type OpenExchange = {
  readonly lane: Lane;
  readonly upstream: UpstreamResponse;
  /** The attempt as the journal knows it. */
  readonly attempt: OpenAttempt;
  readonly place: AttemptPlace;
  readonly charges: RequestCharges;
  /** The best estimate of the prompt, for when the provider does not report it; computed on the first call. */
  readonly estimatePrompt: () => number;
  /** The most usage that is plausible for this request. */
  readonly most: ChatMost;
  /** The output tokens that the hold covers: an estimate stays within them. Absent when no limit applies to the request. */
  readonly heldOutput?: number | undefined;
};

export type ExpressExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'express' }> };
export type TranslatedExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'translated' }> };

export function isExpress(exchange: OpenExchange): exchange is ExpressExchange {
  return exchange.lane.kind === 'express';
}

export type ExchangeParts = LaneMap & CallTimeouts & { readonly inlineMedia: InlineMedia };

/**
 * Sends one attempt. Its journal record is begun before the first byte leaves, so that every call that is sent is counted;
 * a failure settles it. Rejects with the error for the caller, to whom nothing has been sent by then.
 */
export async function openExchange(session: ChatSession, place: AttemptPlace, parts: ExchangeParts): Promise<OpenExchange> {
  const { attempt: planned, index } = place;
  const planning = planCall(session, planned, parts);
  // What is there at once is not waited for: most calls need nothing else.
  const { lane, mediaTokens } = planning instanceof Promise ? await planning : planning;
  if (session.isClientGone()) throw new ClientGone();
  const authorizing = lane.provider.authorize(lane.call, lane.target);
  const authorization = authorizing instanceof Promise ? await authorizing : authorizing;
  const held = session.forwarded.passport.hold?.bounds[index];
  const heldPrompt = held?.promptTokens ?? Infinity;
  // What a crash would charge; it has to be known before the request leaves, so it is taken from the length alone.
  const promptEstimate = Math.min(estimateTokens(session.forwarded.body.length) + mediaTokens, heldPrompt);
  const attempt = session.openAttempt(index, promptEstimate);
  place.noteSent();
  const stopWatching = cancelWithClient(session, lane);
  try {
    const upstream = await dispatchCall(
      { provider: lane.provider, call: lane.call, authorization, target: lane.target },
      parts,
      session.signal,
    );
    place.noteReply(upstream);
    if (!isSuccess(upstream)) throw await readFailure(lane.provider, upstream);
    place.noteFirstByte();
    const { charges } = session;
    const most = describeMost(session, lane.target);
    let estimated: number | undefined;
    const estimatePrompt = (): number => (estimated ??= Math.min(estimatePromptOf(session, planned, promptEstimate), heldPrompt));
    return { lane, upstream, attempt, place, charges, estimatePrompt, most, heldOutput: held?.outputTokens };
  } catch (error) {
    // No further attempt is made for a caller who has left.
    const reason = session.isClientGone() ? new ClientGone() : error;
    attempt.close({ usage: NO_USAGE, isLogical: place.endsWith(reason), ...describeFailure(error) });
    throw reason;
  } finally {
    stopWatching();
  }
}

/** In the express lane the request has not been decoded yet; one that cannot be decoded is counted by its length. */
function estimatePromptOf(session: ChatSession, { upstreamModel }: Attempt, byLength: number): number {
  try {
    return estimatePromptTokens(session.asked(), upstreamModel);
  } catch {
    return byLength;
  }
}

type FoundTarget = ReturnType<typeof findTarget>;
/** `mediaTokens`: of the media that was put into the request because the provider does not fetch it. */
type PlannedCall = { readonly lane: Lane; readonly mediaTokens: number };

/** Chooses the lane, at once unless there is media that the provider does not fetch itself. */
function planCall(session: ChatSession, attempt: Attempt, parts: ExchangeParts): PlannedCall | Promise<PlannedCall> {
  if (!isLargeText(session.forwarded.body)) return planAtOnce(session, attempt, parts);
  return planInSteps(session, attempt, parts);
}

async function planInSteps(session: ChatSession, attempt: Attempt, parts: ExchangeParts): Promise<PlannedCall> {
  await readInSteps(session, findTarget(attempt, parts, session.forwarded.headers));
  const planned = await planAtOnce(session, attempt, parts);
  await takeTurn(session.forwarded.body.length);
  return planned;
}

/** Reads what a lane needs to know of a large request; other requests are served between the steps. */
async function readInSteps(session: ChatSession, { provider, target }: FoundTarget): Promise<void> {
  const { length } = session.forwarded.body;
  await takeTurn(length);
  session.original();
  await takeTurn(length);
  if (findExpressLane(session, provider, target) === undefined) session.asked();
  await takeTurn(length);
}

function planAtOnce(session: ChatSession, attempt: Attempt, parts: ExchangeParts): PlannedCall | Promise<PlannedCall> {
  const inlining = parts.inlineMedia(session, findTarget(attempt, parts, session.forwarded.headers));
  if (inlining === undefined) return { lane: chooseLane(session, attempt, parts), mediaTokens: 0 };
  return inlining.then((inlined) => {
    const lane = chooseLane(session, attempt, { ...parts, inlined: inlined.asked });
    return { lane, mediaTokens: inlined.promptTokens };
  });
}

/** When the caller has left, the call of a stream is cancelled where that stops the billing; elsewhere it is billed anyway and runs on. */
function cancelWithClient(session: ChatSession, lane: Lane): () => void {
  let isWaiting = session.forwarded.passport.stream && lane.provider.onCancel === 'abort';
  session.onClientGone(() => {
    if (isWaiting) session.abort(new ClientGone());
  });
  return () => {
    isWaiting = false;
  };
}
