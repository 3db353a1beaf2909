import { createOriginalBody, readMember, replaceMember, type OriginalBody, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeFailure, type PumpOptions, OK, sendJson, writeUsageSource } from '@weir/exchange';
import { addHostedCalls, isFailureReport, readInBandFailure } from '@weir/providers';
import { readLimited } from '@weir/upstream-http';
import type { PricedUsage } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import { estimateTokens } from '../session/estimate-tokens';
import type { SendReply } from '../exchange/send-reply';
import type { ExpressExchange } from '../exchange/open-exchange';
import { createSettlement, isWithheld, type Settlement } from '../settlement/settlement';
import { checkReply } from '../guardrails/check-reply';
import { finishUsage } from './finish-usage';
import { renderUsage } from './render-usage';
import { repairReply } from '../repairs/repair-reply';
import { createRepairRules } from '../repairs/repair-rules';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** The list that every reply of a dialect has, even when it is empty. */
const ANSWER_MEMBERS: Readonly<Record<ChatDialect, string>> = { 'chat-completions': 'choices', messages: 'content', responses: 'output' };

/** Reads a whole reply in the provider's own bytes and settles it; returns a function that sends it, with the cost in its usage. */
export async function readExpressReply(
  session: ChatSession,
  exchange: ExpressExchange,
  options: Pick<PumpOptions, 'whenDurable' | 'failPoint'>,
): Promise<SendReply> {
  const settlement = createSettlement(exchange);
  const whole = new ReceivedReply(session, exchange, settlement);
  try {
    whole.read(await readLimited(exchange.upstream.body, REPLY_BYTES_MAX));
  } catch (thrown) {
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    // Without a reported usage nothing is charged: a failed reply is never charged by an estimate.
    settlement.drop(whole.usage, error);
    throw error;
  }
  const checking = checkReply(session, () => whole.reply.text);
  const rewrite = checking instanceof Promise ? await checking : checking;
  const refusal = session.guard?.refusal();
  const priced = settlement.settle(whole.usage, refusal === undefined ? OK : describeFailure(refusal));
  if (refusal !== undefined) throw refusal;
  const send = (): void => {
    const text = rewrite(replaceMember(whole.reply, 'usage', whole.renderUsage(priced)));
    writeUsageSource(session.response, priced.usage);
    sendJson(session.response, text, priced.costUsd);
  };
  return () => {
    options.failPoint('stream.before_terminal');
    return options.whenDurable === null ? void send() : options.whenDurable().then(send);
  };
}

/** A reply as its provider wrote it, and what it reports. */
class ReceivedReply {
  /** As far as it was read. */
  usage: Usage | null = null;
  reply!: OriginalBody;
  private reported: string | undefined;
  private reportedUsage: unknown;

  constructor(
    private readonly session: ChatSession,
    private readonly exchange: ExpressExchange,
    private readonly settlement: Settlement,
  ) {}

  /** Throws the provider's failure, also one that is reported in place of a reply. */
  read(bytes: Buffer): void {
    const { session, exchange, settlement } = this;
    exchange.attempt.noteFirstByte();
    const { provider, express } = exchange.lane;
    const received = bytes.toString('utf8');
    const { reply, json } = readReply(clean(received, exchange));
    this.reply = reply;
    this.reported = readMember(reply, 'usage');
    this.reportedUsage = json['usage'];
    const hasUsage = this.reported !== undefined && this.reportedUsage !== null;
    const read = hasUsage ? express.readUsage(this.reportedUsage, json['service_tier']) : null;
    this.usage = session.dialect === 'responses' ? addHostedCalls(read, json['output']) : read;
    if (isFailureReport(json)) throw readInBandFailure(provider, received);
    // No client could read it as a reply, so it is a failure and costs nothing.
    if (!Array.isArray(json[ANSWER_MEMBERS[session.dialect]])) throw unreadable(undefined);
    settlement.receive(bytes, () => isWithheld(received));
    settlement.progress(estimateTokens(bytes.length));
  }

  renderUsage(priced: PricedUsage): string {
    const { usage, reported, session, reportedUsage } = this;
    if (reported === undefined || usage === null) return renderUsage(session.dialect, priced);
    return finishUsage(reported, [], { dialect: session.dialect, reported: reportedUsage, priced });
  }
}

/** The reply with deviations from the dialect repaired; unchanged from a provider that keeps to the dialect. */
function clean(received: string, { lane }: ExpressExchange): string {
  const { dialect, cleanReply, deviations = [] } = lane.express;
  const cleaned = cleanReply === undefined ? received : cleanReply(received);
  if (dialect !== 'chat-completions' || deviations.length === 0) return cleaned;
  return repairReply(cleaned, createRepairRules(deviations, lane.target.attempt.modelId));
}

function readReply(text: string): { reply: OriginalBody; json: Record<string, unknown> } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
  const reply = createOriginalBody(text);
  if (reply === undefined) throw unreadable(undefined);
  return { reply, json: json as Record<string, unknown> };
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('provider_unreadable', "The provider's answer could not be read. Try again, or use another model.", { cause });
}
