import { readWriters } from '@weir/database';
import type { DataParts } from './data-parts';

/**
 * Reports to watermarks in memory, which begin empty, how far journals were counted before: what is counted is not sent again, and one
 * that ends before it is known to have been cut. For counters that begin empty as well: others may wait for what is sent again.
 */
export async function publishCounted({ database, watermarks }: Pick<DataParts, 'database' | 'watermarks'>): Promise<void> {
  const writers = await readWriters(database.pool);
  await watermarks.publish(new Map(writers.flatMap(({ writerId, watermark }) => (watermark === null ? [] : [[writerId, watermark]]))));
}
