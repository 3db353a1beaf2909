import type { ChatReply } from '@weir/canonical';
import { NO_USAGE } from '@weir/canonical';
import { readLimited } from '@weir/upstream-http';
import type { ChatSession } from '../chat/chat-session';
import { estimateTokens } from '../chat/estimate-tokens';
import { describeFailure, type TranslatedExchange } from '../chat/open-exchange';
import { createReplyContext } from '../chat/reply-context';
import type { PumpOptions } from '../chat/pump-stream';
import { createSettlement, OK } from '../chat/settlement';
import { sendJson, writeLosses } from '../chat/write-reply-head';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** Sends a whole reply told again in the caller's dialect. */
export async function sendTranslatedReply(
  session: ChatSession,
  exchange: TranslatedExchange,
  options: Pick<PumpOptions, 'whenDurable' | 'failPoint'>,
): Promise<void> {
  const settlement = createSettlement(exchange);
  try {
    const bytes = await readLimited(exchange.upstream.body, REPLY_BYTES_MAX);
    exchange.till.noteFirstByte();
    const reply: ChatReply = exchange.lane.codec.decodeReply(bytes.toString('utf8'), exchange.lane.target);
    settlement.progress(estimateTokens(bytes.length));
    const priced = settlement.settle(reply.usage, OK);
    options.failPoint('stream.before_terminal');
    await options.whenDurable?.();
    const { dropped } = exchange.lane.losses;
    const text = session.format.encodeReply(reply, priced, createReplyContext(session, exchange, dropped));
    writeLosses(session.response, exchange.lane.losses);
    sendJson(session.response, text, priced.costUsd);
  } catch (thrown) {
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    settlement.settle(NO_USAGE, describeFailure(error));
    throw error;
  }
}
