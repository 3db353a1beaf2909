import type { KeyCache } from './key-cache';
import type { OrganizationRulesCache } from './organization-rules-cache';
import type { ChangeNotices } from './ports/change-notices';
import type { ChangeLog, ConfigChange } from './ports/key-directory';

type ChangeWatchOptions = {
  readonly changeLog: ChangeLog;
  readonly notices: ChangeNotices;
  readonly cache: KeyCache;
  /** Absent where no request is served. */
  readonly rules?: Pick<OrganizationRulesCache, 'forget'>;
  /** Called when the log cannot be read; the watch goes on trying. */
  readonly onError: (error: unknown) => void;
  readonly pollMs?: number;
};

/**
 * Keeps caches up to date: follows the change log from its end, at once when a notice comes and every `pollMs` (2 s)
 * anyway, so that a lost notice delays a change but never hides it. A notice is taken in when what was logged before it is
 * forgotten. Returns a function that stops it.
 */
export async function watchChanges(options: ChangeWatchOptions): Promise<() => Promise<void>> {
  const { changeLog } = options;
  let last = await changeLog.latestSequence();
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  const catchUp = async (): Promise<void> => {
    for (;;) {
      const changes = await changeLog.changesAfter(last);
      for (const change of changes) applyChange(options, change);
      const newest = changes.at(-1);
      if (newest === undefined) return;
      last = newest.sequence;
    }
  };

  const pass = async (): Promise<void> => {
    try {
      await catchUp();
    } catch (error) {
      options.onError(error);
      throw error;
    } finally {
      running = undefined;
    }
  };

  /** A pass that runs may have looked before the latest change was logged: another one follows it, for all that ask meanwhile. */
  const follow = async (before: Promise<void>): Promise<void> => {
    await Promise.allSettled([before]);
    following = undefined;
    await takeIn();
  };

  const takeIn = (): Promise<void> => {
    if (running !== undefined) return (following ??= follow(running));
    return (running = pass());
  };

  // What changed while the cache was empty does not matter; what changes from here on does.
  const unsubscribe = await options.notices.subscribe(takeIn);
  // What fails is reported by the pass, and the next one tries again.
  const timer = setInterval(() => void Promise.allSettled([takeIn()]), options.pollMs ?? 2000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await unsubscribe();
    await Promise.allSettled([running, following]);
  };
}

const RULES: ReadonlySet<ConfigChange['entity']> = new Set(['policy', 'alias', 'guardrail', 'limit', 'provider-credential']);

function applyChange({ cache, rules }: ChangeWatchOptions, { entity, entityId, organizationId }: ConfigChange): void {
  if (RULES.has(entity)) rules?.forget(organizationId);
  // An access list may hang on any key or group of its organization.
  else cache.forget(entity === 'access-list' ? organizationId : entityId);
}
