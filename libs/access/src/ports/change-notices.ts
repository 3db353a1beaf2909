/** Notifies other processes at once that the change log has grown. May lose notices: the log is polled as well. */
export type ChangeNotices = {
  notify(): Promise<void>;
  /** Returns a function that ends the subscription. */
  subscribe(onNotice: () => void): Promise<() => Promise<void>>;
};

/** The adapter for one process. */
export function createMemoryChangeNotices(): ChangeNotices {
  const listeners = new Set<() => void>();
  return {
    notify: () => {
      for (const listener of listeners) listener();
      return Promise.resolve();
    },
    subscribe: (onNotice) => {
      listeners.add(onNotice);
      return Promise.resolve(() => {
        listeners.delete(onNotice);
        return Promise.resolve();
      });
    },
  };
}
