import { createOriginalBody, type ChatRequest, type OriginalBody } from '@weir/canonical';
import { getEndpoint, type ChatDialect } from '@weir/contracts';
import { invariant } from '@weir/errors';
import { openCharges, watchRequest, type RequestCharges, type RequestGuard, type WatchedRequest } from '@weir/exchange';
import { parseJsonBody, type ParsedBody, type ForwardedRequest } from '@weir/http-server';
import { completionsFormat, wireFormats, type WireFormat } from '@weir/wire-formats';
import { keepLongIntegers } from './keep-long-integers';

/** The request state: all that the worker knows about the chat request it is serving. */
export type ChatSession = WatchedRequest & {
  /** Absent where no guardrail applies. */
  readonly guard?: RequestGuard | undefined;
  readonly charges: RequestCharges;
  readonly dialect: ChatDialect;
  readonly format: WireFormat;
  readonly body: ParsedBody;
  /** The caller's body for the express lane; read once. */
  readonly original: () => OriginalBody;
  /** The caller's request in the neutral shape; decoded once. Throws the caller's error when it is invalid. */
  readonly asked: () => ChatRequest;
};

/** Opens a session: from here on the deadline runs and the caller's connection is watched. */
export function openChatSession(forwarded: ForwardedRequest, now: () => number, guard?: RequestGuard): ChatSession {
  const { endpointId } = forwarded.passport;
  const dialect = getEndpoint(endpointId).dialect;
  invariant(dialect !== undefined, `endpoint ${endpointId} has a chat dialect`);
  const body = forwarded.parsed ?? parseJsonBody(forwarded.body);
  const format = endpointId === 'completions' ? completionsFormat : wireFormats[dialect];
  const { response, signal, isClientGone, isCrowded, onClientGone, abort, close } = watchRequest(forwarded, now);
  // Members by name: spreading an object into a larger one costs more than all of them.
  return {
    forwarded,
    response,
    signal,
    isClientGone,
    isCrowded,
    onClientGone,
    abort,
    close,
    guard,
    charges: openCharges(forwarded),
    dialect,
    format,
    body,
    original: once(() => {
      const original = createOriginalBody(body.text);
      invariant(original !== undefined, 'a parsed body is a JSON object');
      return original;
    }),
    asked: once(() => format.decodeRequest(keepLongIntegers(body))),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
