import { createOriginalBody, editBody, readMember, type OriginalBody, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeFailure, type PumpOptions, OK, sendJson, writeUsageSource } from '@weir/exchange';
import { addHostedCalls, isFailureReport, readInBandFailure } from '@weir/providers';
import { readLimited } from '@weir/upstream-http';
import type { ChatSession } from '../session/chat-session';
import { estimateTokens } from '../session/estimate-tokens';
import type { ExpressExchange } from '../exchange/open-exchange';
import { createSettlement, isWithheld, type Settlement } from '../settlement/settlement';
import { checkReply } from '../guardrails/check-reply';
import { finishUsage } from './finish-usage';
import { renderUsage } from './render-usage';
import { repairReply } from '../repairs/repair-reply';
import { createRepairRules } from '../repairs/repair-rules';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;
const NOTHING: ReadonlySet<string> = new Set();
/** The list that every reply of a dialect has, even when it is empty. */
const ANSWER_MEMBERS: Readonly<Record<ChatDialect, string>> = { 'chat-completions': 'choices', messages: 'content', responses: 'output' };

/** Reads a whole reply in the provider's own bytes and settles it; returns a function that sends it, with the cost in its usage. */
export async function readExpressReply(
  session: ChatSession,
  exchange: ExpressExchange,
  options: Pick<PumpOptions, 'whenDurable' | 'failPoint'>,
): Promise<() => Promise<void>> {
  const settlement = createSettlement(exchange);
  const { reply, reported, reportedUsage, usage } = await readWhole(session, exchange, settlement);
  const rewrite = await checkReply(session, () => reply.text);
  const refusal = session.guard?.refusal();
  const priced = settlement.settle(usage, refusal === undefined ? OK : describeFailure(refusal));
  if (refusal !== undefined) throw refusal;
  return async () => {
    const usageText =
      reported === undefined || usage === null
        ? renderUsage(session.dialect, priced)
        : finishUsage(reported, [], { dialect: session.dialect, reported: reportedUsage, priced });
    options.failPoint('stream.before_terminal');
    if (options.whenDurable !== null) await options.whenDurable();
    const text = editBody(reply, { set: new Map([['usage', usageText]]), remove: NOTHING });
    writeUsageSource(session.response, priced.usage);
    sendJson(session.response, rewrite(text), priced.costUsd);
  };
}

type WholeReply = {
  readonly reply: OriginalBody;
  readonly reported: string | undefined;
  readonly reportedUsage: unknown;
  readonly usage: Usage | null;
};

async function readWhole(session: ChatSession, exchange: ExpressExchange, settlement: Settlement): Promise<WholeReply> {
  let usage: Usage | null = null;
  try {
    const bytes = await readLimited(exchange.upstream.body, REPLY_BYTES_MAX);
    exchange.attempt.noteFirstByte();
    const { provider, express } = exchange.lane;
    const received = bytes.toString('utf8');
    const { reply, json } = readReply(clean(received, exchange));
    const reported = readMember(reply, 'usage');
    const reportedUsage = json['usage'];
    const read = reported === undefined || reportedUsage === null ? null : express.readUsage(reportedUsage, json['service_tier']);
    usage = session.dialect === 'responses' ? addHostedCalls(read, json['output']) : read;
    if (isFailureReport(json)) throw readInBandFailure(provider, received);
    // No client could read it as a reply, so it is a failure and costs nothing.
    if (!Array.isArray(json[ANSWER_MEMBERS[session.dialect]])) throw unreadable(undefined);
    settlement.receive(bytes, () => isWithheld(received));
    settlement.progress(estimateTokens(bytes.length));
    return { reply, reported, reportedUsage, usage };
  } catch (thrown) {
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    // Without a reported usage nothing is charged: a failed reply is never charged by an estimate.
    settlement.drop(usage, error);
    throw error;
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
