import type { KeyCache } from './key-cache';
import type { ChangeNotices } from './ports/change-notices';
import type { ChangeLog, ConfigChange } from './ports/key-directory';

export type ChangeWatchOptions = {
  readonly changeLog: ChangeLog;
  readonly notices: ChangeNotices;
  readonly cache: KeyCache;
  /** Told when the log cannot be read; the watch goes on trying. */
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
};

/**
 * Keeps a key cache true: follows the change log from its end, at once when a notice comes and every `pollMs` (2 s)
 * anyway, so that a lost notice delays a change but never hides it. Answers how to stop.
 */
export async function watchChanges(options: ChangeWatchOptions): Promise<() => Promise<void>> {
  const { changeLog, cache } = options;
  let last = await changeLog.latestSequence();
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  const catchUp = async (): Promise<void> => {
    for (;;) {
      const changes = await changeLog.changesAfter(last);
      for (const change of changes) applyChange(cache, change);
      const newest = changes.at(-1);
      if (newest === undefined) return;
      last = newest.sequence;
    }
  };

  const poke = (): void => {
    if (running !== undefined) {
      isAskedAgain = true;
      return;
    }
    running = catchUp()
      .catch(options.onError)
      .finally(() => {
        running = undefined;
        if (!isAskedAgain) return;
        isAskedAgain = false;
        poke();
      });
  };

  // What changed while the cache was empty does not matter; what changes from here on does.
  const unsubscribe = await options.notices.subscribe(poke);
  const timer = setInterval(poke, options.pollMs ?? 2000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await unsubscribe();
    await running;
  };
}

function applyChange(cache: KeyCache, change: ConfigChange): void {
  // An access list may hang on any key or group of its organization.
  cache.forget(change.entity === 'access-list' ? change.organizationId : change.entityId);
}
