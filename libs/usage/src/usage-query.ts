/** A checked usage question. Times are UTC epoch milliseconds, the range is half-open. */
export type UsageQuery = {
  readonly organizationId: string;
  readonly apiKeyId?: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly resolution: 'hour' | 'day' | 'month';
  /** Names of dimensions from the dimension table, prefix ones with their field: `extra.team`. */
  readonly groupBy: readonly string[];
};
