/** Of one collection, as `v8.GCProfiler` reports it. */
export type Collection = {
  readonly gcType: string;
  readonly beforeGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
  readonly afterGC: { readonly heapStatistics: { readonly usedHeapSize: number } };
};

/** Those that free memory; the others happen within them, or are steps towards them. */
const FREEING = /^(Scavenge|MinorMark|MarkSweep)/;

/** Bytes allocated on the heap between two moments: by how much it grew from each collection to the next. */
export function sumAllocated(startUsed: number, collections: readonly Collection[], endUsed: number): number {
  let [sum, used] = [0, startUsed];
  for (const { beforeGC, afterGC } of collections.filter(({ gcType }) => FREEING.test(gcType))) {
    sum += beforeGC.heapStatistics.usedHeapSize - used;
    used = afterGC.heapStatistics.usedHeapSize;
  }
  return sum + endUsed - used;
}
