import type { LossReport } from '@weir/canonical';
import type { FailPoint } from '@weir/contracts';
import type { DrainLimit, RequestCharges, RequestGuard, RequestRun, RunParts, WatchedRequest } from '@weir/exchange';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import type { CallTimeouts, FoundTarget, LaneMap } from '@weir/providers';
import type { AttemptRunner, AttemptPlace } from '@weir/routing';
import type { ReadCoalescer } from '@weir/upstream-http';
import type { BlobStore } from '@weir/blob-store';
import type { KeepResult } from './keep-result';
import type { GuardMediaRequest } from './guard-media-request';
import type { MeasureSeconds } from '../recordings/create-length-measurer';

/** Warns of usage beyond a hold. */
export type MediaLog = { warn(facts: object, message: string): void };

/** What requests of every modality need. */
export type MediaParts = LaneMap &
  CallTimeouts &
  RunParts & {
    readonly runner: AttemptRunner;
    readonly whenDurable: () => Promise<void> | null;
    readonly heartbeatMs: number;
    readonly failPoint: FailPoint;
    readonly drains: DrainLimit;
    readonly rest: ReadCoalescer;
    /** For pictures that are named by address. */
    readonly fetcher: Pick<GuardedFetcher, 'open'>;
    /** For files that are named by id. */
    readonly files: Pick<BlobStore, 'find' | 'open'>;
    /** Of recordings: the lengths that they state. */
    readonly measureSeconds: MeasureSeconds;
    readonly keepResult: KeepResult;
    readonly guardRequest: GuardMediaRequest;
    readonly log?: MediaLog | undefined;
  };

/** How a request reaches one provider. */
export type MediaLane = FoundTarget & { readonly losses: LossReport };

/** An attempt whose reply has begun: the choice is final. */
export type OpenReply = {
  readonly lane: MediaLane;
  /** Sends the rest of the reply; its head too, where that waited for this. */
  send(): Promise<void>;
};

/** A modality that this service serves: how its requests are read, and how an attempt at one is made. */
export type MediaModality<Asked> = {
  /** Throws what is wrong with the request, naming the field. */
  decode(request: WatchedRequest, parts: MediaParts): Asked | Promise<Asked>;
  /** Makes one attempt. Rejects with the error the caller should get, nothing having been sent to them. */
  open(context: MediaContext<Asked>, parts: MediaParts): Promise<OpenReply>;
};

export type MediaContext<Asked> = {
  readonly request: RequestRun;
  readonly asked: Asked;
  readonly place: AttemptPlace;
  readonly charges: RequestCharges;
  /** Absent where no guardrail holds. */
  readonly guard?: RequestGuard | undefined;
  readonly log?: MediaLog | undefined;
};
