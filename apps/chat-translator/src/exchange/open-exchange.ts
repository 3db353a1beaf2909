import { NO_USAGE } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { ClientGone, describeFailure, type RequestCharges } from '@weir/exchange';
import { dispatchCall, findTarget, isSuccess, readFailure, type CallTimeouts, type LaneMap, type ServedModel } from '@weir/providers';
import { isLargeText, takeTurn } from '@weir/http-server';
import type { AttemptPlace } from '@weir/routing';
import type { UpstreamResponse } from '@weir/upstream-http';
import type { OpenAttempt } from '@weir/meter';
import type { ChatSession } from '../session/chat-session';
import { chooseLane, findExpressLane, type Lane } from '../calls/choose-lane';
import { RequestMost } from '../session/request-most';
import { estimatePromptTokens } from '../session/estimate-prompt';
import { estimateTokens } from '../session/estimate-tokens';
import type { InlineMedia } from './inline-media';

/** An exchange whose provider has begun to reply with success. The code that reads its reply must settle it. */
export type OpenExchange = {
  readonly lane: Lane;
  readonly upstream: UpstreamResponse;
  /** The attempt as the journal knows it. */
  readonly attempt: OpenAttempt;
  readonly place: AttemptPlace;
  readonly charges: RequestCharges;
  /** The best estimate of the prompt, for when the provider does not report it; computed on the first call. */
  readonly estimatePrompt: () => number;
  /** The most usage that is plausible for this request. */
  readonly most: RequestMost;
  readonly findServed: LaneMap['findServed'];
  /** The model that replies, once it is known that it is another one than was asked for. */
  served: ServedModel | undefined;
  /** What the hold pays for, in whole pico-dollars; absent when no limit applies to the request. */
  readonly reservedPico?: string | undefined;
  /** Whether another attempt may follow this one while nothing of its reply was passed on. */
  readonly mayBeFollowed: boolean;
  /** How long the first content of a stream is still waited for; undefined: as long as its connection is not silent. */
  readonly contentWithinMs: number | undefined;
  /** The output tokens that the hold covers: an estimate stays within them. Absent when no limit applies to the request. */
  readonly heldOutput?: number | undefined;
};

export type ExpressExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'express' }> };
export type TranslatedExchange = OpenExchange & { readonly lane: Extract<Lane, { kind: 'translated' }> };

export function isExpress(exchange: OpenExchange): exchange is ExpressExchange {
  return exchange.lane.kind === 'express';
}

export type ExchangeParts = LaneMap &
  CallTimeouts & {
    readonly inlineMedia: InlineMedia;
    /** How long the first content of a stream is waited for where another place may be asked instead. Absent: as long as for any other. */
    readonly firstContentMs?: number | undefined;
  };

/** A model that reasons may say nothing of it for so many times longer. */
const REASONING_PATIENCE = 2;

/** What is done with an exchange: from then on its failures are those of its reply. */
type UseExchange<Used> = (exchange: OpenExchange) => Used | Promise<Used>;

/**
 * Sends one attempt and resolves with what `use` makes of the exchange. The attempt's journal record is begun before the first byte
 * leaves, so that every call that is sent is counted; a failure settles it. Throws or rejects with the error for the caller, to whom
 * nothing has been sent by then.
 */
export function openExchange<Used>(session: ChatSession, place: AttemptPlace, parts: ExchangeParts, use: UseExchange<Used>): Promise<Used> {
  const planning = planCall(session, place.attempt, parts);
  const authorize = (planned: PlannedCall): Promise<Used> => {
    const { lane } = planned;
    if (session.isClientGone()) throw new ClientGone();
    const sending = new SentCall(session, place, planned);
    const authorizing = lane.provider.authorize(lane.call, lane.target);
    if (authorizing instanceof Promise) return authorizing.then((authorization) => sending.send(authorization, parts, use));
    return sending.send(authorizing, parts, use);
  };
  // What is there at once is not waited for: most calls need nothing else.
  return planning instanceof Promise ? planning.then(authorize) : authorize(planning);
}

/** One call of a request on its way, from its beginning in the journal until its provider begins to reply or fails. */
class SentCall {
  private attempt!: OpenAttempt;
  /** What a crash would charge; it has to be known before the request leaves, so it is taken from the length alone. */
  private promptEstimate = 0;
  private heldPrompt = Infinity;
  private estimated: number | undefined;
  private findServed: LaneMap['findServed'];
  /** When its caller leaves, the call of a stream is cancelled where that stops the billing; elsewhere it is billed anyway and runs on. */
  private isWaiting: boolean;
  /** As of when it was sent; absent where its first content may take its time. */
  private contentDueMs: number | undefined;

  constructor(
    private readonly session: ChatSession,
    private readonly place: AttemptPlace,
    private readonly planned: PlannedCall,
  ) {
    const { provider } = planned.lane;
    this.isWaiting = session.forwarded.passport.stream && provider.onCancel === 'abort';
  }

  send<Used>(authorization: Readonly<Record<string, string>>, parts: ExchangeParts, use: UseExchange<Used>): Promise<Used> {
    const { session } = this;
    this.findServed = parts.findServed;
    this.begin();
    session.onClientGone(() => {
      if (this.isWaiting) session.abort(new ClientGone());
    });
    return this.dispatch(authorization, parts).then(
      (upstream) => {
        const exchange = this.noteReply(upstream);
        return exchange instanceof Promise ? exchange.then(use) : use(exchange);
      },
      (error: unknown) => this.fail(error),
    );
  }

  private begin(): void {
    const { session, place, planned } = this;
    const held = session.forwarded.passport.hold?.bounds[place.index];
    this.heldPrompt = held?.promptTokens ?? Infinity;
    this.promptEstimate = Math.min(estimateTokens(session.forwarded.body.length) + planned.mediaTokens, this.heldPrompt);
    this.attempt = session.openAttempt(place.index, this.promptEstimate);
    place.noteSent();
  }

  private dispatch(authorization: Readonly<Record<string, string>>, parts: ExchangeParts): Promise<UpstreamResponse> {
    const { provider, call, target } = this.planned.lane;
    try {
      return dispatchCall({ provider, call, authorization, target }, this.findTimeouts(parts), this.session.signal);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  /** Its policy has the first say, then the operator of its account. */
  private findTimeouts(parts: ExchangeParts): CallTimeouts {
    const { place, session, planned } = this;
    const { headersTimeoutMs } = parts;
    const idleTimeoutMs = place.attempt.idleMs ?? planned.lane.provider.deadlines?.idleMs ?? parts.idleTimeoutMs;
    // A reply that comes as a whole may take as long as it is long.
    const withinMs = session.forwarded.passport.stream ? this.findContentMs(parts.firstContentMs) : undefined;
    if (withinMs === undefined) return { headersTimeoutMs, idleTimeoutMs };
    this.contentDueMs = performance.now() + withinMs;
    return { headersTimeoutMs: Math.min(headersTimeoutMs, withinMs), idleTimeoutMs };
  }

  private findContentMs(usualMs: number | undefined): number | undefined {
    const { place } = this;
    const { provider, target } = this.planned.lane;
    const own = place.attempt.firstContentMs ?? provider.deadlines?.firstContentMs;
    if (own !== undefined || usualMs === undefined || !place.mayBeFollowed()) return own;
    return target.model.supportsReasoning ? usualMs * REASONING_PATIENCE : usualMs;
  }

  private noteReply(upstream: UpstreamResponse): OpenExchange | Promise<never> {
    try {
      this.place.noteReply(upstream);
      if (!isSuccess(upstream)) return this.failWithReply(upstream);
      this.place.noteFirstByte();
      const exchange = this.describe(upstream);
      this.isWaiting = false;
      return exchange;
    } catch (error) {
      return this.fail(error);
    }
  }

  private describe(upstream: UpstreamResponse): OpenExchange {
    const { session, attempt, place, contentDueMs } = this;
    const { lane } = this.planned;
    const { hold } = session.forwarded.passport;
    return {
      lane,
      upstream,
      attempt,
      place,
      charges: session.charges,
      estimatePrompt: () => this.estimatePrompt(),
      most: new RequestMost(session, lane.target),
      findServed: this.findServed,
      served: undefined,
      reservedPico: hold?.reservedPico,
      heldOutput: hold?.bounds[place.index]?.outputTokens,
      mayBeFollowed: place.mayBeFollowed(),
      contentWithinMs: contentDueMs === undefined ? undefined : Math.max(1, contentDueMs - performance.now()),
    };
  }

  private estimatePrompt(): number {
    const { session, place, promptEstimate, heldPrompt } = this;
    return (this.estimated ??= Math.min(estimatePromptOf(session, place.attempt, promptEstimate), heldPrompt));
  }

  /** A request that its provider has refused: what it says of that is waited for. */
  private failWithReply(upstream: UpstreamResponse): Promise<never> {
    const fail = (error: unknown): never => this.fail(error);
    return readFailure(this.planned.lane.provider, upstream).then(fail, fail);
  }

  private fail(error: unknown): never {
    const { session, attempt, place } = this;
    this.isWaiting = false;
    // No further attempt is made for a caller who has left.
    const reason = session.isClientGone() ? new ClientGone() : error;
    attempt.close({ usage: NO_USAGE, isLogical: place.endsWith(reason), ...describeFailure(error) });
    throw reason;
  }
}

/** In the express lane the request has not been decoded yet; one that cannot be decoded is counted by its length. */
function estimatePromptOf(session: ChatSession, { upstreamModel }: Attempt, byLength: number): number {
  try {
    return estimatePromptTokens(session.asked(), upstreamModel);
  } catch {
    return byLength;
  }
}

type FoundTarget = ReturnType<typeof findTarget>;
/** `mediaTokens`: of the media that was put into the request because the provider does not fetch it. */
type PlannedCall = { readonly lane: Lane; readonly mediaTokens: number };

/** Chooses the lane, at once unless there is media that the provider does not fetch itself. */
function planCall(session: ChatSession, attempt: Attempt, parts: ExchangeParts): PlannedCall | Promise<PlannedCall> {
  if (!isLargeText(session.forwarded.body)) return planAtOnce(session, attempt, parts);
  return planInSteps(session, attempt, parts);
}

async function planInSteps(session: ChatSession, attempt: Attempt, parts: ExchangeParts): Promise<PlannedCall> {
  await readInSteps(session, findTarget(attempt, parts, session.forwarded.headers));
  const planned = await planAtOnce(session, attempt, parts);
  await takeTurn(session.forwarded.body.length);
  return planned;
}

/** Reads what a lane needs to know of a large request; other requests are served between the steps. */
async function readInSteps(session: ChatSession, { provider, target }: FoundTarget): Promise<void> {
  const { length } = session.forwarded.body;
  await takeTurn(length);
  session.original();
  await takeTurn(length);
  if (findExpressLane(session, provider, target) === undefined) session.asked();
  await takeTurn(length);
}

function planAtOnce(session: ChatSession, attempt: Attempt, parts: ExchangeParts): PlannedCall | Promise<PlannedCall> {
  const inlining = parts.inlineMedia(session, findTarget(attempt, parts, session.forwarded.headers));
  if (inlining === undefined) return { lane: chooseLane(session, attempt, parts), mediaTokens: 0 };
  return inlining.then((inlined) => {
    const lane = chooseLane(session, attempt, { ...parts, inlined: inlined.asked });
    return { lane, mediaTokens: inlined.promptTokens };
  });
}
