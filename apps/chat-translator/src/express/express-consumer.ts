import { NO_USAGE, promptTokens, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeCut, describeFailure, type StreamConsumer } from '@weir/exchange';
import { chatUsageOf, readInBandFailure } from '@weir/providers';
import type { ChatSession } from '../session/chat-session';
import type { ExpressExchange } from '../exchange/open-exchange';
import { settleAbandoned, type Settlement } from '../settlement/settlement';
import { endBroken } from '../guardrails/end-broken';
import { gateTap } from '../guardrails/gate-tap';
import { withoutOutput } from '../guardrails/without-output';
import type { StreamGate } from '../guardrails/stream-gate';
import { countFrames } from '../frames/count-frames';
import { FrameSplitter } from '../frames/frame-splitter';
import { InBandError, type ExpressTap } from '../frames/express-tap';
import { chooseCleaning } from './choose-cleaning';
import { encodeFailure } from './encode-failure';
import { holdsContent } from './holds-content';
import { readUnstreamed } from './read-unstreamed';

type ConsumerParts = {
  readonly session: ChatSession;
  readonly exchange: ExpressExchange;
  readonly tap: ExpressTap;
  readonly settlement: Settlement;
  readonly gate: StreamGate | undefined;
  /** Why the reply failed, where its terminal event says that it did. */
  readonly failure: () => GatewayError | undefined;
};

const FIRST_FRAME_BYTES_MAX = 4096;

/** No event stream begins with it; JSON does. */
const OPEN_BRACE = 0x7b;

const BLANK_LINE = Buffer.from('\n\n');

/** Passes a stream through its tap, and ends it in its dialect's words when it breaks. */
export class ExpressConsumer implements StreamConsumer {
  private readonly splitter = new FrameSplitter();
  /** Absent where the provider keeps to the dialect. */
  private readonly clean: ((whole: Buffer) => Buffer) | undefined;
  /** The tap behind the gate. */
  private readonly tap: ExpressTap;
  /** Counted here where a gate keeps frames from the tap. */
  private arrived = 0;
  /** The beginning of a stream whose failure has to name its response. */
  private firstFrame = '';
  /** Comments, which keep a connection open, are no part of a reply. */
  private hasData = false;
  /** Looked for only where it decides something. */
  private isContentSeen = false;
  private readonly looksForContent: boolean;
  /** What came before a failure in the same bytes. */
  private before = '';
  private isFailureRead = false;

  constructor(private readonly parts: ConsumerParts) {
    const { session, exchange, gate } = parts;
    this.clean = chooseCleaning(session, exchange);
    this.looksForContent = exchange.mayBeFollowed || exchange.contentWithinMs !== undefined;
    this.tap = gateTap(parts.tap, gate, () => withoutOutput(this.failureText(gate?.refusal()), session.dialect));
  }

  push(chunk: Buffer): Buffer | string {
    const { settlement } = this.parts;
    settlement.receive(chunk);
    const arrived = this.splitter.push(chunk);
    if (arrived === null) return '';
    const whole = this.clean === undefined ? arrived : this.clean(arrived);
    if (whole.length === 0) return '';
    if (this.frames() === 0) this.begin(whole);
    const passed = this.passOn(this.tap, whole);
    this.hasData ||= whole.includes('data:');
    if (this.looksForContent) this.isContentSeen ||= holdsContent(whole.toString('utf8'), this.parts.session.dialect);
    if (this.parts.gate !== undefined) this.arrived += countFrames(whole);
    if (!settlement.isSettled()) settlement.progress(this.frames());
    return passed;
  }

  end(): string {
    const rest = this.splitter.rest();
    if (rest !== null) {
      if (this.frames() === 0 && rest[0] === OPEN_BRACE) throw readUnstreamed(this.parts.exchange.lane, rest.toString('utf8'));
      const closed = Buffer.concat([rest, BLANK_LINE]);
      this.before += this.passOn(this.tap, this.clean === undefined ? closed : this.clean(closed)).toString();
    }
    this.before += this.passOn(this.tap, null).toString();
    if (this.tap.isComplete()) return this.before + this.tap.end();
    throw describeCut();
  }

  fail(error: GatewayError): string {
    const { settlement, gate, session, tap } = this.parts;
    const failure = this.flushBuffered(error);
    // A stream that failed before its first event is no reply; what its provider reported is kept all the same.
    if (this.hasData) settlement.settle(this.partialUsage(), describeFailure(failure));
    else settlement.dropLast(chatUsageOf(error) ?? tap.lastUsage() ?? NO_USAGE, failure);
    const text = this.failureText(failure);
    return this.before + (gate?.refusal() === undefined ? text : withoutOutput(text, session.dialect));
  }

  abandon(isBilledWhole: boolean): void {
    settleAbandoned(this.parts.settlement, this.partialUsage(), isBilledWhole);
  }

  isSettled(): boolean {
    return this.parts.settlement.isSettled();
  }

  isComplete(): boolean {
    return this.tap.isComplete();
  }

  isOver(): boolean {
    return this.tap.isOver();
  }

  failure(): GatewayError | undefined {
    return this.parts.failure();
  }

  hasBegun(): boolean {
    return this.hasData || this.isComplete();
  }

  hasContent(): boolean {
    return this.isContentSeen || this.isComplete();
  }

  /** How many frames came. */
  frames(): number {
    return this.parts.gate === undefined ? this.parts.tap.frames() : this.arrived;
  }

  private begin(whole: Buffer): void {
    if (whole[0] === OPEN_BRACE) throw readUnstreamed(this.parts.exchange.lane, whole.toString('utf8'));
    if (this.parts.session.dialect === 'responses') this.firstFrame = whole.toString('utf8', 0, FIRST_FRAME_BYTES_MAX);
  }

  /** Passes frames on, or what was buffered of them, as far as the failure that they may report. */
  private passOn(tap: ExpressTap, frames: Buffer | null): Buffer | string {
    try {
      return frames === null ? (tap.flush?.() ?? '') : tap.push(frames);
    } catch (error) {
      if (!(error instanceof InBandError)) throw error;
      this.before += error.before;
      this.hasData ||= error.before.includes('data:');
      this.isContentSeen ||= holdsContent(error.before, this.parts.session.dialect);
      this.arrived += countFrames(Buffer.from(error.before));
      this.isFailureRead = true;
      throw readInBandFailure(this.parts.exchange.lane.provider, error.body);
    }
  }

  /** Passes on what was buffered; returns the reason for the end, which the buffered frames may state better. */
  private flushBuffered(error: GatewayError): GatewayError {
    if (this.isFailureRead) return error;
    const { passed, failure } = endBroken(this.parts.gate, error);
    try {
      if (passed !== '') this.before += this.passOn(this.parts.tap, Buffer.from(passed)).toString();
    } catch (reported) {
      return reported instanceof GatewayError ? reported : error;
    }
    return failure;
  }

  private failureText(error: GatewayError | undefined): string {
    if (error === undefined) return '';
    const { session, exchange, tap } = this.parts;
    return encodeFailure(session, exchange, error, {
      // What the end of the stream left over began no response.
      frames: this.firstFrame === '' ? 0 : this.frames(),
      firstFrame: this.firstFrame,
      output: tap.output?.() ?? [],
    });
  }

  private partialUsage(): Usage | null {
    const { tap, session, settlement } = this.parts;
    return completeUsage(tap.lastUsage(), session.dialect, () => settlement.estimateOutput());
  }
}

/** The usage of a broken stream. In the messages dialect the prompt is reported at the start, and the output only as a placeholder. */
function completeUsage(reported: Usage | null, dialect: ChatDialect, estimateOutput: () => number): Usage | null {
  // Some providers report a usage of 0 until they know it.
  if (reported === null || promptTokens(reported) + reported.output === 0) return null;
  if (dialect !== 'messages') return reported;
  return { ...reported, output: Math.max(reported.output, estimateOutput()), source: 'estimate' };
}
