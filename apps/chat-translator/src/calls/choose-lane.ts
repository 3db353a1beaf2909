import { createLossReport, placeCacheMarks, type CacheMark, type CachePlaces, type ChatRequest, type LossReport } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { checkLosses, type Lost } from '@weir/exchange';
import {
  checkTools,
  findTarget,
  leaveOutMembers,
  ruleMembers,
  type ChatCodec,
  type Provider,
  type ExpressCall,
  type ExpressLane,
  type LaneMap,
  type ProviderTarget,
} from '@weir/providers';
import { checkExpressBody } from './check-express-body';
import type { CleanedBody } from './caller-body';
import { cleanHistory } from './clean-history';
import { markMessagesBody } from './mark-messages-body';
import type { ChatSession } from '../session/chat-session';
import { checkToolChoice } from '../session/check-tool-choice';
import { encodeTranslated } from './encode-translated';

type LaneCommon = {
  readonly provider: Provider;
  readonly target: ProviderTarget;
  readonly call: ExpressCall;
};

/**
 * How a request reaches one provider: in the express lane the caller's own body is sent, because both speak the same
 * dialect; in the translated lane it is encoded for the provider. A provider cannot read the state that other providers
 * gave: it is taken out of the history, or the body is translated where that is not enough.
 */
export type Lane =
  | (LaneCommon & { readonly kind: 'express'; readonly losses: Lost; readonly express: ExpressLane })
  | (LaneCommon & { readonly kind: 'translated'; readonly losses: LossReport; readonly codec: ChatCodec });

/**
 * Chooses the lane and encodes the call. A request whose media was put into it (`inlined`) is not the caller's own body any
 * more and is translated. Throws the caller's error when the request cannot be encoded for this provider.
 */
export function chooseLane(session: ChatSession, attempt: Attempt, map: LaneMap & { readonly inlined?: ChatRequest | undefined }): Lane {
  const found = findTarget(attempt, map, session.forwarded.headers);
  checkToolChoice(session.dialect, session.body.json);
  const way = map.inlined === undefined ? findExpressLane(session, found.provider, found.target) : undefined;
  return way === undefined ? translate(session, found, map.inlined) : passOn(session, found, way);
}

type Found = ReturnType<typeof findTarget>;

function passOn(session: ChatSession, { provider, target }: Found, { express, cleaned: history }: ExpressWay): Lane {
  const { isStrict, stream, autoCache } = session.forwarded.passport;
  checkExpressBody(session.dialect, session.body.json);
  const cleaned = ruleBody(session, provider, history);
  const cache = findCacheMark(session, provider, target);
  const marked = cache !== undefined && express.dialect === 'messages' ? markMessagesBody(cleaned.body, cache.mark) : undefined;
  const call = express.encodeOriginal(marked ?? cleaned.body, target, stream);
  const isUnmarked = autoCache !== undefined && marked === undefined;
  const losses = joinLosses(isUnmarked ? { ...cleaned, dropped: [...cleaned.dropped, AUTO_CACHE] } : cleaned, call);
  checkLosses(losses, isStrict);
  return { kind: 'express', provider, target, losses, express, call };
}

function translate(session: ChatSession, { provider, target }: Found, inlined: ChatRequest | undefined): Lane {
  const { isStrict, autoCache } = session.forwarded.passport;
  const { codec } = provider;
  if (codec === null) {
    throw new GatewayError(
      'model_not_found',
      `The model "${target.attempt.modelId}" cannot be used through this endpoint. GET /v1/models lists what can be.`,
      { field: 'model' },
    );
  }
  // All else that its provider is not known to take is left out by the codec, which names it.
  checkTools(session.body.json, provider.express?.dialect === session.dialect ? (provider.members?.tools ?? null) : null);
  const losses = createLossReport();
  const asked = inlined ?? session.asked();
  const cache = findCacheMark(session, provider, target);
  const marked = cache === undefined ? undefined : placeCacheMarks(asked, cache.mark, cache.places);
  if (autoCache !== undefined && marked === undefined) losses.dropped.add(AUTO_CACHE);
  const call = encodeTranslated(session, marked ?? asked, { provider, codec, target, losses });
  checkLosses(losses, isStrict);
  return { kind: 'translated', provider, target, losses, codec, call };
}

/** The body without members that the provider may charge for in ways that no one knows. Throws for those that choose another model, or the like. */
export function ruleBody(session: ChatSession, { members }: Provider, cleaned: CleanedBody): CleanedBody {
  const left = members === undefined ? NOTHING : ruleMembers(session.body.json, members);
  return left.length === 0 ? cleaned : { ...cleaned, body: leaveOutMembers(cleaned.body, left), dropped: [...cleaned.dropped, ...left] };
}

/** What is reported where the gateway was to place cache marks, and there is no place for one. */
const AUTO_CACHE = 'weir.auto_cache';
/** Of most bodies that are sent as they came; nothing comes to it later. */
const NOTHING_LOST: Lost = createLossReport();
const NOTHING: readonly string[] = [];

function joinLosses(cleaned: CleanedBody, { dropped = NOTHING, approximated = NOTHING }: ExpressCall): Lost {
  const count = cleaned.dropped.length + cleaned.approximated.length + dropped.length + approximated.length;
  if (count === 0) return NOTHING_LOST;
  return { dropped: new Set([...cleaned.dropped, ...dropped]), approximated: new Set([...cleaned.approximated, ...approximated]) };
}

/** The cache marks that the gateway may set by itself; undefined when the caller did not ask for them, or they save nothing here. */
function findCacheMark(
  { forwarded }: ChatSession,
  provider: Provider,
  target: ProviderTarget,
): { mark: CacheMark; places: CachePlaces } | undefined {
  const ttl = forwarded.passport.autoCache;
  const places = ttl === undefined ? null : (provider.cachePlaces?.(target) ?? null);
  return places === null ? undefined : { mark: ttl === '1h' ? { ttl } : {}, places };
}

type ExpressWay = { readonly express: ExpressLane; readonly cleaned: CleanedBody };

/** The provider's own lane for the caller's dialect, and the body it can carry; undefined when that has to be translated. */
export function findExpressLane(session: ChatSession, { express }: Provider, target: ProviderTarget): ExpressWay | undefined {
  if (session.format.isAlwaysTranslated === true) return undefined;
  if (express?.dialect !== session.dialect || express.suits?.(session.original(), target) === false) return undefined;
  const cleaned = cleanHistory(session.dialect, { body: session.original(), json: session.body.json }, express.history);
  return cleaned === undefined ? undefined : { express, cleaned };
}
