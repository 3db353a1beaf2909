import type { Attempt, ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { GuardRequest } from '../guardrails/guard-request';
import { ClientGone, writeReplyHead, type RunParts } from '@weir/exchange';
import { isLargeText, yieldEventLoop, type WorkerHandler } from '@weir/http-server';
import {
  type Provider,
  type ExpressCall,
  type ProviderTarget,
  findTarget,
  type LaneMap,
  dispatchCall,
  isSuccess,
  type CallTimeouts,
} from '@weir/providers';
import type { AttemptPlace, AttemptRunner } from '@weir/routing';
import { readLimited, type UpstreamResponse } from '@weir/upstream-http';
import { ChatSession } from '../session/chat-session';
import { findExpressLane, ruleBody } from '../calls/choose-lane';
import { estimatePromptTokens } from '../session/estimate-prompt';

type CountParts = LaneMap & CallTimeouts & RunParts & { readonly runner: AttemptRunner; readonly guardRequest: GuardRequest };

type Count = {
  readonly provider: Provider;
  readonly target: ProviderTarget;
  readonly inputTokens: number;
  readonly source: 'provider' | 'estimate';
};

const REPLY_BYTES_MAX = 64 * 1024;
/** A service that speaks the dialect but does not count. */
const NOT_SERVED = new Set([404, 405, 501]);

/**
 * Counts the tokens of a prompt without running it: by the provider's own count where it has one in this dialect, else by
 * an estimate. Nothing is billed, so nothing is metered.
 */
export function createCountTokensHandler(parts: CountParts): WorkerHandler {
  const serve = async (session: ChatSession): Promise<void> => {
    const { passport } = session.forwarded;
    if (passport.guardrails !== undefined) await parts.guardRequest(session);
    session.onClientGone(() => session.abort(new ClientGone()));
    const { opened, place } = await parts.runner.run(
      passport,
      (one) => {
        one.noteSent();
        return countTokens(session, one, parts);
      },
      // It is counted nowhere, so only its wait concerns it.
      { onLeave: (listener) => session.onLeave(listener), onQueued: (milliseconds) => session.onQueued(milliseconds) },
    );
    sendCount(session, opened, place.number - 1);
  };
  return (forwarded) => new ChatSession(forwarded, parts).serve(serve);
}

async function countTokens(session: ChatSession, place: AttemptPlace, parts: CountParts): Promise<Count> {
  const { attempt } = place;
  const { provider, target } = findTarget(attempt, parts, session.forwarded.headers);
  if (isLargeText(session.forwarded.body)) await yieldEventLoop();
  const way = findExpressLane(session, provider, target);
  // As the request itself would be sent: what is refused or left out there is so here.
  const body = way?.express.encodeCount === undefined ? undefined : ruleBody(session, provider, way.cleaned).body;
  const call = body === undefined ? undefined : way?.express.encodeCount?.(body, target);
  const reported = call === undefined ? undefined : await askProvider({ session, place, provider, target, call }, parts);
  return reported === undefined
    ? { provider, target, inputTokens: estimate(session, attempt), source: 'estimate' }
    : { provider, target, inputTokens: reported, source: 'provider' };
}

type CountCall = { session: ChatSession; place: AttemptPlace; provider: Provider; target: ProviderTarget; call: ExpressCall };

/** Returns undefined when the service turns out not to count. */
async function askProvider({ session, place, provider, target, call }: CountCall, parts: CountParts): Promise<number | undefined> {
  const authorization = await provider.authorize(call, target);
  const reply = await dispatchCall({ provider, call, authorization, target }, parts, session.signal);
  place.noteReply(reply);
  const text = await readText(reply);
  if (isSuccess(reply)) return readCount(text);
  if (NOT_SERVED.has(reply.status)) return undefined;
  throw provider.readError(reply.status, reply.headers, text);
}

async function readText({ body }: UpstreamResponse): Promise<string> {
  return (await readLimited(body, REPLY_BYTES_MAX)).toString('utf8');
}

function readCount(text: string): number {
  try {
    const count = (JSON.parse(text) as { input_tokens?: unknown } | null)?.input_tokens;
    if (typeof count === 'number') return count;
  } catch {
    // What is no JSON has no count either.
  }
  throw new GatewayError('provider_unreadable', "The provider's count could not be read. Try again.");
}

function estimate({ dialect, format, body }: ChatSession, { upstreamModel }: Attempt): number {
  return estimatePromptTokens(format.decodeRequest(completeBody(body.json, dialect)), upstreamModel);
}

/** A request to count may leave out what its dialect demands of a request that runs: the output limit, the input. */
function completeBody(json: ChatSession['body']['json'], dialect: ChatDialect): Record<string, unknown> {
  return dialect === 'responses' ? { ...json, input: json['input'] ?? '' } : { max_tokens: 1, ...json };
}

function sendCount(session: ChatSession, { provider, target, inputTokens, source }: Count, attemptIndex: number): void {
  const { response } = session;
  writeReplyHead(session, { provider, target }, attemptIndex);
  response.setHeader('x-weir-count-source', source);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const object = session.dialect === 'responses' ? { object: 'response.input_tokens' } : {};
  const bytes = Buffer.from(JSON.stringify({ ...object, input_tokens: inputTokens }));
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
}
