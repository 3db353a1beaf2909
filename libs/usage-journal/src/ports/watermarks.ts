/** How far each writer's events are aggregated: the highest sequence below which nothing is missing. Journals trim by it. */
export type Watermarks = {
  /** Returns undefined when the writer has none yet. */
  read(writerId: string): Promise<bigint | undefined>;
};
