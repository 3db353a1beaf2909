import type { Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ChatSession } from '../chat/chat-session';
import { describeFailure, type ExpressExchange } from '../chat/open-exchange';
import { pumpStream, type PumpOptions, type StreamConsumer } from '../chat/pump-stream';
import { createSettlement, OK, type Settlement } from '../chat/settlement';
import { writeStreamHead } from '../chat/write-reply-head';
import { cleanFrames } from './clean-frames';
import { createFrameSplitter } from './create-frame-splitter';
import { encodeFailure } from './encode-failure';
import { InBandError, type ExpressTap, type TapHost } from './express-tap';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

const HEARTBEATS: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': ': ping\n\n',
  responses: ': ping\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

const FIRST_FRAME_BYTES_MAX = 4096;

/** Sends a stream in the provider's own bytes; only the frames that carry usage are read and get the cost. */
export function sendExpressStream(session: ChatSession, exchange: ExpressExchange, options: Omit<PumpOptions, 'heartbeat'>): Promise<void> {
  writeStreamHead(session.response);
  const settlement = createSettlement(exchange);
  const tap = createTap(session, { readUsage: exchange.lane.express.readUsage, settle: (usage) => settlement.settle(usage, OK) });
  return pumpStream(
    { session, exchange, consumer: createExpressConsumer({ session, exchange, tap, settlement }) },
    { ...options, heartbeat: HEARTBEATS[session.dialect] },
  );
}

function createTap(session: ChatSession, host: TapHost): ExpressTap {
  if (session.dialect === 'messages') return tapMessages(host);
  if (session.dialect === 'responses') return tapResponses(host);
  const options = session.body.json['stream_options'] as { include_usage?: unknown } | null | undefined;
  return tapChatCompletions(host, options?.include_usage === true);
}

type ConsumerParts = { session: ChatSession; exchange: ExpressExchange; tap: ExpressTap; settlement: Settlement };

function createExpressConsumer({ session, exchange, tap, settlement }: ConsumerParts): StreamConsumer {
  const splitter = createFrameSplitter();
  const { cleanFrame } = exchange.lane.express;
  const clean = (whole: Buffer): Buffer => (cleanFrame === undefined ? whole : cleanFrames(whole, cleanFrame));
  let frames = 0;
  let firstFrame = '';
  /** What came before a failure in the same bytes. */
  let before = '';

  /** What a broken stream used. Messages tell their prompt at the start, and of their output only a placeholder. */
  const partialUsage = (): Usage | null => {
    const told = tap.lastUsage();
    if (told === null || session.dialect !== 'messages') return told;
    return { ...told, output: Math.max(told.output, Math.min(frames, exchange.heldOutput ?? Infinity)), source: 'estimate' };
  };

  const fail = (error: GatewayError): string => {
    settlement.settle(partialUsage(), describeFailure(error));
    return before + encodeFailure({ session, exchange }, error, { frames, firstFrame, output: tap.output?.() ?? [] });
  };

  return {
    push: (chunk) => {
      const arrived = splitter.push(chunk);
      const whole = arrived === null ? null : clean(arrived);
      if (whole === null || whole.length === 0) return '';
      if (frames === 0) firstFrame = whole.toString('utf8', 0, FIRST_FRAME_BYTES_MAX);
      try {
        const passed = tap.push(whole);
        frames += countFrames(whole);
        if (!settlement.isSettled()) settlement.progress(frames);
        return passed;
      } catch (error) {
        if (!(error instanceof InBandError)) throw error;
        before = error.before;
        frames += countFrames(Buffer.from(before));
        throw exchange.lane.provider.readError(502, {}, error.body);
      }
    },
    end: () => {
      const rest = splitter.rest();
      const last = rest === null ? '' : tap.push(clean(Buffer.concat([rest, Buffer.from('\n\n')]))).toString();
      if (tap.isComplete()) return last + tap.end();
      return last + fail(new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.'));
    },
    fail,
    abandon: (isBilledWhole) => {
      settlement[isBilledWhole ? 'settleAtMost' : 'settle'](partialUsage(), {
        status: 'client_closed',
        httpStatus: 200,
        errorOrigin: null,
      });
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
