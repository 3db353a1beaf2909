import { createOriginalBody, type ChatRequest, type OriginalBody } from '@weir/canonical';
import { getEndpoint, type ChatDialect } from '@weir/contracts';
import { GatewayError, invariant } from '@weir/errors';
import { parseJsonBody, type ParsedBody, type WorkerRequest } from '@weir/http-server';
import { createCancellation, type CancelSignal } from '@weir/upstream-http';
import { wireFormats, type WireFormat } from '@weir/wire-formats';
import type { ServerResponse } from 'node:http';

/** The caller closed the connection before the reply was complete: nothing can be answered any more. */
export class ClientGone extends Error {
  constructor() {
    super('the caller closed the connection');
    this.name = 'ClientGone';
  }
}

/** One request on its way through the worker. */
export type ChatSession = {
  readonly work: WorkerRequest;
  readonly response: ServerResponse;
  readonly dialect: ChatDialect;
  readonly format: WireFormat;
  readonly body: ParsedBody;
  /** The caller's body for the express lane; read once. */
  readonly original: () => OriginalBody;
  /** The caller's request in the neutral language; decoded once. Throws what is wrong with it. */
  readonly asked: () => ChatRequest;
  /** Aborted when nobody waits for the provider any more; its reason says why. */
  readonly signal: CancelSignal;
  readonly isClientGone: () => boolean;
  /** Runs when the caller goes away before the reply is complete, at once if that has happened already. */
  readonly onClientGone: (listener: () => void) => void;
  readonly abort: (reason: Error) => void;
  readonly close: () => void;
};

/** Opens a session: from here on the deadline runs and the caller's connection is watched. */
export function openChatSession(work: WorkerRequest, now: () => number): ChatSession {
  const dialect = getEndpoint(work.passport.endpointId).dialect;
  invariant(dialect !== undefined, `endpoint ${work.passport.endpointId} has a chat dialect`);
  const { response } = work;
  const body = work.parsed ?? parseJsonBody(work.body);
  const cancellation = createCancellation();
  const format = wireFormats[dialect];
  const deadline = setTimeout(
    () => cancellation.abort(new GatewayError('provider_timeout', 'The provider did not finish its answer in time.')),
    Math.max(0, work.passport.deadlineMs - now()),
  );
  const listeners: (() => void)[] = [];
  let isGone = false;
  const onClose = (): void => {
    if (response.writableFinished) return;
    isGone = true;
    for (const listener of listeners) listener();
  };
  response.once('close', onClose);
  return {
    work,
    response,
    dialect,
    format,
    body,
    original: once(() => {
      const original = createOriginalBody(body.text);
      invariant(original !== undefined, 'a parsed body is a JSON object');
      return original;
    }),
    asked: once(() => format.decodeRequest(body.json)),
    signal: cancellation.signal,
    isClientGone: () => isGone,
    onClientGone: (listener) => {
      if (isGone) listener();
      else listeners.push(listener);
    },
    abort: (reason) => cancellation.abort(reason),
    close: () => {
      clearTimeout(deadline);
      response.off('close', onClose);
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
