import type { Attempt, Passport } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { AttemptOutcome } from './health/create-route-health';
import type { ReplyHeaders } from './pacing/create-pacing';

/** One attempt of a request, as the one who opens it sees it. */
export type AttemptPlace = {
  readonly attempt: Attempt;
  /** Its place in the passport, by which the meter and the hold know it. */
  readonly index: number;
  /** How many were sent, this one included. */
  readonly number: number;
  /** Call before the first byte leaves. */
  noteSent(): void;
  /** The provider replied, with whatever status: of each call, where an attempt takes several. */
  noteReply(reply: { readonly status: number; readonly headers: ReplyHeaders }): void;
  /** The reply has begun: what latency policies measure. */
  noteFirstByte(): void;
  /** The reply is passed on as it comes, so its beginning says nothing of its end: `noteOver` does. */
  noteStreaming(): void;
  /** A stream has come to its end, or was broken off by `error`. Not called when the request's caller left. */
  noteOver(error?: GatewayError): void;
  /** Whether another attempt may follow this one, should it fail. */
  mayBeFollowed(): boolean;
  /** Whether the request ends with this failure: then it is the attempt that counts the request. The runner keeps to the decision. */
  endsWith(error: unknown): boolean;
};

export type AttemptsToRun = {
  readonly attempts: readonly Attempt[];
  readonly stream: boolean;
  /** UTC epoch milliseconds after which nothing is begun any more. */
  readonly deadlineMs: number;
  /** Of a request to search the web: models that can, and that its caller may use. */
  readonly searchModels?: readonly string[] | undefined;
  /** Whose turn it is where requests wait for a provider; absent: one caller's like any other. */
  readonly caller?: Pick<Passport['caller'], 'organizationId' | 'apiKeyId'>;
  readonly priority?: Passport['priority'];
  readonly shares?: Passport['shares'];
  /** Nothing is sent for the first time after its `beginByMs`. */
  readonly hold?: { readonly beginByMs: number } | null;
};

export type OpenedAttempt<Opened> = { readonly opened: Opened; readonly place: AttemptPlace };

export type RunWatcher = {
  /** What became of each attempt, in order. */
  onOutcome?(place: AttemptPlace, outcome: AttemptOutcome): void;
  /** The request ended with an attempt that was never sent, after others were: nothing has counted it yet. */
  onUnsent?(place: AttemptPlace, error: unknown): void;
  /** Calls back when the caller leaves, with what the request ends in then. */
  onLeave?(listener: (reason: Error) => void): void;
  /** The request has waited for a provider, so long in all. */
  onQueued?(milliseconds: number): void;
};

export type AttemptRunner = {
  /**
   * Opens attempts until one succeeds. `open` resolves before anything reached the caller, so moving on is always safe
   * here; once it has resolved the choice is final. Rejects with the last attempt's error.
   */
  run<Opened>(plan: AttemptsToRun, open: OpenAttempt<Opened>, watcher?: RunWatcher): Promise<OpenedAttempt<Opened>>;
  /** The same; resolves with what is made of the attempt that the choice fell on, in the same promise. */
  runToEnd<Opened, Done>(plan: AttemptsToRun, steps: RunSteps<Opened, Done>, watcher?: RunWatcher): Promise<Done>;
};

export type RunSteps<Opened, Done> = {
  readonly open: OpenAttempt<Opened>;
  /** Its failures are no attempt's: none follows. */
  readonly finish: (opened: Opened, place: AttemptPlace) => Done | Promise<Done>;
};

export type OpenAttempt<Opened> = (place: AttemptPlace) => Promise<Opened>;

/** `retry`: the same place once more; `fallback`: another one; `none`: the request ends with the failure. */
export type FailureNext = 'retry' | 'fallback' | 'none';
