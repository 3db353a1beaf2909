import type { ChatDialect } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import { describeFailure, OK, type Outcome } from '@weir/exchange';
import { chatUsageOf, readInBandFailure } from '@weir/providers';
import type { ChatSession } from '../session/chat-session';
import type { ExpressExchange } from '../exchange/open-exchange';
import { openStream, type StreamOptions } from '../exchange/open-stream';
import type { SendReply } from '../exchange/send-reply';
import { createSettlement } from '../settlement/settlement';
import { openStreamGate } from '../guardrails/stream-gate';
import type { ExpressTap, TapHost } from '../frames/express-tap';
import { ExpressConsumer } from './express-consumer';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

const HEARTBEATS: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': ': ping\n\n',
  responses: ': ping\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

/** Sends a stream in the provider's own bytes; only the frames that carry usage are read and get the cost. */
export function openExpressStream(session: ChatSession, exchange: ExpressExchange, options: StreamOptions): SendReply | Promise<SendReply> {
  const settlement = createSettlement(exchange);
  const gate = openStreamGate(session, exchange);
  let failure: GatewayError | undefined;
  const tap = createTap(session, {
    readUsage: exchange.lane.express.readUsage,
    expectedModel: `"model":${JSON.stringify(exchange.lane.target.attempt.upstreamModel)}`,
    noteModel: (reported) => settlement.noteModel(reported),
    mayBeDropped: () => exchange.mayBeFollowed && !consumer.hasContent() && gate?.refusal() === undefined,
    settle: (usage, failed) => {
      if (failed !== undefined) failure = readInBandFailure(exchange.lane.provider, failed);
      return settlement.settle(usage, gate?.refusal() === undefined ? endOf(failure) : gate.outcome());
    },
  });
  const consumer = new ExpressConsumer({ session, exchange, tap, settlement, gate, failure: () => failure });
  return openStream(
    session,
    exchange,
    {
      consumer,
      heartbeat: HEARTBEATS[session.dialect],
      drop: (error) => settlement.drop(chatUsageOf(error) ?? tap.lastUsage(), error),
    },
    options,
  );
}

/** The outcome, in the usage event, of a stream that was passed on to its end. */
function endOf(failure: GatewayError | undefined): Outcome {
  return failure === undefined ? OK : describeFailure(failure);
}

function createTap(session: ChatSession, host: TapHost): ExpressTap {
  if (session.dialect === 'messages') return tapMessages(host);
  if (session.dialect === 'responses') return tapResponses(host);
  const { stream_options: options, n } = session.body.json as { stream_options?: { include_usage?: unknown } | null; n?: unknown };
  return tapChatCompletions(host, { isUsageAsked: options?.include_usage === true, choices: typeof n === 'number' && n > 1 ? n : 1 });
}
