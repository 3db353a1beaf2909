/** How much disk the uploads of one process may take at a time. */
export type DiskQuota = {
  /** Returns false, taking nothing, when that much is not left. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
  /** For metrics and tests. */
  used(): number;
};

export function createDiskQuota(bytesMax: number): DiskQuota {
  let used = 0;
  return {
    take: (bytes) => {
      if (used + bytes > bytesMax) return false;
      used += bytes;
      return true;
    },
    giveBack: (bytes) => {
      used -= bytes;
    },
    used: () => used,
  };
}
