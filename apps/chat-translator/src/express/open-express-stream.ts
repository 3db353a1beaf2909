import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeCut, describeFailure, OK, type Outcome, type StreamConsumer } from '@weir/exchange';
import { chatUsageOf, readInBandFailure } from '@weir/providers';
import type { ChatSession } from '../session/chat-session';
import type { ExpressExchange } from '../exchange/open-exchange';
import { openStream, type StreamOptions } from '../exchange/open-stream';
import { createSettlement, settleAbandoned, type Settlement } from '../settlement/settlement';
import { endBroken } from '../guardrails/end-broken';
import { gateTap } from '../guardrails/gate-tap';
import { withoutOutput } from '../guardrails/without-output';
import { openStreamGate, type StreamGate } from '../guardrails/stream-gate';
import { cleanFrames } from '../frames/clean-frames';
import { createFrameSplitter } from '../frames/create-frame-splitter';
import { encodeFailure } from './encode-failure';
import { readUnstreamed } from './read-unstreamed';
import { InBandError, type ExpressTap, type TapHost } from '../frames/express-tap';
import { createRepairRules } from '../repairs/repair-rules';
import { createStreamRepair } from '../repairs/repair-stream';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

const HEARTBEATS: Readonly<Record<ChatDialect, string>> = {
  'chat-completions': ': ping\n\n',
  responses: ': ping\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
};

const FIRST_FRAME_BYTES_MAX = 4096;

/** No event stream begins with it; JSON does. */
const OPEN_BRACE = 0x7b;

/** Every stream, also one that fails at once, begins with one frame. */
const FRAMES_UNDER_WAY = 2;

/** Sends a stream in the provider's own bytes; only the frames that carry usage are read and get the cost. */
export function openExpressStream(session: ChatSession, exchange: ExpressExchange, options: StreamOptions): Promise<() => Promise<void>> {
  const settlement = createSettlement(exchange);
  const gate = openStreamGate(session, exchange);
  let failure: GatewayError | undefined;
  const tap = createTap(session, {
    readUsage: exchange.lane.express.readUsage,
    settle: (usage, failed) => {
      if (failed !== undefined) failure = readInBandFailure(exchange.lane.provider, failed);
      return settlement.settle(usage, gate?.refusal() === undefined ? endOf(failure) : gate.outcome());
    },
  });
  const consumer = Object.assign(createExpressConsumer({ session, exchange, tap, settlement, gate }), { failure: () => failure });
  return openStream(
    session,
    exchange,
    {
      consumer,
      heartbeat: HEARTBEATS[session.dialect],
      isUnderWay: () => consumer.frames() >= FRAMES_UNDER_WAY || consumer.isComplete(),
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

/** `frames`: how many were passed on. */
type ExpressConsumer = StreamConsumer & { frames(): number };
type ConsumerParts = {
  session: ChatSession;
  exchange: ExpressExchange;
  tap: ExpressTap;
  settlement: Settlement;
  gate: StreamGate | undefined;
};

function createExpressConsumer({ session, exchange, settlement, gate, ...parts }: ConsumerParts): ExpressConsumer {
  const splitter = createFrameSplitter(settlement.receive);
  const clean = chooseCleaning(session, exchange);
  let frames = 0;
  let firstFrame = '';
  /** Comments, which keep a connection open, are no part of a reply. */
  let hasData = false;
  /** What came before a failure in the same bytes. */
  let before = '';
  let isFailureRead = false;

  const partialUsage = (): Usage | null => completeUsage(parts.tap.lastUsage(), session.dialect, settlement.estimateOutput);

  const failureText = (error: GatewayError | undefined): string =>
    error === undefined ? '' : encodeFailure(session, exchange, error, { frames, firstFrame, output: parts.tap.output?.() ?? [] });
  const tap = gateTap(parts.tap, gate, () => withoutOutput(failureText(gate?.refusal()), session.dialect));

  /** Passes frames on as far as the failure that they may report. */
  const passOn = <Passed>(pass: () => Passed): Passed => {
    try {
      return pass();
    } catch (error) {
      if (!(error instanceof InBandError)) throw error;
      before += error.before;
      hasData ||= error.before.includes('data:');
      frames += countFrames(Buffer.from(error.before));
      isFailureRead = true;
      throw readInBandFailure(exchange.lane.provider, error.body);
    }
  };

  /** Passes on what was buffered; returns the reason for the end, which the buffered frames may state better. */
  const flushBuffered = (error: GatewayError): GatewayError => {
    if (isFailureRead) return error;
    const { passed, failure } = endBroken(gate, error);
    try {
      if (passed !== '') before += passOn(() => parts.tap.push(Buffer.from(passed))).toString();
    } catch (reported) {
      return reported instanceof GatewayError ? reported : error;
    }
    return failure;
  };

  const fail = (error: GatewayError): string => {
    const failure = flushBuffered(error);
    settleBroken(settlement, hasData ? { partial: partialUsage() } : { reported: chatUsageOf(error) ?? parts.tap.lastUsage() }, failure);
    return before + (gate?.refusal() === undefined ? failureText(failure) : withoutOutput(failureText(failure), session.dialect));
  };

  return {
    push: (chunk) => {
      const arrived = splitter.push(chunk);
      const whole = arrived === null ? null : clean(arrived);
      if (whole === null || whole.length === 0) return '';
      if (frames === 0) {
        if (whole[0] === OPEN_BRACE) throw readUnstreamed(exchange.lane, whole.toString('utf8'));
        firstFrame = whole.toString('utf8', 0, FIRST_FRAME_BYTES_MAX);
      }
      const passed = passOn(() => tap.push(whole));
      hasData ||= whole.includes('data:');
      frames += countFrames(whole);
      if (!settlement.isSettled()) settlement.progress(frames);
      return passed;
    },
    end: () => {
      const rest = splitter.rest();
      if (frames === 0 && rest?.[0] === OPEN_BRACE) throw readUnstreamed(exchange.lane, rest.toString('utf8'));
      if (rest !== null) before += passOn(() => tap.push(clean(Buffer.concat([rest, Buffer.from('\n\n')]))).toString());
      before += passOn(() => tap.flush?.() ?? '');
      if (tap.isComplete()) return before + tap.end();
      throw describeCut();
    },
    fail,
    abandon: (isBilledWhole) => settleAbandoned(settlement, partialUsage(), isBilledWhole),
    isSettled: settlement.isSettled,
    ...{ isComplete: tap.isComplete, isOver: tap.isOver },
    frames: () => frames,
  };
}

/** How frames are changed before they are read: not at all where the provider keeps to the dialect. */
function chooseCleaning(session: ChatSession, { lane }: ExpressExchange): (whole: Buffer) => Buffer {
  const { cleanFrame, deviations = [] } = lane.express;
  const clean = cleanFrame === undefined ? undefined : (whole: Buffer) => cleanFrames(whole, cleanFrame);
  if (session.dialect !== 'chat-completions' || deviations.length === 0) return clean ?? ((whole) => whole);
  const repair = createStreamRepair(createRepairRules(deviations, lane.target.attempt.modelId));
  return clean === undefined ? repair : (whole) => repair(clean(whole));
}

/** A stream that failed before its first event is no reply; `reported` is the usage that its provider reported all the same. */
function settleBroken(settlement: Settlement, used: { partial: Usage | null } | { reported: Usage | null }, failure: GatewayError): void {
  if ('partial' in used) settlement.settle(used.partial, describeFailure(failure));
  else settlement.dropLast(used.reported ?? NO_USAGE, failure);
}

/** The usage of a broken stream. In the messages dialect the prompt is reported at the start, and the output only as a placeholder. */
function completeUsage(reported: Usage | null, dialect: ChatDialect, estimateOutput: () => number): Usage | null {
  // Some providers report a usage of 0 until they know it.
  if (reported === null || promptTokens(reported) + reported.output === 0) return null;
  if (dialect !== 'messages') return reported;
  return { ...reported, output: Math.max(reported.output, estimateOutput()), source: 'estimate' };
}

/** Providers send about one token a frame: the best estimate that needs no reading of the frames. */
function countFrames(bytes: Buffer): number {
  return countOf(bytes, '\n\n') || countOf(bytes, '\r\n\r\n');
}

function countOf(bytes: Buffer, end: string): number {
  let count = 0;
  let next = 0;
  // Most often it is one frame, after whose end there is nothing to search.
  while (next < bytes.length) {
    const at = bytes.indexOf(end, next);
    if (at === -1) break;
    count += 1;
    next = at + end.length;
  }
  return count;
}
