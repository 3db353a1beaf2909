/** How many bytes of contents are in memory at a time, of requests that run and of those that wait to be written. */
export type ContentCapacity = {
  /** False where there is not as much left; nothing is taken then. */
  take(bytes: number): boolean;
  give(bytes: number): void;
};

export function createContentCapacity(bytesMax: number): ContentCapacity {
  let taken = 0;
  return {
    take: (bytes) => {
      if (taken + bytes > bytesMax) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  };
}
