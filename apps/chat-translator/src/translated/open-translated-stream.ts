import { NO_USAGE, promptTokens, type ChatEvent, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { describeCut, describeFailure, OK, type Outcome } from '@weir/exchange';
import { decodeStreamFailure, type ChatStreamEncoder } from '@weir/wire-formats';
import type { ChatSession } from '../session/chat-session';
import type { TranslatedExchange } from '../exchange/open-exchange';
import { openStream, type ChatStream, type StreamOptions } from '../exchange/open-stream';
import type { SendReply } from '../exchange/send-reply';
import { createReplyContext } from '../exchange/reply-context';
import { createSettlement, settleAbandoned, type Settlement } from '../settlement/settlement';
import { endBroken } from '../guardrails/end-broken';
import { gateEvents } from '../guardrails/gate-events';
import { openStreamGate, type StreamGate } from '../guardrails/stream-gate';
import { gateFailure } from '../guardrails/gate-failure';

/** English text has about four characters a token; while a stream runs nothing better is known. */
const CHARACTERS_PER_TOKEN = 4;

/** Sends a stream translated into the caller's dialect, event by event. */
export function openTranslatedStream(
  session: ChatSession,
  exchange: TranslatedExchange,
  options: StreamOptions,
): SendReply | Promise<SendReply> {
  const dropped = new Set<string>();
  const encoder = session.format.createStreamEncoder(createReplyContext(session, exchange, dropped));
  const settlement = createSettlement(exchange);
  const gate = openStreamGate(session, exchange);
  const encodeError = (error: GatewayError): string => gateFailure(encoder.fail(error), gate, session.dialect);
  const consumer = createTranslatingConsumer({ encoder, exchange, dropped, settlement, gate, encodeError });
  return openStream(
    session,
    exchange,
    {
      consumer,
      heartbeat: encoder.heartbeat,
      drop: (error) => settlement.drop(consumer.reported(), error),
    },
    options,
  );
}

/** A comment with the losses of a reply: they become known only after the headers of a stream have been sent. */
function encodeDropped(dropped: ReadonlySet<string>): string {
  return dropped.size === 0 ? '' : `: x-weir-dropped: ${[...dropped].join(', ')}\n\n`;
}

/** `reported`: the usage that the provider reported so far. */
type TranslatingConsumer = ChatStream['consumer'] & { reported(): Usage | null };
type ConsumerParts = {
  encoder: ChatStreamEncoder;
  exchange: TranslatedExchange;
  settlement: Settlement;
  dropped: ReadonlySet<string>;
  gate: StreamGate | undefined;
  /** The dialect's in-band error. */
  encodeError: (error: GatewayError) => string;
};

/** What a reply opens with before anything of its content came. */
function isOpening(event: ChatEvent): boolean {
  if (event.type === 'text-delta') return event.text === '';
  return event.type === 'start' || event.type === 'text-start' || event.type === 'refusal-start' || event.type === 'error';
}

/** Encodes the events of a stream in the caller's dialect, and keeps what they say about its progress. */
type EventEncoder = {
  readonly encode: (event: ChatEvent) => string;
  /** For a stream that is not sent to its caller any more: `usage` null when it ended without one. */
  readonly settle: (usage: Usage | null) => void;
  readonly outputTokens: () => number;
  readonly isEnded: () => boolean;
  readonly hasBegun: () => boolean;
  readonly hasContent: () => boolean;
};

function createEventEncoder({ encoder, settlement, dropped, gate }: Omit<ConsumerParts, 'exchange' | 'encodeError'>): EventEncoder {
  let characters = 0;
  let isEnded = false;
  let hasBegun = false;
  let hasContent = false;
  const outcome = (): Outcome => gate?.outcome() ?? OK;

  const encode = (event: ChatEvent): string => {
    // Events after the end are no part of the reply.
    if (isEnded) return '';
    hasBegun ||= event.type !== 'error';
    hasContent ||= !isOpening(event);
    switch (event.type) {
      case 'start':
        settlement.noteModel(event.model);
        return encoder.encode(event);
      case 'usage':
        return encoder.encode(event, settlement.settle(event.usage, outcome()));
      case 'end': {
        const last = settlement.isSettled() ? '' : encodeEstimate();
        isEnded = true;
        return last + encodeDropped(dropped) + encoder.encode(event);
      }
      case 'error':
        throw decodeStreamFailure(event);
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        characters += (event.type === 'tool-call-delta' ? event.argumentsText : event.text).length;
        return encoder.encode(event);
      default:
        return encoder.encode(event);
    }
  };

  /** The provider reported no usage: the caller still gets one, and it is still charged. */
  const encodeEstimate = (): string => {
    const priced = settlement.settle(null, outcome());
    return encoder.encode({ type: 'usage', usage: priced.usage }, priced);
  };

  return {
    encode,
    settle: (usage) => {
      settlement.settle(usage, outcome());
      isEnded ||= usage === null;
    },
    outputTokens: () => Math.ceil(characters / CHARACTERS_PER_TOKEN),
    isEnded: () => isEnded,
    hasBegun: () => hasBegun,
    hasContent: () => hasContent,
  };
}

function createTranslatingConsumer({ exchange, encodeError, ...parts }: ConsumerParts): TranslatingConsumer {
  const { settlement, gate } = parts;
  const decoder = exchange.lane.codec.createStreamDecoder(exchange.lane.target);
  const { encode, settle, outputTokens, isEnded, hasBegun, hasContent } = createEventEncoder(parts);
  const encodeRefusal = (): string =>
    encodeError(
      gate?.refusal() ??
        new GatewayError(
          'guardrail_blocked',
          'A guardrail of this organization does not let this pass. Change the request, or ask an administrator about the guardrail.',
        ),
    );
  const pass = gateEvents({ encode, encodeRefusal, settle }, gate);

  /** The encoded events of a chunk, kept here so that a failure in the middle of the chunk does not lose those before it. */
  let pending = '';
  const takePending = (): string => {
    const text = pending;
    pending = '';
    return text;
  };

  const encodeAll = (events: readonly ChatEvent[]): string => {
    for (const event of events) pending += pass(event);
    if (!settlement.isSettled() && events.length > 0) settlement.progress(outputTokens());
    return takePending();
  };

  /** Some providers report a usage of 0 until they know it: that counts as none. */
  const reported = (): Usage | null => {
    const usage = decoder.reported();
    return usage === null || promptTokens(usage) + usage.output === 0 ? null : usage;
  };

  /** The usage of a broken stream: as the provider reported it so far, and the output that arrived. */
  const partialUsage = (): Usage | null => {
    const usage = reported();
    if (usage === null) return null;
    const inputUncached = promptTokens(usage) === 0 ? exchange.estimatePrompt() : usage.inputUncached;
    return { ...usage, inputUncached, output: Math.max(usage.output, settlement.estimateOutput()), source: 'estimate' };
  };

  const fail = (error: GatewayError): string => {
    const { passed, failure } = endBroken(gate, error);
    if (hasBegun()) settlement.settle(partialUsage(), describeFailure(failure));
    else settlement.dropLast(reported() ?? NO_USAGE, failure);
    return takePending() + passed + encodeError(failure);
  };

  return {
    push: (chunk) => {
      settlement.receive(chunk);
      return encodeAll(decoder.push(chunk));
    },
    end: () => {
      const last = encodeAll(decoder.end());
      if (isEnded()) return last;
      pending = last;
      throw describeCut();
    },
    fail,
    abandon: (isBilledWhole) => settleAbandoned(settlement, partialUsage(), isBilledWhole),
    isSettled: () => settlement.isSettled(),
    isComplete: isEnded,
    reported,
    hasBegun,
    hasContent,
  };
}
