/** Sealed replies by name, for a while. Bounded: what is over the bound or out of time is gone. */
export type ReplyCache = {
  find(name: string): Promise<Uint8Array | undefined>;
  keep(name: string, sealed: Uint8Array, ttlMs: number): Promise<void>;
};

type MemoryReplyCacheOptions = {
  /** Of all replies together. A larger one is not kept. */
  readonly bytesMax: number;
  readonly now: () => number;
};

/** The adapter for one process. When it is full, the oldest replies are removed first. */
export function createMemoryReplyCache({ bytesMax, now }: MemoryReplyCacheOptions): ReplyCache {
  const replies = new Map<string, { readonly sealed: Uint8Array; readonly goodUntilMs: number }>();
  let bytes = 0;

  const drop = (name: string): void => {
    bytes -= replies.get(name)?.sealed.length ?? 0;
    replies.delete(name);
  };

  return {
    find: (name) => {
      const found = replies.get(name);
      if (found !== undefined && found.goodUntilMs <= now()) drop(name);
      return Promise.resolve(replies.get(name)?.sealed);
    },
    keep: (name, sealed, ttlMs) => {
      drop(name);
      if (sealed.length > bytesMax) return Promise.resolve();
      for (const oldest of replies.keys()) {
        if (bytes + sealed.length <= bytesMax) break;
        drop(oldest);
      }
      bytes += sealed.length;
      replies.set(name, { sealed, goodUntilMs: now() + ttlMs });
      return Promise.resolve();
    },
  };
}
