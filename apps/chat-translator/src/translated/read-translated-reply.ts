import { NO_USAGE, type ChatReply } from '@weir/canonical';
import { describeFailure, type PumpOptions, OK, sendJson, writeLosses, writeUsageSource } from '@weir/exchange';
import { chatUsageOf } from '@weir/providers';
import { readLimited } from '@weir/upstream-http';
import type { ChatSession } from '../session/chat-session';
import { estimateTokens } from '../session/estimate-tokens';
import type { SendReply } from '../exchange/send-reply';
import type { TranslatedExchange } from '../exchange/open-exchange';
import { createReplyContext } from '../exchange/reply-context';
import { createSettlement, isWithheld, type Settlement } from '../settlement/settlement';
import { checkReply } from '../guardrails/check-reply';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** Reads a whole reply and settles it; returns a function that sends it, translated into the caller's dialect. */
export async function readTranslatedReply(
  session: ChatSession,
  exchange: TranslatedExchange,
  options: Pick<PumpOptions, 'whenDurable' | 'failPoint'>,
): Promise<SendReply> {
  const settlement = createSettlement(exchange);
  const reply = await readWhole(session, exchange, settlement);
  const unpriced = { usage: reply.usage ?? NO_USAGE, costUsd: '0' };
  const rewrite = await checkReply(session, () => session.format.encodeReply(reply, unpriced, createReplyContext(session, exchange)));
  const refusal = session.guard?.refusal();
  const priced = settlement.settle(reply.usage, refusal === undefined ? OK : describeFailure(refusal));
  if (refusal !== undefined) throw refusal;
  const send = (): void => {
    const { dropped } = exchange.lane.losses;
    const text = session.format.encodeReply(reply, priced, createReplyContext(session, exchange, dropped));
    writeLosses(session.response, exchange.lane.losses);
    writeUsageSource(session.response, priced.usage);
    sendJson(session.response, rewrite(text), priced.costUsd);
  };
  return () => {
    options.failPoint('stream.before_terminal');
    return options.whenDurable === null ? void send() : options.whenDurable().then(send);
  };
}

async function readWhole(
  session: ChatSession,
  { upstream, attempt, lane }: TranslatedExchange,
  settlement: Settlement,
): Promise<ChatReply> {
  try {
    const bytes = await readLimited(upstream.body, REPLY_BYTES_MAX);
    attempt.noteFirstByte();
    const text = bytes.toString('utf8');
    const reply = lane.codec.decodeReply(text, lane.target);
    settlement.receive(bytes, () => isWithheld(text));
    settlement.progress(estimateTokens(bytes.length));
    return reply;
  } catch (thrown) {
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    settlement.drop(chatUsageOf(error), error);
    throw error;
  }
}
