import { GatewayError } from '@weir/errors';
import type { ForwardedRequest } from '@weir/http-server';
import { createCancellation, type CancelSignal } from '@weir/upstream-http';
import type { ServerResponse } from 'node:http';
import { Deadlines } from './deadlines';

/** The caller closed the connection before the reply was complete: nothing can be answered any more. */
export class ClientGone extends Error {
  constructor() {
    super('the caller closed the connection');
    this.name = 'ClientGone';
  }
}

/** One request on its way through a worker, as far as its caller and its deadline go. */
export type WatchedRequest = {
  readonly forwarded: ForwardedRequest;
  readonly response: ServerResponse;
  /** Aborted when no one waits for the provider any more; its reason says why. */
  readonly signal: CancelSignal;
  readonly isClientGone: () => boolean;
  /** Whether the process has too much to do; see ForwardedRequest. */
  readonly isCrowded: () => boolean;
  /** Runs when the caller goes away before the reply is complete, at once if that has happened already. */
  readonly onClientGone: (listener: () => void) => void;
  readonly abort: (reason: Error) => void;
  readonly close: () => void;
};

const never = (): boolean => false;
const deadlines = new Deadlines();

/** From here on the deadline runs and the caller's connection is watched, until `close`. */
export function watchRequest(forwarded: ForwardedRequest, now: () => number): WatchedRequest {
  const { response } = forwarded;
  const cancellation = createCancellation();
  const deadline = deadlines.add(forwarded.passport.deadlineMs - now(), () => cancellation.abort(explainDeadline()));
  let listeners: (() => void)[] | undefined;
  let isGone = false;
  let isOver = false;
  // It is left where it is when the request is over: a response closes once.
  response.on('close', () => {
    if (isOver || response.writableFinished) return;
    isGone = true;
    for (const listener of listeners ?? []) listener();
  });
  return {
    forwarded,
    response,
    signal: cancellation.signal,
    isClientGone: () => isGone,
    isCrowded: forwarded.isCrowded ?? never,
    onClientGone: (listener) => {
      if (isGone) listener();
      else (listeners ??= []).push(listener);
    },
    abort: (reason) => cancellation.abort(reason),
    close: () => {
      isOver = true;
      deadlines.cancel(deadline);
    },
  };
}

function explainDeadline(): GatewayError {
  return new GatewayError('provider_timeout', 'The provider did not finish its answer in time. Try again, or ask for a shorter answer.');
}
