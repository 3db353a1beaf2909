/** One request's place in an organization's free-model day. */
export type FreePlace = {
  readonly organizationId: string;
  /** Start of the UTC day in which the request was admitted, epoch milliseconds. */
  readonly dayMs: number;
  readonly requestId: string;
};

export type FreePlaceVerdict = {
  readonly isAllowed: boolean;
  /** Places taken that day, this request's included when it was allowed. */
  readonly used: number;
};

/** Counts an organization's requests to free models, over all of them, per UTC day. Rejects when the count cannot be reached. */
export type FreeModelDays = {
  /** Takes a place unless `limit` are taken. A request that has its place already keeps it and takes no other. */
  take(place: FreePlace, limit: number): Promise<FreePlaceVerdict>;
  /** Gives a place back; repeating it, or giving back what was never taken, changes nothing. */
  giveBack(place: FreePlace): Promise<void>;
};

/** Places of a day that are known to be used for good, from the events of the day: what a lost count starts from. */
export type CountFreePlaces = (organizationId: string, dayMs: number) => Promise<number>;
