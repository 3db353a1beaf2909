import type { ChatEvent, Usage } from '@weir/canonical';
import { GatewayError, isErrorCode } from '@weir/errors';
import type { ChatStreamEncoder } from '@weir/wire-formats';
import type { ChatSession } from '../chat/chat-session';
import { describeFailure, type TranslatedExchange } from '../chat/open-exchange';
import { pumpStream, type PumpOptions, type StreamConsumer } from '../chat/pump-stream';
import { createReplyContext } from '../chat/reply-context';
import { createSettlement, OK, type Settlement } from '../chat/settlement';
import { writeStreamHead } from '../chat/write-reply-head';

/** English text has about four characters a token; while a stream runs nothing better is known. */
const CHARACTERS_PER_TOKEN = 4;

/** Sends a stream told again, event by event, in the caller's dialect. */
export function sendTranslatedStream(
  session: ChatSession,
  exchange: TranslatedExchange,
  options: Omit<PumpOptions, 'heartbeat'>,
): Promise<void> {
  writeStreamHead(session.response);
  const dropped = new Set<string>();
  const encoder = session.format.createStreamEncoder(createReplyContext(session, exchange, dropped));
  const consumer = createTranslatingConsumer({ encoder, exchange, dropped, settlement: createSettlement(exchange) });
  return pumpStream({ session, exchange, consumer }, { ...options, heartbeat: encoder.heartbeat });
}

/** The head of a stream is gone when its reply turns out to hold what the dialect has no word for: a comment tells it. */
function tellDropped(dropped: ReadonlySet<string>): string {
  return dropped.size === 0 ? '' : `: x-weir-dropped: ${[...dropped].join(', ')}\n\n`;
}

type ConsumerParts = { encoder: ChatStreamEncoder; exchange: TranslatedExchange; settlement: Settlement; dropped: ReadonlySet<string> };

function createTranslatingConsumer({ encoder, exchange, settlement, dropped }: ConsumerParts): StreamConsumer {
  const decoder = exchange.lane.codec.createStreamDecoder(exchange.lane.target);
  let known: Usage | null = null;
  let characters = 0;
  let isEnded = false;

  const encode = (event: ChatEvent): string => {
    switch (event.type) {
      case 'usage':
        known = event.usage;
        return encoder.encode(event, settlement.settle(event.usage, OK));
      case 'end': {
        const last = settlement.isSettled() ? '' : encodeEstimate();
        isEnded = true;
        return last + tellDropped(dropped) + encoder.encode(event);
      }
      case 'error':
        throw new GatewayError(isErrorCode(event.code) ? event.code : 'provider_failed', event.message);
      case 'start':
        known = event.usage ?? null;
        return encoder.encode(event);
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        characters += (event.type === 'tool-call-delta' ? event.argumentsText : event.text).length;
        return encoder.encode(event);
      default:
        return encoder.encode(event);
    }
  };

  /** The provider told no usage: the caller still gets one, and it is still billed. */
  const encodeEstimate = (): string => {
    const priced = settlement.settle(null, OK);
    return encoder.encode({ type: 'usage', usage: priced.usage }, priced);
  };

  /** What the events so far have made, kept apart so that a failure in mid-chunk does not take the words before it along. */
  let pending = '';
  const takePending = (): string => {
    const text = pending;
    pending = '';
    return text;
  };

  const encodeAll = (events: readonly ChatEvent[]): string => {
    for (const event of events) pending += encode(event);
    if (!settlement.isSettled() && events.length > 0) settlement.progress(outputTokens());
    return takePending();
  };

  const outputTokens = (): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

  /** What a broken stream used: the prompt as the provider told it at the start, and the output that was seen. */
  const partialUsage = (): Usage | null =>
    known === null ? null : { ...known, output: Math.max(known.output, outputTokens()), source: 'estimate' };

  const fail = (error: GatewayError): string => {
    settlement.settle(partialUsage(), describeFailure(error));
    return takePending() + encoder.fail(error);
  };

  return {
    push: (chunk) => encodeAll(decoder.push(chunk)),
    end: () => {
      const last = encodeAll(decoder.end());
      return isEnded ? last : last + fail(new GatewayError('provider_stream_cut', 'The provider ended its answer before it was complete.'));
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
    isComplete: () => isEnded,
  };
}
