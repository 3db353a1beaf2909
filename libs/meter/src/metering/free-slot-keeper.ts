import { NODE_TIMERS, type Attempt, type Passport, type Timer, type Timers } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { findFreeSlot, type FreeSlot, type FreeSlots } from '@weir/limits';

export type FreeSlotKeeper = {
  /** The slot of a request that has one, kept from here on; undefined for all others. Throws when it may be another request's by now. */
  begin(passport: Passport): KeptSlot | undefined;
};

/** Called when the store could not be reached about a slot: a used one is reported again, any other one expires there. */
export type OnSlotLost = (error: unknown, slot: FreeSlot, action: 'keep' | 'use' | 'release') => void;

type FreeSlotKeeperParts = {
  readonly freeModelDays: FreeSlots;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly onLost: OnSlotLost;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
};

/** The slot of one request in its organization's free-model day: used by its first token, given back where nothing used it. */
export class KeptSlot {
  /** Something was generated, and the store knows or is being informed. */
  isReported = false;
  isUsed = false;
  private openAttempts = 0;
  isOver = false;

  constructor(
    readonly slot: FreeSlot,
    private readonly keeper: { use(kept: KeptSlot): void; finish(kept: KeptSlot): void },
  ) {}

  /** Attempts at other models leave the slot as it is. */
  static isFor({ isFree, isByok }: Pick<Attempt, 'isFree' | 'isByok'>): boolean {
    return isFree && !isByok;
  }

  get isEnded(): boolean {
    return this.isOver && this.openAttempts === 0;
  }

  opened(): void {
    this.openAttempts += 1;
  }

  use(): void {
    this.keeper.use(this);
  }

  closed(isUsing: boolean): void {
    this.openAttempts -= 1;
    this.isUsed ||= isUsing;
    this.keeper.finish(this);
  }

  /** The request is over. A reply may be read to its end after that: only then is it known what it used. */
  finish(): void {
    this.isOver = true;
    this.keeper.finish(this);
  }
}

const KEPT_PER_PERIOD = 3;
/** While the store is away for long, what could not be reported does not pile up for ever. */
const STATES_MAX = 10_000;

/** Keeps the slots of the free-model day of running requests, and gives back those of which nothing was used. */
export function createFreeSlotKeeper({ freeModelDays, now, onLost, timers = NODE_TIMERS }: FreeSlotKeeperParts): FreeSlotKeeper {
  const states = new Map<string, KeptSlot>();
  let timer: Timer | undefined;

  const use = (state: KeptSlot): void => {
    if (state.isReported) return;
    state.isReported = true;
    freeModelDays.use(state.slot).catch((error: unknown) => {
      onLost(error, state.slot, 'use');
      // Until its use is reported it goes on being kept like that of a running request.
      state.isReported = false;
      const isGivenBack = state.isEnded && !state.isUsed;
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
    timers.clearInterval(timer);
    timer = undefined;
  };
  const follow = (state: KeptSlot): void => {
    states.set(state.slot.requestId, state);
    timer ??= timers.setInterval(keepAll, freeModelDays.keptMs / KEPT_PER_PERIOD).unref();
  };
  const finish = (state: KeptSlot): void => {
    if (!state.isEnded) return;
    states.delete(state.slot.requestId);
    if (state.isUsed) use(state);
    else freeModelDays.giveBack(state.slot).catch((error: unknown) => onLost(error, state.slot, 'release'));
  };

  const keeper = { use, finish };
  return {
    begin: (passport) => {
      const slot = findFreeSlot(passport);
      if (slot === undefined) return undefined;
      checkBegin(passport, now());
      const kept = new KeptSlot(slot, keeper);
      follow(kept);
      return kept;
    },
  };
}

/** A slot that may have been given to another request is no one's to use. */
function checkBegin({ freePlaceByMs = Infinity }: Passport, nowMs: number): void {
  if (nowMs > freePlaceByMs) throw new GatewayError('overloaded', 'The request waited too long inside the gateway. Try again shortly.');
}
