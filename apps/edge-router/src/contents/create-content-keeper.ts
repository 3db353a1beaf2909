import type { Passport } from '@weir/contracts';
import type { NewContents } from '@weir/database';
import type { Logger } from '@weir/telemetry';
import type { ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { createContentQueue } from './content-queue';
import { createContentCapacity, type ContentCapacity } from './content-capacity';
import { openContentTape, type Recorded } from './content-tape';
import { createDropReport, type ContentOutcome } from './drop-report';
import { mayKeepGuarded } from './may-keep-contents';

export type ContentKeeperParts = {
  /** Seals and writes a batch. Null where `SEALING_KEY` is not set: nothing is ever kept unsealed. */
  readonly write: ((batch: readonly NewContents[]) => Promise<void>) | null;
  readonly count: (outcome: ContentOutcome, requests: number) => void;
  readonly log: Pick<Logger, 'warn'>;
  /** Shorter in tests. */
  readonly limits?: Partial<ContentLimits>;
};

type ContentLimits = { readonly partBytesMax: number; readonly capacityBytes: number; readonly waitMs: number; readonly retryMs: number };

/** Of the request and of the response, each. */
const LIMITS: ContentLimits = { partBytesMax: 256 * 1024, capacityBytes: 64 * 1024 * 1024, waitMs: 250, retryMs: 1000 };

/** One request whose contents are to be kept. */
export type ContentAsk = Pick<NewContents, 'organizationId' | 'requestId' | 'apiKeyId' | 'userId' | 'receivedAtMs' | 'days'> & {
  /** As the caller sent it. */
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly guardrails: Passport['guardrails'];
};

export type ContentKeeper = {
  /** Records the response of a request that is about to be forwarded; both are written when it is over. Never throws. */
  keep(ask: ContentAsk): void;
  /** Writes what waits. */
  close(): Promise<void>;
};

/** Keeps contents of requests, sealed. What there is no capacity for, or what cannot be written, is dropped, counted and logged. */
export function createContentKeeper({ write, count, log, limits }: ContentKeeperParts): ContentKeeper {
  const { partBytesMax, capacityBytes, waitMs, retryMs } = { ...LIMITS, ...limits };
  const capacity = createContentCapacity(capacityBytes);
  const drop = createDropReport(count, log);
  const queue = createContentQueue({
    write: write ?? (() => Promise.reject(NO_KEY)),
    onKept: (batch) => {
      for (const { bytes } of batch) capacity.give(bytes);
      count('kept', batch.length);
    },
    onDropped: (batch, error) => {
      for (const { bytes } of batch) capacity.give(bytes);
      drop(batch.length, error);
    },
    waitMs,
    retryMs,
  });

  const finish = (ask: ContentAsk, request: Recorded, response: Recorded | undefined): void => {
    const bytes = request.bytes.length + (response?.bytes.length ?? 0);
    const { statusCode: status } = ask.response;
    if (response === undefined) {
      capacity.give(bytes);
      drop(1, NO_CAPACITY);
    } else if (!mayKeepGuarded(ask.guardrails, { verdict: ask.response.getHeader('x-weir-guardrail'), status })) {
      capacity.give(bytes);
      count('left_out', 1);
    } else queue.add({ bytes, contents: describeContents(ask, request, response) });
  };

  return {
    keep: (ask) => {
      const request = write === null ? undefined : takeRequest(ask.body, capacity, partBytesMax);
      if (request === undefined) return drop(1, write === null ? NO_KEY : NO_CAPACITY);
      const tape = openContentTape(ask.response, capacity, partBytesMax);
      ask.response.once('close', () => finish(ask, request, tape.stop()));
    },
    close: () => queue.close(),
  };
}

const NO_CAPACITY = new Error('too much is kept in memory already');
const NO_KEY = new Error('SEALING_KEY is not set');

/** A part is copied, so that the whole of a large body can be let go. */
function takeRequest(body: Buffer, capacity: ContentCapacity, bytesMax: number): Recorded | undefined {
  const isCut = body.length > bytesMax;
  const bytes = isCut ? Buffer.from(body.subarray(0, bytesMax)) : body;
  return capacity.take(bytes.length) ? { bytes, isCut } : undefined;
}

function describeContents(ask: ContentAsk, request: Recorded, recorded: Recorded): NewContents {
  const { organizationId, requestId, apiKeyId, userId, receivedAtMs, days, response } = ask;
  const contentType = response.getHeader('content-type');
  return {
    ...{ organizationId, requestId, apiKeyId, userId, receivedAtMs, days },
    contents: {
      request: { body: readText(request), isCut: request.isCut },
      response: {
        body: readText(recorded),
        isCut: recorded.isCut,
        status: response.statusCode,
        contentType: typeof contentType === 'string' ? contentType : null,
      },
    },
  };
}

/** A character that was cut in two is left out. */
function readText({ bytes, isCut }: Recorded): string {
  return isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
}
