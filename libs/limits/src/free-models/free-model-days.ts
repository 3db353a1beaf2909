export type FreeModelDay = {
  readonly organizationId: string;
  /** Start of the UTC day, epoch milliseconds. */
  readonly dayMs: number;
};

/** One request's slot in its organization's free-model day: that in which it was admitted. */
export type FreeSlot = FreeModelDay & { readonly requestId: string };

type FreeSlotVerdict = {
  readonly isAllowed: boolean;
  /** Slots taken that day, this request's included when it was allowed. */
  readonly used: number;
};

/**
 * Counts an organization's requests to free models, over all of them, per UTC day. A slot is taken for a while only: the process
 * that serves the request renews it, and reports when something was generated; a slot whose process died before that is
 * free again. Rejects when the count cannot be reached.
 */
export type FreeModelDays = {
  /** How long a slot stays taken that no one keeps. */
  readonly keptMs: number;
  /** Takes a slot unless `limit` are taken. A request that has its slot already keeps it and takes no other. */
  take(slot: FreeSlot, limit: number): Promise<FreeSlotVerdict>;
  /** How many slots of a day are taken. */
  readUsed(day: FreeModelDay): Promise<number>;
  /** Keeps a slot for another `keptMs`; a count that has lost it learns of it. One that is used stays used. */
  keep(slot: FreeSlot): Promise<void>;
  /** The slot is used up for good; repeating it changes nothing. */
  use(slot: FreeSlot): Promise<void>;
  /** Gives a slot back; repeating it, or giving back what was never taken, changes nothing. */
  giveBack(slot: FreeSlot): Promise<void>;
};

/** The part of it that workers need. */
export type FreeSlots = Omit<FreeModelDays, 'take' | 'readUsed'>;

/** Slots of a day that are known to be used for good, from the events of the day: what a lost count starts from. */
export type CountFreeSlots = (organizationId: string, dayMs: number) => Promise<number>;
