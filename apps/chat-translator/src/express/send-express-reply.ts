import { createOriginalBody, editBody, NO_USAGE, readMember, type OriginalBody } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { readLimited } from '@weir/upstream-http';
import type { ChatSession } from '../chat/chat-session';
import { estimateTokens } from '../chat/estimate-tokens';
import { describeFailure, type ExpressExchange } from '../chat/open-exchange';
import type { PumpOptions } from '../chat/pump-stream';
import { createSettlement, OK } from '../chat/settlement';
import { sendJson } from '../chat/write-reply-head';
import { addSearches } from './add-searches';
import { finishUsage } from './finish-usage';
import { renderUsage } from './render-usage';

const REPLY_BYTES_MAX = 64 * 1024 * 1024;
const NOTHING: ReadonlySet<string> = new Set();

/** Sends a whole reply in the provider's own bytes, with the cost written into its usage. */
export async function sendExpressReply(
  session: ChatSession,
  exchange: ExpressExchange,
  options: Pick<PumpOptions, 'whenDurable' | 'failPoint'>,
): Promise<void> {
  const settlement = createSettlement(exchange);
  try {
    const bytes = await readLimited(exchange.upstream.body, REPLY_BYTES_MAX);
    exchange.till.noteFirstByte();
    const { readUsage, cleanReply } = exchange.lane.express;
    const received = bytes.toString('utf8');
    const text = cleanReply === undefined ? received : cleanReply(received);
    const reply = readReply(text);
    const told = readMember(reply, 'usage');
    const toldUsage: unknown = told === undefined ? undefined : JSON.parse(told);
    const read = told === undefined ? null : readUsage(toldUsage);
    const usage = session.dialect === 'responses' ? addSearches(read, readSearchedOutput(reply)) : read;
    settlement.progress(estimateTokens(bytes.length));
    const priced = settlement.settle(usage, OK);
    const usageText =
      told === undefined || usage === null
        ? renderUsage(session.dialect, priced)
        : finishUsage(told, [], { dialect: session.dialect, told: toldUsage, priced });
    options.failPoint('stream.before_terminal');
    await options.whenDurable?.();
    sendJson(session.response, editBody(reply, { set: new Map([['usage', usageText]]), remove: NOTHING }), priced.costUsd);
  } catch (thrown) {
    // Cut by our own deadline, the body only says that it was cut.
    const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
    // Broken before its usage was told: nobody is charged for what nobody counted.
    settlement.settle(NO_USAGE, describeFailure(error));
    throw error;
  }
}

/** The output's items; undefined for a reply that never searched, whose output need not be parsed again. */
function readSearchedOutput(reply: OriginalBody): unknown {
  const output = reply.text.includes('"web_search_call"') ? readMember(reply, 'output') : undefined;
  return output === undefined ? undefined : (JSON.parse(output) as unknown);
}

function readReply(text: string) {
  try {
    JSON.parse(text);
  } catch (error) {
    throw unreadable(error);
  }
  const reply = createOriginalBody(text);
  if (reply === undefined) throw unreadable(undefined);
  return reply;
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('provider_unreadable', "The provider's answer could not be read.", { cause });
}
