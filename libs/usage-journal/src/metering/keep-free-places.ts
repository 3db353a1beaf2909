import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { findFreePlace, usesFreePlace, type FreePlace, type FreePlaces } from '@weir/limits';
import type { OpenAttempt, Meter } from '../meter';

export type FreePlaceKeeper = {
  /** The till, watched for attempts at free models that used their place. */
  readonly meter: Meter;
  /** A handler whose requests give their place back when nothing used it, refusals before any attempt included. */
  guard<Work extends { readonly passport: Passport }>(handle: (forwarded: Work) => Promise<void>): (forwarded: Work) => Promise<void>;
};

export type FreePlaceKeeperParts = {
  readonly meter: Meter;
  readonly freeModelDays: FreePlaces;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** Told when it could not be told what became of a place: one that is used is told again, any other comes back by itself. */
  readonly onLost: (error: unknown) => void;
};

type RequestState = {
  readonly place: FreePlace;
  openAttempts: number;
  isUsed: boolean;
  isOver: boolean;
  /** Something was generated, and the store knows or is being told. */
  isReported: boolean;
};

const KEPT_PER_PERIOD = 3;
/** While the store is away for long, what could not be told does not pile up for ever. */
const STORIES_MAX = 10_000;

/** Keeps the places of the free-model day of running requests, and gives back those of which nothing was used. */
export function createFreePlaceKeeper({ meter, freeModelDays, now, onLost }: FreePlaceKeeperParts): FreePlaceKeeper {
  const stories = new Map<string, RequestState>();
  let timer: NodeJS.Timeout | undefined;

  const use = (story: RequestState): void => {
    if (story.isReported) return;
    story.isReported = true;
    freeModelDays.use(story.place).catch((error: unknown) => {
      onLost(error);
      // Until it can be told it goes on being kept like one that is still running.
      story.isReported = false;
      const isGivenBack = isEnded(story) && !story.isUsed;
      if (isGivenBack || stories.size >= STORIES_MAX) return;
      follow(story);
    });
  };
  const keepAll = (): void => {
    for (const [requestId, story] of stories) {
      if (story.isUsed && story.isOver) {
        stories.delete(requestId);
        use(story);
      } else if (!story.isReported) freeModelDays.keep(story.place).catch(onLost);
    }
    if (stories.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const follow = (story: RequestState): void => {
    stories.set(story.place.requestId, story);
    timer ??= setInterval(keepAll, freeModelDays.keptMs / KEPT_PER_PERIOD).unref();
  };
  const finish = (story: RequestState): void => {
    // A reply may be read to its end after the caller was answered: only then is it known what it used.
    if (!isEnded(story)) return;
    stories.delete(story.place.requestId);
    if (story.isUsed) use(story);
    else freeModelDays.giveBack(story.place).catch(onLost);
  };

  return {
    meter: {
      openAttempt: (passport, attemptIndex, expected) => {
        const attempt = meter.openAttempt(passport, attemptIndex, expected);
        const story = stories.get(passport.requestId);
        if (story === undefined) return attempt;
        story.openAttempts += 1;
        const isUsable = isForPlace(passport, attemptIndex);
        const onClosed = (isUsing: boolean): void => {
          story.openAttempts -= 1;
          story.isUsed ||= isUsable && isUsing;
          finish(story);
        };
        return watchAttempt(attempt, { onTokens: isUsable ? () => use(story) : ignore, onClosed });
      },
    },
    guard: <Work extends { readonly passport: Passport }>(handle: (forwarded: Work) => Promise<void>) => {
      const keep = async (forwarded: Work, place: FreePlace): Promise<void> => {
        checkBegin(forwarded.passport, now());
        const story: RequestState = { place, openAttempts: 0, isUsed: false, isOver: false, isReported: false };
        follow(story);
        try {
          await handle(forwarded);
        } finally {
          story.isOver = true;
          finish(story);
        }
      };
      return (forwarded: Work) => {
        const place = findFreePlace(forwarded.passport);
        return place === undefined ? handle(forwarded) : keep(forwarded, place);
      };
    },
  };
}

function isEnded({ isOver, openAttempts }: RequestState): boolean {
  return isOver && openAttempts === 0;
}

/** Whether an attempt can use the place of its request. */
function isForPlace({ attempts }: Passport, attemptIndex: number): boolean {
  const attempt = attempts[attemptIndex];
  return attempt?.isFree === true && !attempt.isByok;
}

const ignore = (): void => undefined;

/** A place that may have been given to another request is no one's to use. */
function checkBegin({ freePlaceByMs = Infinity }: Passport, nowMs: number): void {
  if (nowMs > freePlaceByMs) throw new GatewayError('overloaded', 'The request waited too long inside the gateway. Try again shortly.');
}

type Watching = { readonly onTokens: () => void; readonly onClosed: (isUsing: boolean) => void };

function watchAttempt(attempt: OpenAttempt, { onTokens, onClosed }: Watching): OpenAttempt {
  let isClosed = false;
  return {
    eventId: attempt.eventId,
    progress: (outputTokens) => {
      if (outputTokens > 0) onTokens();
      attempt.progress(outputTokens);
    },
    noteFirstByte: () => attempt.noteFirstByte(),
    close: (facts) => {
      const receipt = attempt.close(facts);
      if (!isClosed) onClosed(facts.isLogical && usesFreePlace({ status: facts.status, outputTokens: facts.usage.output }));
      isClosed = true;
      return receipt;
    },
  };
}
