export type FreeModelDay = {
  readonly organizationId: string;
  /** Start of the UTC day, epoch milliseconds. */
  readonly dayMs: number;
};

/** One request's place in its organization's free-model day: that in which it was admitted. */
export type FreePlace = FreeModelDay & { readonly requestId: string };

export type FreePlaceVerdict = {
  readonly isAllowed: boolean;
  /** Places taken that day, this request's included when it was allowed. */
  readonly used: number;
};

/**
 * Counts an organization's requests to free models, over all of them, per UTC day. A place is taken for a while only: who
 * serves the request keeps it, and says when something was generated; so a place comes back when whoever had it died before.
 * Rejects when the count cannot be reached.
 */
export type FreeModelDays = {
  /** How long a place stays taken that no one keeps. */
  readonly keptMs: number;
  /** Takes a place unless `limit` are taken. A request that has its place already keeps it and takes no other. */
  take(place: FreePlace, limit: number): Promise<FreePlaceVerdict>;
  /** How many places of a day are taken. */
  readUsed(day: FreeModelDay): Promise<number>;
  /** Keeps a place for another `keptMs`; a count that has lost it learns of it. One that is used stays used. */
  keep(place: FreePlace): Promise<void>;
  /** The place is used up for good; repeating it changes nothing. */
  use(place: FreePlace): Promise<void>;
  /** Gives a place back; repeating it, or giving back what was never taken, changes nothing. */
  giveBack(place: FreePlace): Promise<void>;
};

/** The part of it that workers need. */
export type FreePlaces = Omit<FreeModelDays, 'take' | 'readUsed'>;

/** Places of a day that are known to be used for good, from the events of the day: what a lost count starts from. */
export type CountFreePlaces = (organizationId: string, dayMs: number) => Promise<number>;
