/**
 * How far each writer's events are committed in Postgres: the highest sequence below which nothing is missing.
 * Journals trim by it. A lost watermark only keeps segments longer.
 */
export type WatermarkStore = {
  publish(watermarks: ReadonlyMap<string, bigint>): Promise<void>;
  /** Returns undefined when the writer has none yet. */
  read(writerId: string): Promise<bigint | undefined>;
};

/** The adapter for one process. */
export function createMemoryWatermarkStore(): WatermarkStore {
  const known = new Map<string, bigint>();
  return {
    publish: (watermarks) => {
      for (const [writerId, sequence] of watermarks) {
        const current = known.get(writerId);
        if (current === undefined || sequence > current) known.set(writerId, sequence);
      }
      return Promise.resolve();
    },
    read: (writerId) => Promise.resolve(known.get(writerId)),
  };
}
