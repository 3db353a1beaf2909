import { GatewayError } from '@weir/errors';
import type { ForwardedRequest } from '@weir/http-server';
import { createCancellation, type CancelSignal } from '@weir/upstream-http';
import type { ServerResponse } from 'node:http';
import { deadlines, type Deadline } from './deadlines';

/** The caller closed the connection before the reply was complete: nothing can be answered any more. */
export class ClientGone extends Error {
  constructor() {
    super('the caller closed the connection');
    this.name = 'ClientGone';
  }
}

const never = (): boolean => false;

/** One request on its way through a worker, as far as its caller and its deadline go: both are watched from here on, until `close`. */
export class WatchedRequest {
  /** As the guardrails let it pass. */
  forwarded: ForwardedRequest;
  readonly response: ServerResponse;
  /** Aborted when no one waits for the provider any more; its reason says why. */
  readonly signal: CancelSignal;
  /** Aborts `signal`. */
  readonly abort: (reason: Error) => void;
  /** Whether the process has too much to do; see ForwardedRequest. */
  readonly isCrowded: () => boolean;
  private readonly deadline: Deadline;
  private listeners: (() => void)[] | undefined;
  private isGone = false;
  private isOver = false;

  constructor(forwarded: ForwardedRequest, now: () => number) {
    const { response } = forwarded;
    const { signal, abort } = createCancellation();
    this.forwarded = forwarded;
    this.response = response;
    this.signal = signal;
    this.abort = abort;
    this.isCrowded = forwarded.isCrowded ?? never;
    this.deadline = deadlines.add(forwarded.passport.deadlineMs - now(), () => abort(explainDeadline()));
    // It is left where it is when the request is over: a response closes once.
    response.on('close', () => this.responseClosed());
  }

  isClientGone(): boolean {
    return this.isGone;
  }

  /** Runs when the caller goes away before the reply is complete, at once if that has happened already. */
  onClientGone(listener: () => void): void {
    if (this.isGone) listener();
    else (this.listeners ??= []).push(listener);
  }

  close(): void {
    this.isOver = true;
    deadlines.cancel(this.deadline);
  }

  private responseClosed(): void {
    if (this.isOver || this.response.writableFinished) return;
    this.isGone = true;
    for (const listener of this.listeners ?? []) listener();
  }
}

function explainDeadline(): GatewayError {
  return new GatewayError('provider_timeout', 'The provider did not finish its answer in time. Try again, or ask for a shorter answer.');
}
