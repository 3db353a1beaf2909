import type { Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeFailure, OK, sendJson, writeUsageSource } from '@weir/exchange';
import { addHostedCalls, isFailureReport, readInBandFailure } from '@weir/providers';
import { readLimitedAs, type WholeReader } from '@weir/upstream-http';
import type { PricedUsage } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import { sendWhole, type SendOptions, type SendReply } from '../exchange/send-reply';
import type { ExpressExchange } from '../exchange/open-exchange';
import { createSettlement, isWithheld, type Settlement } from '../settlement/settlement';
import { checkReply, type Rewrite } from '../guardrails/check-reply';
import { finishUsage } from './finish-usage';
import { renderUsage } from './render-usage';
import { readReplyText, type ReplyText } from './reply-text';
import { repairReply } from '../repairs/repair-reply';
import { createRepairRules } from '../repairs/repair-rules';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** The list that every reply of a dialect has, even when it is empty. */
const ANSWER_MEMBERS: Readonly<Record<ChatDialect, string>> = { 'chat-completions': 'choices', messages: 'content', responses: 'output' };

/**
 * Reads a whole reply in the provider's own bytes and settles it; returns a function that sends it, with the cost in its usage, or a
 * promise of one where bytes are missing.
 */
export function readExpressReply(session: ChatSession, exchange: ExpressExchange, options: SendOptions): SendReply | Promise<SendReply> {
  return readLimitedAs(exchange.upstream.body, REPLY_BYTES_MAX, new ReceivedReply(session, exchange, options));
}

/** A reply as its provider wrote it, and what it reports. */
class ReceivedReply implements WholeReader<SendReply> {
  private readonly settlement: Settlement;
  /** As far as it was read. */
  private usage: Usage | null = null;
  private reply!: ReplyText;
  private reported: string | undefined;
  private reportedUsage: unknown;

  constructor(
    private readonly session: ChatSession,
    private readonly exchange: ExpressExchange,
    private readonly options: SendOptions,
  ) {
    this.settlement = createSettlement(exchange);
  }

  read(bytes: Buffer): SendReply | Promise<SendReply> {
    try {
      this.take(bytes);
    } catch (thrown) {
      throw this.fail(thrown);
    }
    const checking = checkReply(this.session, () => this.reply.text);
    return checking instanceof Promise ? checking.then((rewrite) => this.settle(rewrite)) : this.settle(checking);
  }

  fail(thrown: unknown): unknown {
    const { signal } = this.session;
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = signal.aborted ? signal.reason : thrown;
    // Without a reported usage nothing is charged: a failed reply is never charged by an estimate.
    this.settlement.drop(this.usage, error);
    return error;
  }

  /** Throws the provider's failure, also one that is reported in place of a reply. */
  private take(bytes: Buffer): void {
    const { session, exchange, settlement } = this;
    exchange.attempt.noteFirstByte();
    const { provider, express } = exchange.lane;
    const received = bytes.toString('utf8');
    const { reply, json } = readReply(clean(received, exchange));
    this.reply = reply;
    this.reported = reply.usage;
    this.reportedUsage = json['usage'];
    const hasUsage = this.reported !== undefined && this.reportedUsage !== null;
    const read = hasUsage ? express.readUsage(this.reportedUsage, json['service_tier']) : null;
    this.usage = session.dialect === 'responses' ? addHostedCalls(read, json['output']) : read;
    if (isFailureReport(json)) throw readInBandFailure(provider, received);
    // No client could read it as a reply, so it is a failure and costs nothing.
    if (!Array.isArray(json[ANSWER_MEMBERS[session.dialect]])) throw unreadable(undefined);
    settlement.noteModel(json['model']);
    settlement.receiveWhole(bytes, this.usage?.output ?? 0, () => isWithheld(received));
  }

  private settle(rewrite: Rewrite): SendReply {
    const { session, exchange, settlement } = this;
    const refusal = session.guard?.refusal();
    const priced = settlement.settle(this.usage, refusal === undefined ? OK : describeFailure(refusal));
    if (refusal !== undefined) throw refusal;
    return () =>
      sendWhole(session, exchange, this.options, () => {
        writeUsageSource(session.response, priced.usage);
        sendJson(session.response, rewrite(this.reply.withUsage(this.renderUsage(priced))), priced.costUsd);
      });
  }

  private renderUsage(priced: PricedUsage): string {
    const { usage, reported, session, reportedUsage } = this;
    if (reported === undefined || usage === null) return renderUsage(session.dialect, priced);
    return finishUsage(reported, [], { dialect: session.dialect, reported: reportedUsage, priced });
  }
}

/** The reply with deviations from the dialect repaired; unchanged from a provider that keeps to the dialect. */
function clean(received: string, { lane }: ExpressExchange): string {
  const { dialect, deviations = [] } = lane.express;
  if (dialect !== 'chat-completions' || deviations.length === 0) return received;
  return repairReply(received, createRepairRules(deviations, lane.target.attempt.modelId));
}

function readReply(text: string): { reply: ReplyText; json: Record<string, unknown> } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
  const reply = readReplyText(text);
  if (reply === undefined) throw unreadable(undefined);
  return { reply, json: json as Record<string, unknown> };
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('provider_unreadable', "The provider's answer could not be read. Try again, or use another model.", { cause });
}
