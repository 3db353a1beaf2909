import type { Passport } from '@weir/contracts';
import { findFreePlace, usesFreePlace, type FreeModelDays } from '@weir/limits';
import type { OpenAttempt, Till } from '../till';

export type FreePlaceKeeper = {
  /** The till, watched for attempts at free models that used their place. */
  readonly till: Till;
  /** A handler whose requests give their place back when nothing used it, refusals before any attempt included. */
  guard<Work extends { readonly passport: Passport }>(handle: (work: Work) => Promise<void>): (work: Work) => Promise<void>;
};

export type FreePlaceKeeperParts = {
  readonly till: Till;
  readonly freeModelDays: Pick<FreeModelDays, 'giveBack'>;
  /** Told when a place could not be given back: the day then has one less. */
  readonly onLost: (error: unknown) => void;
};

type Story = { openAttempts: number; isUsed: boolean; isOver: boolean };

/** Gives places of the free-model day back for requests that we refused or that failed without a token. */
export function createFreePlaceKeeper({ till, freeModelDays, onLost }: FreePlaceKeeperParts): FreePlaceKeeper {
  const stories = new Map<string, Story>();

  const finish = (passport: Passport, story: Story): void => {
    // A reply may be read to its end after the caller was answered: only then is it known what it used.
    if (!story.isOver || story.openAttempts > 0) return;
    stories.delete(passport.requestId);
    const place = findFreePlace(passport);
    if (!story.isUsed && place !== undefined) freeModelDays.giveBack(place).catch(onLost);
  };

  return {
    till: {
      openAttempt: (passport, attemptIndex, expected) => {
        const attempt = till.openAttempt(passport, attemptIndex, expected);
        const story = stories.get(passport.requestId);
        if (story === undefined) return attempt;
        story.openAttempts += 1;
        const isFree = passport.attempts[attemptIndex]?.isFree === true;
        return watchAttempt(attempt, (isUsing) => {
          story.openAttempts -= 1;
          story.isUsed ||= isFree && isUsing;
          finish(passport, story);
        });
      },
    },
    guard: (handle) => async (work) => {
      const { passport } = work;
      if (findFreePlace(passport) === undefined) return handle(work);
      const story: Story = { openAttempts: 0, isUsed: false, isOver: false };
      stories.set(passport.requestId, story);
      try {
        await handle(work);
      } finally {
        story.isOver = true;
        finish(passport, story);
      }
    },
  };
}

function watchAttempt(attempt: OpenAttempt, onClosed: (isUsing: boolean) => void): OpenAttempt {
  let isClosed = false;
  return {
    eventId: attempt.eventId,
    progress: (outputTokens) => attempt.progress(outputTokens),
    noteFirstByte: () => attempt.noteFirstByte(),
    close: (facts) => {
      const receipt = attempt.close(facts);
      if (!isClosed) onClosed(facts.isLogical && usesFreePlace({ status: facts.status, outputTokens: facts.usage.output }));
      isClosed = true;
      return receipt;
    },
  };
}
