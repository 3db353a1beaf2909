/** Notifies other processes at once that the change log has grown. May lose notices: the log is polled as well. */
export type ChangeNotices = {
  /**
   * Resolves when subscribers have taken in what was logged before: those of this process, and of all that share its machine with it
   * as parts of one gateway. Rejects where one of them could not, or was not heard of in time.
   */
  notify(): Promise<void>;
  /** `onNotice` resolves when what was logged before is taken in. Returns a function that ends the subscription. */
  subscribe(onNotice: () => Promise<void>): Promise<() => Promise<void>>;
};

/** The adapter for one process. */
export function createMemoryChangeNotices(): ChangeNotices {
  const listeners = new Set<() => Promise<void>>();
  return {
    notify: () => waitForAll([...listeners].map((listener) => listener())),
    subscribe: (onNotice) => {
      listeners.add(onNotice);
      return Promise.resolve(() => {
        listeners.delete(onNotice);
        return Promise.resolve();
      });
    },
  };
}

/** Notifies over all of several ways; a subscriber that is reached by more than one of them hears as often. */
export function joinChangeNotices(ways: readonly ChangeNotices[]): ChangeNotices {
  return {
    notify: () => waitForAll(ways.map((way) => way.notify())),
    subscribe: async (onNotice) => {
      const ends = await Promise.all(ways.map((way) => way.subscribe(onNotice)));
      return async () => {
        await Promise.all(ends.map((end) => end()));
      };
    },
  };
}

/** None is left behind because another one failed. */
async function waitForAll(all: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
