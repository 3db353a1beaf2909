import { ClientGone, runTogether } from '@weir/exchange';
import { dispatchCall, isSuccess, readFailure, type CallTimeouts, type ExpressCall, type WholeReply } from '@weir/providers';
import type { AttemptPlace } from '@weir/routing';
import { createCancellation, readLimited, type CancelSignal } from '@weir/upstream-http';
import type { ChosenLane } from './choose-embedding-lane';
import type { EmbeddingSession } from './embedding-session';

const REPLY_BYTES_MAX = 128 * 1024 * 1024;
/** Calls of one request that may run at the same time: quick for the caller, and within what a provider's rate limit allows. */
const CALLS_AT_ONCE = 4;

type SendParts = CallTimeouts & {
  /** Called with each reply as it arrives, also with those before a failure. */
  readonly onReply: (reply: WholeReply) => void;
  /** Called with the head of each reply, of a refusal too. */
  readonly noteHead: AttemptPlace['noteReply'];
};

/** Sends every call of a lane; returns the replies in the order of the calls. The first failure stops the rest. */
export async function sendCalls(session: EmbeddingSession, lane: ChosenLane, parts: SendParts): Promise<WholeReply[]> {
  const { calls } = lane;
  const failed = createCancellation();
  const signal = calls.length === 1 ? session.signal : failed.signal;
  const stopAll = (): void => failed.abort(session.signal.reason);
  if (session.signal.aborted) stopAll();
  session.signal.addEventListener('abort', stopAll);
  return runTogether({
    count: calls.length,
    atOnce: CALLS_AT_ONCE,
    stop: (error) => failed.abort(error),
    work: (index) => {
      if (session.isClientGone()) throw new ClientGone();
      if (signal.aborted) throw toError(signal.reason);
      return sendCall(lane, calls[index] as ExpressCall, { ...parts, signal });
    },
  });
}

async function sendCall(
  { provider, target }: ChosenLane,
  call: ExpressCall,
  parts: SendParts & { readonly signal: CancelSignal },
): Promise<WholeReply> {
  const authorization = await provider.authorize(call, target);
  const upstream = await dispatchCall({ provider, call, authorization, target }, parts, parts.signal);
  parts.noteHead(upstream);
  if (!isSuccess(upstream)) throw await readFailure(provider, upstream);
  const bytes = await readLimited(upstream.body, REPLY_BYTES_MAX);
  const reply = { text: bytes.toString('utf8'), headers: upstream.headers };
  parts.onReply(reply);
  return reply;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
