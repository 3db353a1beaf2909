import { NO_USAGE, type ChatReply } from '@weir/canonical';
import { describeFailure, OK, sendJson, writeLosses, writeUsageSource } from '@weir/exchange';
import { chatUsageOf } from '@weir/providers';
import { readLimitedAs, type WholeReader } from '@weir/upstream-http';
import type { ChatSession } from '../session/chat-session';
import { sendWhole, type SendOptions, type SendReply } from '../exchange/send-reply';
import type { TranslatedExchange } from '../exchange/open-exchange';
import { createReplyContext } from '../exchange/reply-context';
import { createSettlement, isWithheld, type Settlement } from '../settlement/settlement';
import { checkReply, type Rewrite } from '../guardrails/check-reply';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads a whole reply and settles it; returns a function that sends it, translated into the caller's dialect, or a promise of one where
 * bytes are missing.
 */
export function readTranslatedReply(
  session: ChatSession,
  exchange: TranslatedExchange,
  options: SendOptions,
): SendReply | Promise<SendReply> {
  return readLimitedAs(exchange.upstream.body, REPLY_BYTES_MAX, new TranslatedReply(session, exchange, options));
}

class TranslatedReply implements WholeReader<SendReply> {
  private readonly settlement: Settlement;
  private reply!: ChatReply;

  constructor(
    private readonly session: ChatSession,
    private readonly exchange: TranslatedExchange,
    private readonly options: SendOptions,
  ) {
    this.settlement = createSettlement(exchange);
  }

  read(bytes: Buffer): SendReply | Promise<SendReply> {
    const { session } = this;
    try {
      this.take(bytes);
    } catch (thrown) {
      throw this.fail(thrown);
    }
    const checking = checkReply(session, () => {
      const unpriced = { usage: this.reply.usage ?? NO_USAGE, costUsd: '0' };
      return session.format.encodeReply(this.reply, unpriced, createReplyContext(session, this.exchange));
    });
    return checking instanceof Promise ? checking.then((rewrite) => this.settle(rewrite)) : this.settle(checking);
  }

  fail(thrown: unknown): unknown {
    const { signal } = this.session;
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = signal.aborted ? signal.reason : thrown;
    this.settlement.drop(chatUsageOf(error), error);
    return error;
  }

  private take(bytes: Buffer): void {
    const { attempt, lane } = this.exchange;
    attempt.noteFirstByte();
    const text = bytes.toString('utf8');
    this.reply = lane.codec.decodeReply(text, lane.target);
    this.settlement.noteModel(this.reply.model);
    this.settlement.receiveWhole(bytes, this.reply.usage?.output ?? 0, () => isWithheld(text));
  }

  private settle(rewrite: Rewrite): SendReply {
    const { session, exchange, settlement, reply } = this;
    const refusal = session.guard?.refusal();
    const priced = settlement.settle(reply.usage, refusal === undefined ? OK : describeFailure(refusal));
    if (refusal !== undefined) throw refusal;
    return () =>
      sendWhole(session, exchange, this.options, () => {
        const { losses } = exchange.lane;
        const text = session.format.encodeReply(reply, priced, createReplyContext(session, exchange, losses.dropped));
        writeLosses(session.response, losses);
        writeUsageSource(session.response, priced.usage);
        sendJson(session.response, rewrite(text), priced.costUsd);
      });
  }
}
