import { GatewayError } from '@weir/errors';
import type { ForwardedRequest } from '@weir/http-server';
import { createCancellation, type CancelSignal } from '@weir/upstream-http';
import type { ServerResponse } from 'node:http';

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

/** From here on the deadline runs and the caller's connection is watched, until `close`. */
export function watchRequest(forwarded: ForwardedRequest, now: () => number): WatchedRequest {
  const { response } = forwarded;
  const cancellation = createCancellation();
  const deadline = setTimeout(
    () =>
      cancellation.abort(
        new GatewayError('provider_timeout', 'The provider did not finish its answer in time. Try again, or ask for a shorter answer.'),
      ),
    Math.max(0, forwarded.passport.deadlineMs - now()),
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
    forwarded,
    response,
    signal: cancellation.signal,
    isClientGone: () => isGone,
    isCrowded: forwarded.isCrowded ?? never,
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
