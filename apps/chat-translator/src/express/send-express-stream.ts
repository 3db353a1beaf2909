import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ChatSession } from '../chat/chat-session';
import { describeFailure, type ExpressExchange, type OpenExchange } from '../chat/open-exchange';
import { pumpStream, type PumpOptions, type StreamConsumer } from '../chat/pump-stream';
import { createSettlement, OK, type Settlement } from '../chat/settlement';
import { createReplyContext } from '../chat/reply-context';
import { writeStreamHead } from '../chat/write-reply-head';
import { createFrameSplitter } from './create-frame-splitter';
import { InBandError, type ExpressTap, type TapHost } from './express-tap';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

const HEARTBEATS: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': ': ping\n\n',
  responses: ': ping\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

const DRAIN_MS = 120_000;

/** Sends a stream in the provider's own bytes; only the frames that carry usage are read and get the cost. */
export function sendExpressStream(
  session: ChatSession,
  exchange: ExpressExchange,
  options: Pick<PumpOptions, 'heartbeatMs' | 'whenDurable'>,
): Promise<void> {
  writeStreamHead(session.response);
  const settlement = createSettlement(exchange);
  const tap = createTap(session, { readUsage: exchange.lane.express.readUsage, settle: (usage) => settlement.settle(usage, OK) });
  return pumpStream(
    { session, exchange, consumer: createExpressConsumer({ session, exchange, tap, settlement }) },
    {
      heartbeat: HEARTBEATS[session.dialect],
      heartbeatMs: options.heartbeatMs,
      drainMs: DRAIN_MS,
      whenDurable: options.whenDurable,
    },
  );
}

function createTap(session: ChatSession, host: TapHost): ExpressTap {
  if (session.dialect === 'messages') return tapMessages(host);
  if (session.dialect === 'responses') return tapResponses(host);
  const options = session.body.json['stream_options'] as { include_usage?: unknown } | null | undefined;
  return tapChatCompletions(host, options?.include_usage === true);
}

type ConsumerParts = { session: ChatSession; exchange: OpenExchange; tap: ExpressTap; settlement: Settlement };

function createExpressConsumer({ session, exchange, tap, settlement }: ConsumerParts): StreamConsumer {
  const splitter = createFrameSplitter();
  let frames = 0;

  const fail = (error: GatewayError): string => {
    settlement.settle(tap.lastUsage(), describeFailure(error));
    return session.format.createStreamEncoder(createReplyContext(session, exchange)).fail(error);
  };

  return {
    push: (chunk) => {
      const whole = splitter.push(chunk);
      if (whole === null) return '';
      frames += countFrames(whole);
      if (!settlement.isSettled()) settlement.progress(frames);
      try {
        return tap.push(whole);
      } catch (error) {
        if (error instanceof InBandError) throw exchange.lane.provider.readError(502, {}, error.body);
        throw error;
      }
    },
    end: () => {
      const rest = splitter.rest();
      const last = rest === null ? '' : tap.push(Buffer.concat([rest, Buffer.from('\n\n')])).toString();
      if (tap.isComplete()) return last + tap.end();
      return last + fail(new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.'));
    },
    fail,
    abandon: () => {
      settlement.settle(tap.lastUsage(), { status: 'client_closed', httpStatus: 200, errorOrigin: null });
    },
    isSettled: settlement.isSettled,
    isComplete: tap.isComplete,
  };
}

/** Providers send about one token a frame: the best that can be told without reading the frames. */
function countFrames(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf('\n\n'); at !== -1; at = bytes.indexOf('\n\n', at + 2)) count += 1;
  return count;
}
