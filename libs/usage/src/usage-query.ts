/** Only usage that has one of the values in this dimension. Usage without a value has the value that it is counted under. */
export type UsageFilter = {
  /** Of a dimension, as in `groupBy`. */
  readonly name: string;
  readonly values: readonly string[];
};

/** What one member may see: requests of their own keys, and those that counted towards groups of theirs. */
export type UsageReach = { readonly userId: string; readonly groupIds: readonly string[] };

/** A checked usage question. Times are UTC epoch milliseconds, the range is half-open. */
export type UsageQuery = {
  readonly organizationId: string;
  readonly apiKeyId?: string;
  /** Absent: all of the organization. */
  readonly reach?: UsageReach;
  readonly startMs: number;
  readonly endMs: number;
  readonly resolution: 'hour' | 'day' | 'month';
  /** Names of dimensions from the dimension table, prefix ones with their field: `extra.team`. */
  readonly groupBy: readonly string[];
  /** All of them apply. Ordered by name, each with its values in order: equal questions are equal texts. Absent where nothing is left out. */
  readonly filters?: readonly UsageFilter[];
};
