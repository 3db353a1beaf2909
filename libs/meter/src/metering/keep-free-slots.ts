import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { findFreeSlot, usesFreeSlot, type FreeSlot, type FreeSlots } from '@weir/limits';
import type { OpenAttempt, Meter } from '../meter';

type FreeSlotKeeper = {
  /** The meter, watched for attempts at free models that used their slot. */
  readonly meter: Meter;
  /** A handler whose requests give their slot back when nothing used it, refusals before any attempt included. */
  guard<Request extends { readonly passport: Passport }>(handle: (request: Request) => Promise<void>): (request: Request) => Promise<void>;
};

/** Called when the store could not be reached about a slot: a used one is reported again, any other one expires there. */
export type OnSlotLost = (error: unknown, slot: FreeSlot, action: 'keep' | 'use' | 'release') => void;

type FreeSlotKeeperParts = {
  readonly meter: Meter;
  readonly freeModelDays: FreeSlots;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly onLost: OnSlotLost;
};

type SlotState = {
  readonly slot: FreeSlot;
  openAttempts: number;
  isUsed: boolean;
  isOver: boolean;
  /** Something was generated, and the store knows or is being informed. */
  isReported: boolean;
};

const KEPT_PER_PERIOD = 3;
/** While the store is away for long, what could not be reported does not pile up for ever. */
const STATES_MAX = 10_000;

/** Keeps the slots of the free-model day of running requests, and gives back those of which nothing was used. */
export function createFreeSlotKeeper({ meter, freeModelDays, now, onLost }: FreeSlotKeeperParts): FreeSlotKeeper {
  const states = new Map<string, SlotState>();
  let timer: NodeJS.Timeout | undefined;

  const use = (state: SlotState): void => {
    if (state.isReported) return;
    state.isReported = true;
    freeModelDays.use(state.slot).catch((error: unknown) => {
      onLost(error, state.slot, 'use');
      // Until its use is reported it goes on being kept like that of a running request.
      state.isReported = false;
      const isGivenBack = isEnded(state) && !state.isUsed;
      if (isGivenBack || states.size >= STATES_MAX) return;
      follow(state);
    });
  };
  const keepAll = (): void => {
    for (const [requestId, state] of states) {
      if (state.isUsed && state.isOver) {
        states.delete(requestId);
        use(state);
      } else if (!state.isReported) freeModelDays.keep(state.slot).catch((error: unknown) => onLost(error, state.slot, 'keep'));
    }
    if (states.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const follow = (state: SlotState): void => {
    states.set(state.slot.requestId, state);
    timer ??= setInterval(keepAll, freeModelDays.keptMs / KEPT_PER_PERIOD).unref();
  };
  const finish = (state: SlotState): void => {
    // A reply may be read to its end after the caller was answered: only then is it known what it used.
    if (!isEnded(state)) return;
    states.delete(state.slot.requestId);
    if (state.isUsed) use(state);
    else freeModelDays.giveBack(state.slot).catch((error: unknown) => onLost(error, state.slot, 'release'));
  };

  return {
    meter: {
      openAttempt: (passport, attemptIndex, expected) => {
        const attempt = meter.openAttempt(passport, attemptIndex, expected);
        const state = states.get(passport.requestId);
        if (state === undefined) return attempt;
        state.openAttempts += 1;
        const isUsable = isForSlot(passport, attemptIndex);
        const onClosed = (isUsing: boolean): void => {
          state.openAttempts -= 1;
          state.isUsed ||= isUsable && isUsing;
          finish(state);
        };
        return watchAttempt(attempt, { onTokens: isUsable ? () => use(state) : ignore, onClosed });
      },
    },
    guard: <Request extends { readonly passport: Passport }>(handle: (request: Request) => Promise<void>) => {
      const keep = async (request: Request, slot: FreeSlot): Promise<void> => {
        checkBegin(request.passport, now());
        const state: SlotState = { slot, openAttempts: 0, isUsed: false, isOver: false, isReported: false };
        follow(state);
        try {
          await handle(request);
        } finally {
          state.isOver = true;
          finish(state);
        }
      };
      return (request: Request) => {
        const slot = findFreeSlot(request.passport);
        return slot === undefined ? handle(request) : keep(request, slot);
      };
    },
  };
}

function isEnded({ isOver, openAttempts }: SlotState): boolean {
  return isOver && openAttempts === 0;
}

/** Whether an attempt can use the slot of its request. */
function isForSlot({ attempts }: Passport, attemptIndex: number): boolean {
  const attempt = attempts[attemptIndex];
  return attempt?.isFree === true && !attempt.isByok;
}

const ignore = (): void => undefined;

/** A slot that may have been given to another request is no one's to use. */
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
      if (!isClosed) onClosed(facts.isLogical && usesFreeSlot({ status: facts.status, outputTokens: facts.usage.output }));
      isClosed = true;
      return receipt;
    },
  };
}
